//! Connections: opened when needed, thrown away when anything went wrong on them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use duru_postgres::{Address, said};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::JoinHandle;
use tokio_postgres::Client;

use crate::index::Error;

/// So many conversations with the server at once.
const MOST: usize = 4;

/// So long a connection may take to stand.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct Pool {
    address: Address,
    /// A quoted name.
    schema: String,
    idle: Mutex<Vec<Conn>>,
    permits: Semaphore,
}

struct Conn {
    client: Client,
    /// Moves the bytes; ends with the client.
    driver: JoinHandle<()>,
}

impl Drop for Conn {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// A connection that is in use. Unless it is given back it is closed: nobody knows what an interrupted conversation
/// would go on to say.
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
    pub(super) fn new(url: &str, schema: String) -> Result<Self, Error> {
        let address = Address::parse(url).map_err(|bad| lost(bad.to_string()))?;
        Ok(Self { address, schema, idle: Mutex::default(), permits: Semaphore::new(MOST) })
    }

    pub(super) fn schema(&self) -> &str {
        &self.schema
    }

    pub(super) async fn lease(&self) -> Result<Lease<'_>, Error> {
        let permit = self.permits.acquire().await.map_err(|error| lost(error.to_string()))?;
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
            let (client, driver) = self.address.connect().await.map_err(of)?;
            let conn = Conn { client, driver };
            let session = format!(
                "SET standard_conforming_strings = on; SET client_min_messages = warning; SET search_path = {}, public",
                self.schema
            );
            conn.client.batch_execute(&session).await.map_err(of)?;
            Ok(conn)
        };
        let in_time = tokio::time::timeout(PATIENCE, connecting).await;
        in_time.unwrap_or_else(|_| Err(lost("no answer: is this a PostgreSQL server?")))
    }
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
