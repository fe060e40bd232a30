//! What a sentence says about time: periods, hours of the day, lengths, buckets.

mod calendar;
mod clock;
mod period;
mod reader;

pub use period::{Length, Period};
pub use reader::{TimeSpan, Timed, read};
