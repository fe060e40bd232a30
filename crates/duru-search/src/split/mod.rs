//! Documents as passages, along their own structure.

mod cut;
mod outline;
mod statute;

pub use outline::{Origin, split};
