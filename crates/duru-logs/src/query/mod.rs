//! Carrying a query out: within its time, its memory and its caps.

mod encode;
mod engine;
mod failure;

pub(crate) use engine::{Engine, Question, Root};
