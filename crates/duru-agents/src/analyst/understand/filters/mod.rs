//! Which lines: names, ids, codes and values, as the data and the lexicon know them.

mod ids;
mod levels;
mod negation;
mod services;
mod texts;
mod values;

pub(super) use ids::ids;
pub(super) use levels::{levels, ranks};
pub(super) use negation::spread;
pub(super) use services::{places, services};
pub(super) use texts::texts;
pub(super) use values::{flags, values};
