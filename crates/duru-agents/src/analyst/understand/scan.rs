//! A question that is read piece by piece: what was understood is taken out,
//! so that in the end only what was not is left.

use regex::Regex;

pub(super) struct Scan {
    /// The question, in small letters.
    pub(super) whole: String,
    /// The same with blanks where something was understood.
    pub(super) rest: String,
}

/// What a pattern found, and where.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    groups: Vec<Option<String>>,
}

impl Found {
    /// The text of a group; empty if it had no part in the match.
    pub(super) fn get(&self, group: usize) -> &str {
        self.groups.get(group).and_then(Option::as_deref).unwrap_or_default()
    }

    pub(super) fn has(&self, group: usize) -> bool {
        !self.get(group).is_empty()
    }

    pub(super) fn number(&self, group: usize) -> Option<u32> {
        number(self.get(group))
    }
}

impl Scan {
    pub(super) fn new(question: &str) -> Self {
        let whole = question.to_ascii_lowercase();
        Self { rest: whole.clone(), whole }
    }

    /// Finds the pattern in what is left, without taking it.
    pub(super) fn find(&self, pattern: &Regex) -> Option<Found> {
        self.find_from(pattern, 0)
    }

    /// The same, not before this place.
    pub(super) fn find_from(&self, pattern: &Regex, from: usize) -> Option<Found> {
        let mut from = from;
        let (captures, all) = loop {
            let captures = pattern.captures_at(&self.rest, from)?;
            let all = captures.get(0)?;
            if !self.bridges(all.start(), all.end()) {
                let range = all.range();
                break (captures, range);
            }
            from = all.start() + self.rest[all.start()..].chars().next().map_or(1, char::len_utf8);
        };
        let groups = captures.iter().map(|group| group.map(|group| group.as_str().to_owned())).collect();
        Some(Found { start: all.start, end: all.end, groups })
    }

    /// Whether something that was taken out lies inside: what stands on both sides of it is no phrase.
    fn bridges(&self, start: usize, end: usize) -> bool {
        let (rest, whole) = (self.rest.as_bytes(), self.whole.as_bytes());
        let taken = |at: &usize| rest.get(*at) == Some(&b' ') && whole.get(*at) != Some(&b' ');
        let first = (start..end).find(|at| rest.get(*at) != Some(&b' '));
        let last = (start..end).rfind(|at| rest.get(*at) != Some(&b' '));
        match (first, last) {
            (Some(first), Some(last)) => (first..last).any(|at| taken(&at)),
            _ => false,
        }
    }

    /// What is left, with a mark instead of a blank where something was taken out: what stands on
    /// both sides of a mark does not touch.
    pub(super) fn marked(&self) -> String {
        let letters = self.rest.char_indices().map(|(at, letter)| {
            let taken = letter == ' ' && self.whole.as_bytes().get(at) != Some(&b' ');
            if taken { '\u{1}' } else { letter }
        });
        letters.collect()
    }

    /// Finds the pattern in what is left and takes it.
    pub(super) fn take(&mut self, pattern: &Regex) -> Option<Found> {
        let found = self.find(pattern)?;
        self.blank(found.start, found.end);
        Some(found)
    }

    /// Takes the pattern wherever it is; whether it was there.
    pub(super) fn drop_all(&mut self, pattern: &Regex) -> bool {
        let mut any = false;
        while self.take(pattern).is_some_and(|found| found.end > found.start) {
            any = true;
        }
        any
    }

    pub(super) fn has(&self, pattern: &Regex) -> bool {
        pattern.is_match(&self.rest)
    }

    /// Whether it was anywhere in the question.
    pub(super) fn said(&self, pattern: &Regex) -> bool {
        pattern.is_match(&self.whole)
    }

    pub(super) fn blank(&mut self, start: usize, end: usize) {
        let (Some(before), Some(after)) = (self.rest.get(..start), self.rest.get(end..)) else { return };
        self.rest = format!("{before}{}{after}", " ".repeat(end - start));
    }
}

/// A number in figures or as a word of either language.
pub(super) fn number(word: &str) -> Option<u32> {
    if let Ok(number) = word.replace(',', "").parse() {
        return Some(number);
    }
    const WORDS: &[(&str, u32)] = &[
        ("한", 1),
        ("하나", 1),
        ("두", 2),
        ("둘", 2),
        ("세", 3),
        ("셋", 3),
        ("네", 4),
        ("넷", 4),
        ("다섯", 5),
        ("여섯", 6),
        ("일곱", 7),
        ("여덟", 8),
        ("아홉", 9),
        ("열", 10),
        ("스무", 20),
        ("스물", 20),
        ("a", 1),
        ("an", 1),
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("twelve", 12),
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
    ];
    if word.contains("couple") {
        return Some(2);
    }
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number)
}

/// The numbers that [`number`] knows, as a pattern.
pub(super) const NUMBER: &str = r"\d[\d,]*|다섯|여섯|일곱|여덟|아홉|하나|한|두|둘|세|셋|네|넷|열|스무|\b(?:a\s+)?couple(?:\s+of)?\b|\ba\b|\ban\b|\bone\b|\btwo\b|\bthree\b|\bfour\b|\bfive\b|\bsix\b|\bseven\b|\beight\b|\bnine\b|\bten\b|\btwelve\b|\bfifteen\b|\btwenty\b|\bthirty\b";

/// A pattern of ours. Word boundaries are those of ASCII: a Korean particle
/// may follow an English word without a space.
#[allow(clippy::expect_used, reason = "the patterns are constants, and a test compiles all of them")]
pub(super) fn compile(pattern: &str) -> Regex {
    let pattern = pattern.replace("{N}", NUMBER).replace(r"\b", r"(?-u:\b)");
    Regex::new(&pattern).expect("a pattern of ours")
}

/// A pattern that is compiled once.
macro_rules! re {
    ($pattern:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::analyst::understand::scan::compile($pattern));
        &*PATTERN
    }};
}
pub(super) use re;
