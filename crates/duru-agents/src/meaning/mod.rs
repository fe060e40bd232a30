//! Whether a text means what was worked out: what may and may not be, comparisons, units, and bounds that it breaks
//! itself. Figures and words alone do not tell: "10% is allowed, but it must not exceed 5%" has none that is new.

mod figures;
mod polarity;

use std::collections::HashSet;

use figures::{Bound, Figure, FigureUnit, figures};
use polarity::{Polarity, polarity};

/// What is wrong with a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nonsense {
    /// It allows what was found not to be allowed, or the other way round.
    Polarity,
    /// A figure has another unit than it was found with.
    Unit,
    /// It allows more than a limit that stands beside it, or calls the most the least.
    Limit,
    /// It calls the smaller one the larger.
    Comparison,
}

/// What is wrong with `sentence`, given the sentences of what is known.
pub(crate) fn nonsense(sentence: &str, known: &[&str]) -> Option<Nonsense> {
    if compares_wrongly(sentence) {
        return Some(Nonsense::Comparison);
    }
    let known: Vec<Sentence> = known.iter().map(|known| Sentence::of(known)).collect();
    let said = Sentence::of(sentence);
    if said.figures.iter().any(|figure| has_other_unit(figure, &known)) {
        return Some(Nonsense::Unit);
    }
    if breaks_a_limit(&said, &known) || turns_a_bound(&said, &known) {
        return Some(Nonsense::Limit);
    }
    contradicts(&said, &known).then_some(Nonsense::Polarity)
}

/// A text in which every sentence that is nonsense is replaced by the one of what is known
/// that speaks of the same, or left out.
pub(crate) fn mended(said: &str, known: &str) -> String {
    let facts: Vec<&str> = known.lines().flat_map(sentences).collect();
    let mut given: HashSet<&str> = HashSet::new();
    let mut lines = Vec::new();
    for line in said.lines() {
        let body = body(line);
        let mark = &line[..line.len() - body.len()];
        let mut kept = Vec::new();
        for sentence in sentences(body) {
            if nonsense(sentence, &facts).is_none() {
                kept.push(sentence);
                continue;
            }
            kept.extend(nearest(sentence, &facts).filter(|fact| !said.contains(fact) && given.insert(fact)));
        }
        if !kept.is_empty() || body.is_empty() {
            lines.push(format!("{mark}{}", kept.join(" ")));
        }
    }
    lines.join("\n").trim().to_owned()
}

/// The sentences of a text, line by line, without what marks lists and headings.
pub(crate) fn sentences_of(text: &str) -> Vec<&str> {
    text.lines().map(body).flat_map(sentences).collect()
}

/// A line without what marks it as one of a list or a heading.
fn body(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*' | '•' | '#'))
}

/// The sentences of a line, each with its mark.
pub(crate) fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let ends = matches!(letter, '.' | '!' | '?' | '。')
            && letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        // "1." numbers a line, and ends none.
        let numbers = line[start..at].trim().chars().all(|c| c.is_ascii_digit());
        if ends && !numbers {
            found.push(line[start..at + letter.len_utf8()].trim());
            start = at + letter.len_utf8();
        }
    }
    found.push(line[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

struct Sentence {
    text: String,
    figures: Vec<Figure>,
    topics: HashSet<String>,
}

impl Sentence {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        Self { figures: figures(&text), topics: topics(&text), text }
    }

    /// How much of the smaller one's topics both have.
    fn likeness(&self, other: &Self) -> f32 {
        let smaller = self.topics.len().min(other.topics.len());
        if smaller == 0 {
            return 0.0;
        }
        self.topics.intersection(&other.topics).count() as f32 / smaller as f32
    }

    fn shares_a_topic(&self, other: &Self) -> bool {
        !self.topics.is_disjoint(&other.topics)
    }
}

/// Words that say what a sentence is about: Korean ones by their first two syllables, which endings leave alone.
fn topics(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.chars().any(|c| c.is_ascii_digit()) && word.chars().count() > 1);
    words.map(topic).filter(|word| !polarity::IDLE.contains(&word.as_str())).collect()
}

/// Words that mean the same in contracts have one name.
const SAME: [(&str, &str); 8] = [
    ("인상", "increase"),
    ("올리", "increase"),
    ("올릴", "increase"),
    ("올려", "increase"),
    ("증액", "increase"),
    ("raise", "increase"),
    ("rise", "increase"),
    ("raising", "increase"),
];

fn topic(word: &str) -> String {
    let short: String = if word.chars().any(|c| ('가'..='힣').contains(&c)) {
        word.chars().take(2).collect()
    } else {
        word.trim_end_matches('s').to_owned()
    };
    SAME.iter().find(|(one, _)| *one == short).map_or(short, |(_, name)| (*name).to_owned())
}

/// The sentence of what is known that speaks most of the same.
pub(crate) fn nearest<'a>(sentence: &str, facts: &[&'a str]) -> Option<&'a str> {
    let said = Sentence::of(sentence);
    let likeness = facts.iter().map(|fact| (said.likeness(&Sentence::of(fact)), *fact));
    let best = likeness.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= 0.3).then_some(best.1)
}

/// Whether what is known has the figure, but of something else.
fn has_other_unit(figure: &Figure, known: &[Sentence]) -> bool {
    if figure.unit == FigureUnit::Plain {
        return false;
    }
    let all = || known.iter().flat_map(|sentence| &sentence.figures).filter(|other| other.equals(figure));
    let fits = |other: &Figure| other.unit == figure.unit || other.unit == FigureUnit::Plain;
    all().next().is_some() && !all().any(fits)
}

