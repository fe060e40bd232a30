//! Log lines, and any other tables, in a PostgreSQL database.

mod about;
mod append;
mod catalog;
mod connection;
mod failure;
mod foreign;
pub mod harden;
mod hints;
mod knowledge;
mod migrate;
mod names;
mod options;
mod query;
mod store;
mod tables;

pub use about::{About, about};
pub use catalog::catalog;
pub use foreign::{Foreign, Meaning};
pub use options::{Options, Reader};
pub use store::PostgresLogs;
pub use tables::{PostgresTables, TableOptions};
