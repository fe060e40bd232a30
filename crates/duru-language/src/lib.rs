//! Korean and English, as far as questions need them: words with their meanings, numbers, money, time.
//!
//! One reader for each thing, in one place. A reader returns spans: what was said, and where it stands. Words are data
//! (`lexicon/*.tsv`); the code holds the grammar only.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod english;
pub mod figure;
pub mod hangul;
mod lang;
mod lexicon;
pub mod money;
mod numeral;
pub mod particle;
pub mod quantity;
mod scan;
mod segment;
mod sense;
pub mod spelling;
mod text;
pub mod time;
pub mod verb;
pub mod words;

pub use lang::Lang;
pub use lexicon::{Class, Lexicon, Row, rows};
pub use segment::{Token, TokenKind, segment};
pub use sense::{Ask, Ending, Link, Off, Op, Particle, Sense, TimeWord, Unit};
