//! Tools for tests of the engine and of its stores.
pub mod contract;
