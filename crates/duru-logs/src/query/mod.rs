//! Carrying a query out: within its time, its memory and its caps.

mod encode;
mod engine;
mod failure;
mod one_store;

pub(crate) use engine::{Engine, Question, Root, with_functions};
