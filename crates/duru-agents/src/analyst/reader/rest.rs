//! What nobody took: columns whose part the whole tells, words that only repeat or tell, and what is unread.

use duru_language::{Ask, Ending, Link, Op, Particle, Sense, Unit};

use super::draft::{Placed, RankBy};
use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::{Column, Filter, Test};

impl Reading<'_> {
    /// What is left: columns whose part the whole tells, and what nobody understood.
    pub(super) fn rest(&mut self) {
        self.leftover_lengths();
        let done: Vec<String> = (0..self.items.len())
            .filter(|at| self.people_do(*at))
            .map(|at| self.items[at].text.clone())
            .collect();
        self.draft.unread.extend(done);
        for at in 0..self.items.len() {
            let item = self.items[at].clone();
            if item.used || self.is_background(at) || self.name_of(at) {
                continue;
            }
            let unit = item.senses.iter().find_map(|sense| match sense {
                Sense::Unit(unit)
                    if unit.seconds() >= Some(3_600.0) && matches!(item.kind, ItemKind::Word) =>
                {
                    Some(*unit)
                }
                _ => None,
            });
            if let Some(unit) = unit {
                let length = duru_language::time::Length::new(1, unit);
                self.draft.group(
                    at,
                    crate::analyst::frame::Dimension::Every(length),
                    super::draft::How::Asked,
                );
                self.use_item(at);
            } else if self.is_table(at) {
                self.draft.row_noun = true;
                self.use_item(at);
            } else if let Some(column) = self.column_at(at) {
                // Any level, whatever the level.
                if self.is_any_of(at, &column) {
                    self.skip_item(at);
                    continue;
                }
                // 고객 id.
                if column.short() == "id"
                    && at > 0
                    && self.column_at(at - 1).is_some()
                    && self.items[at - 1].particles.is_empty()
                {
                    self.skip_item(at);
                    continue;
                }
                // 앱 4.9.8, 서비스 payment-api: it only says what is called so.
                let named = self.items.get(at + 1).is_some_and(|next| matches!(next.kind, ItemKind::Name(_)));
                if item.particles.is_empty() && named && self.draft.found.iter().any(|it| it.at == at + 1) {
                    self.skip_item(at);
                    continue;
                }
                // 운영 서버 에러: between two values it only says what kind of thing has them.
                let value =
                    |place: usize| self.draft.value_places.iter().any(|(_, _, known)| *known == place);
                if item.particles.is_empty() && at > 0 && value(at - 1) && value(at + 1) {
                    self.skip_item(at);
                    continue;
                }
                // What holds keys is named together with one of them.
                if self.described(&column).is_some_and(|column| column.kind == duru_sql::Kind::Json) || self.draft.measures.iter().any(|placed| matches!(&placed.it, crate::analyst::frame::Measure::Rate(filters) if filters.iter().any(|filter| filter.column == column))) {
                    self.skip_item(at);
                    continue;
                }
                self.draft.columns.push(Placed { it: column, at });
                self.use_item(at);
            }
        }
        self.left_out_later();
        self.said_again();
        self.deeds();
        self.only_told();
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.used || item.is_empty() || is_quiet(item) {
                continue;
            }
            let text = item.text.trim().to_owned();
            let changes = matches!(
                item.kind,
                ItemKind::Number(..) | ItemKind::Time(_) | ItemKind::Name(_) | ItemKind::Text(_)
            );
            if self.is_background(at) && !changes || self.is_verb_of_a_noun(at) {
                self.draft.unused.push(text);
            } else {
                self.draft.unread.push(text);
            }
        }
        if self.draft.rank.as_ref().is_some_and(|rank| rank.by == RankBy::Growth) {
            self.draft.compared = true;
        }
    }

    /// Whether it is said of a column of few values that all of them are meant.
    fn is_any_of(&self, at: usize, column: &Column) -> bool {
        let few = self.described(column).is_some_and(|known| !known.values.is_empty());
        let any = |back: usize| {
            let word = at.checked_sub(back).map(|place| self.items[place].text.trim().to_lowercase());
            word.is_some_and(|word| matches!(word.as_str(), "any" | "whatever" | "whichever"))
        };
        few && (any(1) || any(2) && self.link_at(at - 1, Link::Article))
    }

    /// 느리다는 얘기가 있던데.
    fn only_told(&mut self) {
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if !item.used
                && item.ending(Ending::Background)
                && item.any_op(&[Op::Present, Op::Exists]).is_some()
            {
                self.skip_item(at);
            }
        }
    }

    /// 크롬 쓰는 분들은 제외하고: what is left out was named a few words before.
    fn left_out_later(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || !self.items[at].korean || !self.items[at].op(Op::Exclude) {
                continue;
            }
            let named =
                self.draft.value_places.iter().rev().find(|(.., place)| *place < at && at - *place <= 7);
            let Some((column, _, last)) = named.cloned() else { continue };
            // A list of them stands together.
            let of = |(other, _, place): &&(Column, String, usize)| {
                *other == column && *place <= last && last - *place <= 2
            };
            let left_out: Vec<String> =
                self.draft.value_places.iter().filter(of).map(|(_, value, _)| value.clone()).collect();
            for placed in self.draft.filters.iter_mut().filter(|placed| placed.it.column == column) {
                if let Test::OneOf(values) = &mut placed.it.test {
                    values.retain(|one| !left_out.contains(one));
                }
            }
            self.draft
                .filters
                .retain(|placed| !matches!(&placed.it.test, Test::OneOf(all) if all.is_empty()));
            self.draft.value_places.retain(|known| !of(&known));
            self.draft.filter(last, Filter::new(column, Test::NoneOf(left_out)));
            self.use_item(at);
            // 나머지: all but those.
            if self.items.get(at + 1).is_some_and(|next| next.op(Op::Other)) {
                self.use_item(at + 1);
            }
        }
    }

    /// Published in, received by: how things belong together is told by their keys.
    fn deeds(&mut self) {
        for at in 1..self.items.len() {
            let item = &self.items[at];
            let verb = item.kind == ItemKind::Unknown && !item.korean && item.text.ends_with("ed");
            let links = [Link::In, Link::By, Link::At, Link::To, Link::On, Link::From, Link::For, Link::With];
            let linked = links.iter().any(|link| self.link_at(at + 1, *link)) || self.items.len() == at + 1;
            if verb && linked && !item.used && self.is_of_things() {
                self.items[at].senses.push(Sense::Op(Op::Happens));
                self.use_item(at);
            }
        }
    }

    /// 두 주, two places, 둘: how many there are of what is named already; "one" that stands for a noun.
    fn said_again(&mut self) {
        let mut counts: Vec<usize> = vec![
            self.draft.periods.len() + usize::from(self.draft.against.is_some()),
            self.draft.measures.len() + usize::from(self.draft.counted),
        ];
        counts.extend(self.draft.filters.iter().filter_map(|placed| match &placed.it.test {
            Test::OneOf(values) => Some(values.len()),
            _ => None,
        }));
        for at in 0..self.items.len() {
            let amount = match &self.items[at].kind {
                ItemKind::Number(value, None | Some(Unit::Item | Unit::Place | Unit::Times)) => *value,
                ItemKind::Time(duru_language::time::Timed::Length(length)) => f64::from(length.amount),
                _ => continue,
            };
            let both_ends = self.draft.both_ends && self.draft.limit.map(f64::from) == Some(amount);
            let known =
                both_ends || counts.iter().any(|count| *count > 1 && (*count as f64 - amount).abs() < 0.5);
            let pronoun = matches!(self.items[at].text.trim().to_lowercase().as_str(), "one" | "ones");
            if !self.items[at].used && (known || pronoun) {
                self.skip_item(at);
            }
        }
    }

    /// A short unknown verb before a noun (때린 계정, 먹은 에러) tells only that it happened.
    fn is_verb_of_a_noun(&self, at: usize) -> bool {
        let item = &self.items[at];
        let text = item.text.trim();
        let adnominal = text
            .chars()
            .last()
            .and_then(duru_language::hangul::Syllable::of)
            .is_some_and(|last| last.tail == 4);
        item.kind == ItemKind::Unknown
            && item.korean
            && item.particles.is_empty()
            && adnominal
            && (2..=3).contains(&text.chars().count())
            && self.items.get(at + 1).is_some_and(|next| next.used || next.is_empty())
            && at > 0
            && self.items[at - 1].particles.iter().any(|particle| {
                matches!(particle, Particle::Subject | Particle::Object | Particle::At | Particle::By)
            })
    }
}

/// Words whose absence changes nothing, wherever they stand.
pub(super) fn says_nothing(sense: Sense) -> bool {
    match sense {
        Sense::Filler | Sense::Link(_) => true,
        Sense::Ask(ask) => matches!(ask, Ask::What | Ask::How | Ask::Whether),
        Sense::Op(op) => matches!(
            op,
            Op::Show
                | Op::Happens
                | Op::Only
                | Op::Again
                | Op::Instead
                | Op::Objection
                | Op::Value
                | Op::Contains
                | Op::Word
                | Op::Equal
                | Op::Each
                | Op::Rank
        ),
        Sense::Time(word) => matches!(
            word,
            duru_language::TimeWord::This | duru_language::TimeWord::During | duru_language::TimeWord::Now
        ),
        _ => false,
    }
}

fn is_quiet(item: &super::items::Item) -> bool {
    item.particle(Particle::Polite) && item.text.chars().count() < 3
}
