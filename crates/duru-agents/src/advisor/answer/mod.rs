//! The answer without a model: what was found and worked out, with its sources, what was used again, what failed,
//! what is missing, and what to do next.

mod compose;
mod figures;
mod guard;
mod law;
mod names;
mod reports;
mod tail;
mod talk;

pub(super) use compose::{compose, text};
pub(super) use guard::sound;
pub(super) use reports::report_lines;
pub(super) use talk::{clarify, redirect};
