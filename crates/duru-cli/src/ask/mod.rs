//! `duru ask` and `duru chat`: the analyst at a terminal.

mod answer;
mod cells;
mod chat;
mod clarify;
mod one;
mod picture;
mod words;

pub(crate) use chat::chat;
pub(crate) use one::{analyst_on, analyst_on_all, ask};
