//! The words that every question may have, whatever it is about.

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
