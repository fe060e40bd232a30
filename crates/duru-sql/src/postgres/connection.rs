//! Connections: their sessions, and what it means that there is none.

use std::time::Duration;

use duru_postgres::{Address, Lease, Pool, PoolError, PoolOptions};

use super::failure;
use crate::store::Error;

/// What every session has: results are the same whatever the server's settings are.
const SESSION: &str = "SET standard_conforming_strings = on; SET client_min_messages = warning; \
     SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; \
     SET extra_float_digits = 1; SET bytea_output = 'hex'; SET client_encoding = 'UTF8'";

/// A session whose client is gone should not go on reading for nobody; not every system under a server can tell, and
/// then timeouts must do.
const NOTICE_GONE_CLIENTS: &str = "SET client_connection_check_interval = 1000";

/// Sessions that can't change anything.
pub(super) const READ_ONLY: &str = "; SET default_transaction_read_only = on";

/// Reads a URL.
pub(super) fn parse(url: &str) -> Result<Address, Error> {
    Address::parse(url).map_err(|bad| Error::Unavailable { reason: bad.to_string() })
}

/// What all pools have in common. `search_path` is a list of quoted names.
pub(super) fn options(search_path: &str) -> PoolOptions {
    PoolOptions {
        session: format!("{SESSION}; SET search_path = {search_path}"),
        session_if_possible: NOTICE_GONE_CLIENTS,
        ..PoolOptions::default()
    }
}

/// A connection of its own, which is closed after use.
pub(super) async fn single(address: Address, connect_timeout: Duration) -> Result<Lease, Error> {
    let options = PoolOptions { max_connections: 1, connect_timeout, ..options("pg_catalog") };
    lease(&pool(address, options)?).await
}

pub(super) fn pool(address: Address, options: PoolOptions) -> Result<Pool, Error> {
    Pool::new(address, options).map_err(unavailable)
}

pub(super) async fn lease(pool: &Pool) -> Result<Lease, Error> {
    pool.lease().await.map_err(unavailable)
}

fn unavailable(error: PoolError) -> Error {
    match error {
        PoolError::Server(error) => failure::of(&error),
        other => Error::Unavailable { reason: other.to_string() },
    }
}
