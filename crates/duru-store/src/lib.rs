//! Places where Duru keeps threads: one contract
//! ([`duru::store::Checkpoints`]), versioned migrations.

mod sqlite;

pub use sqlite::{SqliteOptions, SqliteStore, Synchronous};
