//! Tools for tests of the engine and of its stores.

pub mod cases;
mod catalog_cases;
pub mod contract;
pub mod crash;
mod incarnation_cases;
mod lease_cases;
pub mod ledger;
pub mod memory_contract;
pub mod memory_model;
pub mod readers_contract;
pub mod runs_contract;
pub mod sweep;
mod worker_cases;
