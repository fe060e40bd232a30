//! The words that every question may have, whatever it is about.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::lexicon::{Class, Lexicon};

/// The lexicon files, and what kind of word each has.
pub const FILES: &[(&str, &str, Option<Class>)] = &[
    ("particles", include_str!("../lexicon/particles.tsv"), Some(Class::Particle)),
    ("endings", include_str!("../lexicon/endings.tsv"), Some(Class::Ending)),
    ("late_endings", include_str!("../lexicon/late_endings.tsv"), Some(Class::LateEnding)),
    ("counters", include_str!("../lexicon/counters.tsv"), Some(Class::Counter)),
    ("suffixes", include_str!("../lexicon/suffixes.tsv"), Some(Class::Suffix)),
    ("units", include_str!("../lexicon/units.tsv"), None),
    ("numbers", include_str!("../lexicon/numbers.tsv"), None),
    ("time", include_str!("../lexicon/time.tsv"), None),
    ("links", include_str!("../lexicon/links.tsv"), None),
    ("questions", include_str!("../lexicon/questions.tsv"), None),
    ("refusals", include_str!("../lexicon/refusals.tsv"), None),
    ("words", include_str!("../lexicon/words.tsv"), None),
    ("fillers", include_str!("../lexicon/fillers.tsv"), None),
];

/// All of them.
pub fn general() -> &'static Lexicon {
    static ALL: LazyLock<Lexicon> = LazyLock::new(|| {
        let mut all = Lexicon::default();
        for (_, rows, class) in FILES {
            all.add_rows(rows, *class);
        }
        all
    });
    &ALL
}

/// All of them but those that say what a log does not have: other tables may.
pub fn of_things() -> &'static Lexicon {
    static ALL: LazyLock<Lexicon> = LazyLock::new(|| {
        let mut all = Lexicon::default();
        for (name, rows, class) in FILES {
            let elsewhere = |line: &&str| {
                ["off:world", "off:data", "off:advice"]
                    .iter()
                    .any(|sense| line.split('\t').nth(1) == Some(*sense))
            };
            if *name == "refusals" {
                let kept: Vec<&str> = rows.lines().filter(|line| !elsewhere(line)).collect();
                all.add_rows(&kept.join("\n"), *class);
            } else {
                all.add_rows(rows, *class);
            }
        }
        all
    });
    &ALL
}

/// English words of names and values, and what Koreans call them.
pub fn glossary() -> &'static Glossary {
    static ALL: LazyLock<Glossary> = LazyLock::new(|| {
        let mut all = Glossary::default();
        for row in crate::lexicon::rows(include_str!("../lexicon/glossary.tsv")) {
            if row.domain == "generic" {
                all.generic.insert(row.surface);
            } else {
                all.korean.entry(row.sense).or_default().push(row.surface);
            }
        }
        all
    });
    &ALL
}

#[derive(Debug, Default)]
pub struct Glossary {
    korean: HashMap<&'static str, Vec<&'static str>>,
    generic: HashSet<&'static str>,
}

impl Glossary {
    /// Korean words for an English one; a plural is as good.
    pub fn korean(&self, english: &str) -> &[&'static str] {
        let lemmas = crate::english::lemmas(english);
        lemmas.iter().find_map(|lemma| self.korean.get(lemma.as_str())).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a word tells little within a name: the api of payment-api.
    pub fn is_generic(&self, word: &str) -> bool {
        self.generic.contains(word) || word.len() < 2
    }
}

/// Words whose number is a name, or a price: error code 404, 1002호, 월세 50만.
pub fn labels() -> &'static Labels {
    static ALL: LazyLock<Labels> = LazyLock::new(|| {
        let mut all = Labels::default();
        for row in crate::lexicon::rows(LABELS) {
            let words = match row.sense {
                "label:after" => &mut all.after,
                "label:price" => &mut all.price,
                _ => &mut all.before,
            };
            words.insert(row.surface);
        }
        all
    });
    &ALL
}

/// The rows of [`labels`].
pub const LABELS: &str = include_str!("../lexicon/labels.tsv");

#[derive(Debug, Default)]
pub struct Labels {
    before: HashSet<&'static str>,
    after: HashSet<&'static str>,
    price: HashSet<&'static str>,
}

impl Labels {
    /// Whether a number after this word is its name; a Korean one may be the end of another: 주문번호.
    pub fn before(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.before.contains(word.as_str())
            || self.before.iter().any(|label| !label.is_ascii() && word.ends_with(label))
    }

    /// Whether a number after this word is an amount of money; particles may follow it.
    pub fn price(&self, word: &str) -> bool {
        self.price.iter().any(|label| word.contains(label))
    }

    /// Whether a number right before this word is its name.
    pub fn after(&self, word: &str) -> bool {
        self.after.contains(word)
    }
}

/// Adjectives that speak of a column with these nouns, and whether they ask for more of it: hot, of a temperature.
pub fn attributes(nouns: &[String]) -> Vec<(&'static str, bool)> {
    placed_attributes(nouns).map(|(_, surface, more)| (surface, more)).collect()
}

/// What is counted by a column with these nouns: people, of a population.
pub fn counted(nouns: &[String]) -> Vec<&'static str> {
    rows_of(nouns).filter(|(_, row)| row.domain == "counted").map(|(_, row)| row.surface).collect()
}

/// How soon a column with these nouns is meant by an adjective; the largest state has the largest area, not the most
/// people.
pub fn attribute_place(adjective: &str, nouns: &[String]) -> Option<usize> {
    placed_attributes(nouns).find(|(_, surface, _)| *surface == adjective).map(|(place, ..)| place)
}

fn placed_attributes(nouns: &[String]) -> impl Iterator<Item = (usize, &'static str, bool)> {
    rows_of(nouns)
        .filter(|(_, row)| row.domain != "counted")
        .map(|(place, row)| (place, row.surface, row.domain == "more"))
}

fn rows_of(nouns: &[String]) -> impl Iterator<Item = (usize, crate::lexicon::Row<'static>)> {
    let rows = crate::lexicon::rows(include_str!("../lexicon/attributes.tsv"));
    let named = move |noun: &str| {
        nouns.iter().any(|known| {
            known.split(' ').any(|word| crate::english::lemmas(word).iter().any(|lemma| lemma == noun))
        })
    };
    rows.enumerate().filter(move |(_, row)| named(row.sense))
}
