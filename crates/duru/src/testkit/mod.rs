//! Tools for tests of the engine and of its stores.

pub mod cases;
pub mod contract;
pub mod crash;
pub mod ledger;
pub mod sweep;
