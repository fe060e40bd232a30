//! The answer without a model: what was found and worked out, with its sources, what was used again, what failed,
//! what is missing, and what to do next.

mod asked_order;
mod compose;
mod conditions;
mod echo;
mod guard;
mod law;
mod names;
mod prices;
mod reasons;
mod reports;
mod summary;
mod tail;
mod talk;
mod used_again;
mod worked_out;

pub(super) use compose::{compose, text};
pub(super) use echo::{echo, told};
pub(super) use guard::sound;
pub(super) use names::{money, percent};
pub(super) use reports::{report_lines, risk};
pub(super) use talk::{clarify, redirect};
