//! Connections: their sessions, and what it means that there is none.

use duru_postgres::{Address, Lease, Pool, PoolError, PoolOptions, said};

use crate::index::Error;

/// A pool of sessions in a schema, whose name is quoted.
pub(super) fn pool(url: &str, schema: &str) -> Result<Pool, Error> {
    let address = Address::parse(url).map_err(|bad| lost(bad.to_string()))?;
    let session = format!(
        "SET standard_conforming_strings = on; SET client_min_messages = warning; SET search_path = {schema}, public"
    );
    Pool::new(address, PoolOptions { session, ..PoolOptions::default() }).map_err(unreachable)
}

pub(super) async fn lease(pool: &Pool) -> Result<Lease, Error> {
    pool.lease().await.map_err(unreachable)
}

fn lost(reason: impl Into<String>) -> Error {
    Error::Unreachable { reason: reason.into() }
}

/// Without a code the way to the server is broken; with one, the server says what is wrong.
pub(super) fn of(error: tokio_postgres::Error) -> Error {
    if error.code().is_some() {
        return Error::Engine(error.into());
    }
    lost(said(&error))
}

fn unreachable(error: PoolError) -> Error {
    match error {
        PoolError::Server(error) => of(error),
        other => lost(other.to_string()),
    }
}
