//! Connections: opened when needed, thrown away when lost.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use duru::store::{Error, dedicated_runtime};
use duru_postgres::Address;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::failure::{Failure, Patience, no_answer, no_connection};

/// A value of a statement, and its type. All types are given, so that one
/// message to the server and one answer are enough, and no statement needs a
/// name that a pooler would have to remember.
pub(super) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// A statement that takes longer is given up.
const LONGEST_CALL: Duration = Duration::from_secs(30);

/// How long a caller waits for a connection before it gets an error.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// One connection.
pub(super) struct Conn {
    pub(super) client: Client,
    /// Moves the bytes; ends by itself when the client is dropped.
    driver: JoinHandle<()>,
}

impl Conn {
    pub(super) async fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        match tokio::time::timeout(LONGEST_CALL, self.client.query_typed(sql, values)).await {
            Ok(result) => Ok(result?),
            Err(_) => {
                self.driver.abort();
                Err(Failure::lost(format!("no answer within {} s", LONGEST_CALL.as_secs())))
            }
        }
    }
}

/// Where and how to connect.
pub(super) struct Server {
    pub(super) address: Address,
    /// Where connections are looked after, see [`runtime`].
    pub(super) runtime: Handle,
    pub(super) connect_timeout: Duration,
    pub(super) patience: Duration,
}

/// Where this process writes to its databases and looks after connections. Nodes that only calculate can keep every
/// thread of a program to themselves, but not that one: leases are renewed all the same.
pub(super) fn runtime() -> Handle {
    static RUNTIME: OnceLock<Option<Handle>> = OnceLock::new();
    let own = RUNTIME.get_or_init(|| dedicated_runtime("duru-postgres").ok());
    own.clone().unwrap_or_else(Handle::current)
}

impl Server {
    pub(super) async fn connect(&self) -> Result<Conn, Failure> {
        let (address, limit) = (self.address.clone(), self.connect_timeout);
        let connecting = async move { tokio::time::timeout(limit, address.connect()).await };
        match self.runtime.spawn(connecting).await {
            Ok(Ok(Ok((client, driver)))) => Ok(Conn { client, driver }),
            Ok(Ok(Err(error))) => Err(no_connection(&error)),
            Ok(Err(_)) => Err(no_answer(limit)),
            Err(ended) => Err(Failure::lost(ended.to_string())),
        }
    }
}

/// The connections that read.
pub(super) struct Readers {
    pub(super) server: Server,
    idle: Mutex<Vec<Conn>>,
    permits: Semaphore,
}

impl Readers {
    pub(super) fn new(server: Server, most: usize, first: Conn) -> Self {
        Self { server, idle: Mutex::new(vec![first]), permits: Semaphore::new(most) }
    }

    async fn connection(&self) -> Result<Conn, Failure> {
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|conn| !conn.client.is_closed());
            idle.pop()
        };
        match idle {
            Some(conn) => Ok(conn),
            None => self.server.connect().await,
        }
    }

    /// Runs one statement, on another connection if one is lost.
    pub(super) async fn query(
        &self,
        action: &str,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, Error> {
        self.query_often(action, sql, values).await.map(|(rows, _)| rows)
    }

    /// The same; and whether the statement may have been carried out before.
    pub(super) async fn query_often(
        &self,
        action: &str,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<(Vec<Row>, bool), Error> {
        self.ask(sql, values).await.map_err(|failure| failure.during(action))
    }

    /// The same; and how it failed.
    pub(super) async fn ask(&self, sql: &str, values: &[Value<'_>]) -> Result<(Vec<Row>, bool), Failure> {
        let busy = || Failure::lost(format!("all connections are busy for {} s", LONGEST_WAIT.as_secs()));
        let permit = tokio::time::timeout(LONGEST_WAIT, self.permits.acquire()).await.map_err(|_| busy())?;
        // It is never closed.
        let _permit = permit.map_err(|e| Failure::lost(e.to_string()))?;
        let mut patience = Patience::new(self.server.patience);
        let mut sent = false;
        loop {
            let failure = match self.connection().await {
                Ok(conn) => match conn.query(sql, values).await {
                    Ok(rows) => {
                        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(conn);
                        return Ok((rows, sent));
                    }
                    Err(failure) => {
                        sent |= matches!(failure, Failure::Lost(_));
                        failure
                    }
                },
                Err(failure) => failure,
            };
            if matches!(failure, Failure::Refused(_)) || !patience.wait().await {
                return Err(failure);
            }
        }
    }
}
