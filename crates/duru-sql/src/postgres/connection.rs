//! Connections: opened when needed, thrown away when anything went wrong on them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use duru_postgres::Address;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::JoinHandle;
use tokio_postgres::Client;

use super::failure;
use crate::store::Error;

/// What every session has: results are the same whatever the server's settings are.
const SESSION: &str = "SET standard_conforming_strings = on; SET client_min_messages = warning; \
     SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; \
     SET extra_float_digits = 1; SET bytea_output = 'hex'; SET client_encoding = 'UTF8'";

/// Reads a URL.
pub(super) fn parse(url: &str) -> Result<Address, Error> {
    Address::parse(url).map_err(|bad| Error::Unavailable { reason: bad.to_string() })
}

/// One connection.
pub(super) struct Conn {
    pub(super) client: Client,
    /// Moves the bytes; ends with the client.
    driver: JoinHandle<()>,
}

impl Drop for Conn {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

pub(super) struct Pool {
    address: Address,
    connect_timeout: Duration,
    search_path: String,
    read_only: bool,
    idle: Mutex<Vec<Conn>>,
    permits: Semaphore,
}

/// A connection that is in use. Unless it is given back it is closed: nobody
/// knows what an interrupted conversation would go on to say.
pub(super) struct Lease<'a> {
    conn: Conn,
    pool: &'a Pool,
    _permit: SemaphorePermit<'a>,
}

impl Lease<'_> {
    pub(super) fn client(&self) -> &Client {
        &self.conn.client
    }

    pub(super) fn give_back(self) {
        self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(self.conn);
    }
}

impl Pool {
    /// `search_path` is a list of quoted names.
    pub(super) fn new(address: Address, most: usize, connect_timeout: Duration, search_path: String) -> Self {
        let permits = Semaphore::new(most.max(1));
        Self { address, connect_timeout, search_path, read_only: false, idle: Mutex::default(), permits }
    }

    /// The same, with sessions that can't change anything.
    pub(super) fn reading(mut self) -> Self {
        self.read_only = true;
        self
    }

    pub(super) async fn lease(&self) -> Result<Lease<'_>, Error> {
        let lost = |reason: String| Error::Unavailable { reason };
        let permit = self.permits.acquire().await.map_err(|e| lost(e.to_string()))?;
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|conn| !conn.client.is_closed());
            idle.pop()
        };
        let conn = match idle {
            Some(conn) => conn,
            None => self.connect().await?,
        };
        Ok(Lease { conn, pool: self, _permit: permit })
    }

    async fn connect(&self) -> Result<Conn, Error> {
        let connecting = async {
            let (client, driver) = self.address.connect().await.map_err(|e| failure::of(&e))?;
            let conn = Conn { client, driver };
            let read_only = if self.read_only { "; SET default_transaction_read_only = on" } else { "" };
            let session = format!("{SESSION}; SET search_path = {}{read_only}", self.search_path);
            conn.client.batch_execute(&session).await.map_err(|e| failure::of(&e))?;
            // A session whose client is gone should not go on reading for nobody;
            // not every system under a server can tell, and then timeouts must do.
            drop(conn.client.batch_execute("SET client_connection_check_interval = 1000").await);
            Ok(conn)
        };
        tokio::time::timeout(self.connect_timeout, connecting).await.unwrap_or_else(|_| {
            let waited = self.connect_timeout.as_secs_f32();
            Err(Error::Unavailable {
                reason: format!("no answer within {waited} s: is this a PostgreSQL server?"),
            })
        })
    }

    /// Tells the server to end what this connection does. The server does not
    /// say whether it did; the statement's own timeout is behind it.
    pub(super) async fn cancel(&self, client: &Client) {
        drop(tokio::time::timeout(self.connect_timeout, self.address.cancel(client)).await);
    }
}
