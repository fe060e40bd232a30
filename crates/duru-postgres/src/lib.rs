//! The way to a PostgreSQL server, for everybody here who keeps something on one: an address that was checked, a
//! connection that is encrypted where that was asked for, a pool of them, words for when there is none, and versions of
//! schemas.

mod address;
mod pool;
mod said;
mod schema;
mod tls;
mod trust;

pub use address::{Address, BadAddress};
pub use pool::{Lease, Pool, PoolError, PoolOptions};
pub use said::{is_final, said};
pub use schema::{Migration, SchemaVersion, migrations_table, note_migration};
