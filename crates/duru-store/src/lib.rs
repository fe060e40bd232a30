//! Places where Duru keeps threads: one contract
//! ([`duru::store::Checkpoints`]), versioned migrations.

mod postgres;
mod sharded;
mod shared;
mod sqlite;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use postgres::{PostgresOptions, PostgresStore};
pub use sharded::{Backend, ShardedStore};
pub use sqlite::{SqliteFile, SqliteOptions, SqliteStore, Synchronous};
