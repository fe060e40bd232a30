//! How often a fault is provoked: a few times in a test, as often as was promised in `cargo xtask soak faults`.

use std::fmt::Display;

/// So many in a test; so many where `DURU_SOAK=1` asks for all.
pub(crate) fn times(few: usize, all: usize) -> usize {
    if std::env::var_os("DURU_SOAK").is_some_and(|set| set == "1") { all } else { few }
}

/// A line of what was done for a row of docs/faults.md, which `cargo xtask soak faults` gathers.
pub(crate) fn tell(row: &str, what: impl Display) {
    println!("fault {row}: {what}");
}
