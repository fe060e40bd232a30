//! For tests of upgrades: a program of the next version.

use duru::store::Error;
use duru_postgres::Migration;

use crate::{PostgresOptions, PostgresStore};

/// The version after the newest one.
const NEXT: Migration = Migration {
    // What it adds, programs of today do not look at.
    oldest: PostgresStore::SCHEMA,
    sql: include_str!("../migrations/testkit/next.sql"),
};

/// Opens a database as a program does that knows one migration more.
///
/// # Errors
/// As [`PostgresStore::connect_with`].
pub async fn connect_as_next(url: &str, options: PostgresOptions) -> Result<PostgresStore, Error> {
    PostgresStore::connect_knowing(url, options, &[NEXT]).await
}
