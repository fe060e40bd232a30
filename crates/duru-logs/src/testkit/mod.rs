//! For tests: the engine over rows of any table, and places where a process ends.

pub mod crash;
mod plain;

pub use plain::PlainTable;
