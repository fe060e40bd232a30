//! Tools for tests of the engine and of its stores.

pub mod cases;
pub mod contract;
pub mod crash;
mod lease_cases;
pub mod ledger;
pub mod memory_contract;
pub mod memory_model;
pub mod sweep;