/// Whether a clause allows more than the most that its sentence, or what is known of the same, has.
fn breaks_a_limit(said: &Sentence, known: &[Sentence]) -> bool {
    let limits = |sentence: &Sentence| -> Vec<Figure> {
        sentence.figures.iter().filter(|figure| figure.bound == Some(Bound::AtMost)).copied().collect()
    };
    let own = limits(said);
    clauses(&said.text).into_iter().any(|clause| {
        let clause = Sentence::of(clause);
        if polarity(&clause.text) != Some(Polarity::Allows) {
            return false;
        }
        let others = known.iter().filter(|sentence| clause.shares_a_topic(sentence)).flat_map(limits);
        let limits: Vec<Figure> = own.iter().copied().chain(others).collect();
        let over =
            |figure: &Figure, limit: &Figure| figure.unit == limit.unit && figure.value > limit.value * 1.001;
        clause.figures.iter().filter(|figure| figure.unit == FigureUnit::Percent).any(|figure| {
            let same: Vec<&Figure> = limits.iter().filter(|limit| limit.unit == figure.unit).collect();
            // Several limits of the same are for several cases; only what is over all of them is over.
            !same.is_empty() && same.iter().all(|limit| over(figure, limit))
        })
    })
}

/// Whether it calls the least what was found to be the most, or the other way round.
fn turns_a_bound(said: &Sentence, known: &[Sentence]) -> bool {
    said.figures.iter().any(|figure| {
        let Some(bound) = figure.bound else { return false };
        let alike = known.iter().filter(|sentence| sentence.shares_a_topic(said));
        let found: Vec<Bound> = alike
            .flat_map(|sentence| &sentence.figures)
            .filter(|other| other.unit == figure.unit && other.equals(figure))
            .filter_map(|other| other.bound)
            .collect();
        !found.is_empty() && !found.contains(&bound)
    })
}

/// So much of the same must two sentences speak of to contradict each other.
const ALIKE: f32 = 0.6;

fn contradicts(said: &Sentence, known: &[Sentence]) -> bool {
    let Some(ours) = polarity(&said.text) else { return false };
    // Whoever denies what is over the limit says what the limit says.
    if ours == Polarity::Denies && exceeds(said, known) {
        return false;
    }
    let mut opposite = 0.0_f32;
    let mut same = 0.0_f32;
    for sentence in known {
        match polarity(&sentence.text) {
            Some(theirs) if theirs == ours => same = same.max(said.likeness(sentence)),
            Some(_) => opposite = opposite.max(said.likeness(sentence)),
            None => {}
        }
    }
    opposite >= ALIKE && opposite > same
}

/// Whether it speaks of a share that is over every limit that is known of the same.
fn exceeds(said: &Sentence, known: &[Sentence]) -> bool {
    let alike = known.iter().filter(|sentence| sentence.shares_a_topic(said));
    let limits: Vec<&Figure> = alike
        .flat_map(|sentence| &sentence.figures)
        .filter(|figure| figure.bound == Some(Bound::AtMost) && figure.unit == FigureUnit::Percent)
        .collect();
    let shares = said.figures.iter().filter(|figure| figure.unit == FigureUnit::Percent);
    !limits.is_empty()
        && shares.into_iter().any(|share| limits.iter().all(|limit| share.value > limit.value * 1.001))
}

const PARTS: [&str; 8] = [", but ", " but ", " however", "지만 ", "지만, ", "다만 ", "으나 ", "; "];

/// The parts of a sentence that stand against each other.
fn clauses(text: &str) -> Vec<&str> {
    let mut parts = vec![text];
    for sign in PARTS {
        parts = parts.into_iter().flat_map(|part| part.split(sign)).collect();
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

const HIGHER: [&str; 12] = [
    "높",
    "많",
    "크",
    "큽",
    "비싸",
    "비쌉",
    "길",
    "higher than",
    "more than",
    "larger than",
    "greater than",
    "longer than",
];
const LOWER: [&str; 11] = [
    "낮",
    "적",
    "작",
    "쌉",
    "저렴",
    "짧",
    "lower than",
    "less than",
    "smaller than",
    "fewer than",
    "shorter than",
];

/// Whether two figures of the same kind are compared the wrong way round: "72%는 70%보다 낮습니다".
fn compares_wrongly(sentence: &str) -> bool {
    let text = sentence.to_lowercase();
    clauses(&text).into_iter().any(|clause| {
        let all = figures(clause);
        let [one, other] = all.as_slice() else { return false };
        if one.unit != other.unit || one.equals(other) {
            return false;
        }
        // The one before 보다 is what the other is compared with; in English, the one behind "than".
        let (subject, reference, rest) = if clause[one.end..].trim_start().starts_with("보다") {
            (other, one, &clause[other.end..])
        } else if clause[other.end..].trim_start().starts_with("보다") {
            (one, other, &clause[other.end..])
        } else if let Some(between) = clause.get(one.end..other.start).filter(|text| text.contains("than")) {
            (one, other, between)
        } else {
            return false;
        };
        let says = |words: &[&str]| words.iter().any(|word| rest.contains(word));
        let denied = rest.contains("않") || rest.contains(" not ");
        match (says(&HIGHER), says(&LOWER), denied) {
            (true, false, false) => subject.value < reference.value,
            (false, true, false) => subject.value > reference.value,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests;
