//! A person at a terminal: lines that are edited, questions with a time limit.

mod agree;
mod history;
mod keys;
mod line;
#[cfg(unix)]
mod raw;
mod read;
mod view;

pub(crate) use agree::agree;
pub(crate) use history::History;
pub(crate) use read::{Prompt, Said, read, somebody_is_there};

/// How many columns the terminal has.
pub(crate) fn columns() -> usize {
    #[cfg(unix)]
    return raw::Raw::size().0;
    #[cfg(not(unix))]
    return 80;
}
