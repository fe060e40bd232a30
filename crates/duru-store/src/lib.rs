//! Places where Duru keeps threads: one contract
//! ([`duru::store::Checkpoints`]), versioned migrations.

mod postgres;
mod shared;
mod sqlite;

pub use postgres::{PostgresOptions, PostgresStore};
pub use sqlite::{SqliteFile, SqliteOptions, SqliteStore, Synchronous};
