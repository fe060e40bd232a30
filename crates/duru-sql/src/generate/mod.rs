//! Sample logs of a shop that does not exist: services that call each other,
//! people on their way through it, rollouts, incidents and slow hours.

mod clock;
mod incidents;
mod journeys;
mod lines;
mod shop;

pub use lines::{Generator, Plan};
