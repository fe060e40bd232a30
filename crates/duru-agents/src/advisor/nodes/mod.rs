//! The steps from a question to an answer, one file each.

mod aggregate;
mod confirm;
mod generate_response;
mod initialize;
mod orchestrate;
mod planning;
mod shadow;
mod understand;

pub(super) use aggregate::aggregate;
pub(super) use confirm::confirm;
pub(super) use generate_response::generate_response;
pub(super) use initialize::initialize;
pub(super) use orchestrate::orchestrate;
pub(super) use planning::planning;
pub(super) use shadow::{sampled, shadow};
