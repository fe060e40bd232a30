//! Makes the log lines that the questions are about: 50,000 lines of a shop in forty days, always the same ones.
//!
//! Included by whoever asks those questions (`cargo xtask eval`, tests), so it uses the standard library only. What a person could ask
//! about is planted in [`story`]: an outage, a bad rollout, a break-in, something slow, something silent and two customers' ways.

mod customers;
mod line;
mod random;
mod services;
mod story;

use std::collections::HashSet;
use std::io::{self, Write};

use line::{Line, Moment};
use random::Random;

/// When the questions are asked, as `duru eval logs` is told.
pub(crate) const NOW: &str = "2026-03-18T14:30:00+09:00";
pub(crate) const TIMEZONE: &str = "Asia/Seoul";
/// So many lines belong to the labels of the sets.
pub(crate) const ROWS: usize = 50_000;
const SEED: u32 = 7;

/// Writes lines as CSV, with their names in front: the same ones for the same number.
///
/// # Errors
/// If they can't be written.
pub(crate) fn write_csv(rows: usize, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{}\r\n", line::COLUMNS.join(","))?;
    let mut lines = story::lines(rows, &mut Random::seeded(SEED));
    lines.sort_by(|a, b| (a.at, a.service, &a.message).cmp(&(b.at, b.service, &b.message)));
    let mut taken = HashSet::new();
    for (number, line) in (1_i64..).zip(&lines) {
        write!(out, "{}\r\n", line.csv(number, free(line, number, &mut taken)))?;
    }
    Ok(())
}

/// The line's millisecond, or the next that no other line has: so the latest ones of something are never in doubt.
fn free(line: &Line, number: i64, taken: &mut HashSet<Moment>) -> Moment {
    let mut at = line.at.to_the_millisecond();
    while taken.contains(&at) {
        at = at.later(1_000);
    }
    if at > Moment::NOW {
        at = Moment::NOW.later(-(number % 997) * 1_000);
    }
    taken.insert(at);
    at
}
