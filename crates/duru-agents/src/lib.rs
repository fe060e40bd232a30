//! The agents: ordinary graphs on the engine, one folder each.

pub mod advisor;
pub mod analyst;
pub mod decided;
pub mod decisions;
mod links;
mod meaning;
pub mod researcher;
mod spoken;
