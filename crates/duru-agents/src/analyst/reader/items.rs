//! A question as items: what its tokens are for this domain.

use duru_language::time::{self, Timed};
use duru_language::{Ending, Op, Particle, Sense, Token, TokenKind, Unit, quantity, segment};
use jiff::Zoned;

use super::link::{Linked, Mention};

/// Particles that are also forms of verbs.
const DETACHED: &[&str] = &["는", "은", "이", "가"];

/// Forms of "is" after which the sentence goes on: 강남인 매장, 매장이 강남인 거, 강남이거나.
const GOES_ON: &[&str] = &["인", "인거", "인것", "인건", "인게", "거나"];

/// A piece of a question, with all that it may mean.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// What its words mean besides things of the domain.
    pub(super) senses: Vec<Sense>,
    pub(super) mentions: Vec<Mention>,
    pub(super) particles: Vec<Particle>,
    pub(super) endings: Vec<Ending>,
    pub(super) text: String,
    /// How much of the text is the word itself, without particles and endings.
    pub(super) own_length: usize,
    pub(super) korean: bool,
    /// Which clause of the question it stands in.
    pub(super) clause: usize,
    pub(super) used: bool,
    /// It says no more than what stands beside it.
    pub(super) redundant: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ItemKind {
    Word,
    Number(f64, Option<Unit>),
    Time(Timed),
    /// What stands in quotation marks.
    Text(String),
    /// An identifier.
    Name(String),
    Percentile(f64),
    Mark(char),
    Unknown,
}

impl Item {
    pub(super) fn op(&self, op: Op) -> bool {
        self.senses.contains(&Sense::Op(op))
    }

    pub(super) fn any_op(&self, ops: &[Op]) -> Option<Op> {
        ops.iter().copied().find(|op| self.op(*op))
    }

    pub(super) fn particle(&self, particle: Particle) -> bool {
        self.particles.contains(&particle)
    }

    pub(super) fn ending(&self, ending: Ending) -> bool {
        self.endings.contains(&ending)
    }

    /// Says nothing by itself.
    pub(super) fn is_empty(&self) -> bool {
        match &self.kind {
            ItemKind::Word => {
                self.mentions.is_empty()
                    && self.senses.iter().any(|sense| match sense {
                        Sense::Filler | Sense::Link(_) => true,
                        Sense::Op(op) => matches!(op, Op::Show | Op::Happens),
                        _ => false,
                    })
            }
            ItemKind::Mark(_) => true,
            _ => false,
        }
    }
}

/// The items of a question.
pub(super) fn items(question: &str, linked: &Linked, now: &Zoned) -> Vec<Item> {
    let tokens = quantity::join_numbers(segment(question, &[linked.general, &linked.lexicon]));
    let spans = time::read(&tokens, now);
    let mut items = Vec::new();
    let mut at = 0;
    let mut clause = 0;
    while at < tokens.len() {
        let span = spans.iter().find(|span| span.tokens.start == at);
        let (kind, end) = match span {
            // A number of seconds or a word of the domain is no period by itself.
            Some(span) if !is_other(&span.what, &tokens[at]) => {
                (ItemKind::Time(span.what.clone()), span.tokens.end)
            }
            _ if let Some((part, count)) = quantity::percentile(&tokens, at) => {
                (ItemKind::Percentile(part), at + count)
            }
            _ => match quantity::quantity(&tokens, at) {
                Some(one) => (ItemKind::Number(one.value, one.unit), at + one.tokens),
                None => (plain(question, &tokens[at]), at + 1),
            },
        };
        let last = &tokens[end - 1];
        let mut senses: Vec<Sense> =
            tokens[at].senses.iter().copied().filter(|sense| !matches!(sense, Sense::Domain(_))).collect();
        // 에러 는: a particle that was written apart is one still.
        if at > 0 && DETACHED.contains(&tokens[at].text(question)) && tokens[at].spaced {
            senses = vec![Sense::Filler];
        }
        // Attempts + accounts: one and the other; 100+ has no space.
        if tokens[at].text(question) == "+" && tokens[at].spaced {
            senses = vec![Sense::Link(duru_language::Link::And)];
        }
        // 나열해 주세요: a verb after another one only helps it.
        if tokens[at].verb && at > 0 && tokens[at - 1].verb && senses.contains(&Sense::Filler) {
            senses.retain(|sense| *sense == Sense::Filler);
        }
        let mentions = tokens[at]
            .senses
            .iter()
            .filter_map(|sense| match sense {
                Sense::Domain(place) => linked.mentions.get(*place as usize).cloned(),
                _ => None,
            })
            .collect();
        let text = question.get(tokens[at].start..last.full_end).unwrap_or_default().to_owned();
        let korean = text.chars().any(duru_language::hangul::is_hangul);
        items.push(Item {
            mentions: if matches!(kind, ItemKind::Word) { mentions } else { Vec::new() },
            kind,
            senses,
            particles: last.particles.clone(),
            endings: last.endings.clone(),
            own_length: last.end - tokens[at].start,
            text,
            korean,
            clause,
            used: false,
            redundant: false,
        });
        let text = items.last().map_or("", |item| item.text.as_str());
        if ends_clause(last, text, tokens.get(end))
            || matches!(last.kind, TokenKind::Mark('(' | ')' | '[' | ']' | ':'))
        {
            clause += 1;
        }
        at = end;
    }
    items
}

/// A length that a word of the domain has better: none so far is more than a bare length.
fn is_other(what: &Timed, token: &Token) -> bool {
    matches!(what, Timed::HourOfDay | Timed::DayOfWeek)
        && token.senses.iter().any(|sense| matches!(sense, Sense::Domain(_)))
}

fn plain(question: &str, token: &Token) -> ItemKind {
    match &token.kind {
        TokenKind::Quoted => {
            let text = token.text(question);
            let inner: String = text.chars().skip(1).take(text.chars().count().saturating_sub(2)).collect();
            ItemKind::Text(inner)
        }
        TokenKind::Name => ItemKind::Name(token.text(question).to_owned()),
        TokenKind::Percentile(part) => ItemKind::Percentile(*part),
        TokenKind::Mark(mark) => ItemKind::Mark(*mark),
        TokenKind::Unknown => ItemKind::Unknown,
        _ => ItemKind::Word,
    }
}

/// Whether another thought begins after it: -는데, -니까, a full stop, a comma between English words.
fn ends_clause(token: &Token, text: &str, next: Option<&Token>) -> bool {
    let endings = [
        Ending::Background,
        Ending::Reason,
        Ending::Statement,
        Ending::Question,
        Ending::Request,
        Ending::Future,
    ];
    let written = text.trim().replace(' ', "");
    let told = token.particle(Particle::Is)
        && token.particles.len() == 1
        && !GOES_ON.iter().any(|form| written.ends_with(form))
        && next.is_some_and(|next| next.spaced);
    endings.iter().any(|ending| token.ending(*ending))
        || told
        || token.particle(Particle::Polite)
        || matches!(token.kind, TokenKind::Mark('.' | '!' | ';' | '?' | ','))
        || token.is_mark('-') && token.spaced
        || next.is_some_and(|next| {
            next.has(Sense::Link(duru_language::Link::Because))
                && !next.senses.iter().any(|sense| matches!(sense, Sense::Time(_)))
        })
}
