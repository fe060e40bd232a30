//! Connections that callers share: opened when needed, at most so many, waited for only so long.

use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{
    self, Metrics, Object, PoolConfig, QueueMode, RecycleError, RecycleResult, TimeoutType, Timeouts,
};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Error};

use crate::address::Address;

/// How a pool opens connections, and how long it is waited for.
#[derive(Debug, Clone)]
pub struct PoolOptions {
    pub max_connections: usize,
    /// How long a connection may take to stand, with all that its session begins with.
    pub connect_timeout: Duration,
    /// How long a caller waits while all connections are in use.
    pub wait_timeout: Duration,
    /// Statements that every session begins with.
    pub session: String,
    /// The same, where the server can: not every system under one has all of its settings.
    pub session_if_possible: &'static str,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self {
            max_connections: 4,
            connect_timeout: Duration::from_secs(10),
            wait_timeout: Duration::from_secs(30),
            session: String::new(),
            session_if_possible: "",
        }
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    #[error(
        "all {max_connections} connections of this program were in use for {} s: try again later, or allow it more of them",
        waited.as_secs_f32()
    )]
    Busy { max_connections: usize, waited: Duration },
    #[error("no answer within {} s: is this a PostgreSQL server?", waited.as_secs_f32())]
    NoAnswer { waited: Duration },
    /// [`said`](crate::said) has words for it.
    #[error(transparent)]
    Server(#[from] Error),
    #[error("there is no pool of connections: {0}")]
    NoPool(String),
}

/// A pool of connections to one server. It belongs to the runtime in which it is used.
pub struct Pool {
    connections: managed::Pool<Opener>,
    options: PoolOptions,
}

impl Pool {
    /// A pool without a connection; the first caller opens the first one.
    ///
    /// ```
    /// use duru_postgres::{Address, Pool, PoolError, PoolOptions};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let pool = Pool::new(Address::parse("postgres://kim@127.0.0.1:1/shop")?, PoolOptions::default())?;
    /// assert!(matches!(pool.lease().await.err(), Some(PoolError::Server(_))), "nobody listens there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there can be none.
    pub fn new(address: Address, options: PoolOptions) -> Result<Self, PoolError> {
        let opener = Opener {
            address,
            session: options.session.clone(),
            session_if_possible: options.session_if_possible,
        };
        let config = PoolConfig {
            max_size: options.max_connections.max(1),
            timeouts: Timeouts {
                wait: Some(options.wait_timeout),
                create: Some(options.connect_timeout),
                recycle: None,
            },
            // The fewer are used, the fewer are kept awake.
            queue_mode: QueueMode::Lifo,
        };
        let built = managed::Pool::builder(opener).config(config).runtime(Runtime::Tokio1).build();
        let connections = built.map_err(|error| PoolError::NoPool(error.to_string()))?;
        Ok(Self { connections, options })
    }

    /// A connection for one caller, who gives it back.
    ///
    /// # Errors
    /// If all are in use for too long, or the server can't be reached or refuses.
    pub async fn lease(&self) -> Result<Lease, PoolError> {
        use managed::PoolError as Failed;
        let got = self.connections.get().await.map_err(|failed| match failed {
            Failed::Timeout(TimeoutType::Wait) => PoolError::Busy {
                max_connections: self.connections.status().max_size,
                waited: self.options.wait_timeout,
            },
            Failed::Timeout(_) => PoolError::NoAnswer { waited: self.options.connect_timeout },
            Failed::Backend(error) => PoolError::Server(error),
            other => PoolError::NoPool(other.to_string()),
        });
        Ok(Lease { connection: got?, is_at_rest: false })
    }

    /// Tells the server to end what a connection does. The server does not say whether it did; the statement's own
    /// timeout is behind it.
    pub async fn cancel(&self, lease: &Lease) {
        let asking = self.connections.manager().address.cancel(lease.client());
        drop(tokio::time::timeout(self.options.connect_timeout, asking).await);
    }
}

/// A connection that is in use. Unless it is given back it is closed: nobody knows what an interrupted conversation
/// would go on to say, and what it began is taken back.
#[must_use]
pub struct Lease {
    connection: Object<Opener>,
    is_at_rest: bool,
}

impl Lease {
    pub fn client(&self) -> &Client {
        &self.connection.client
    }

    /// For the next caller. Nothing is under way on it, no transaction either.
    pub fn give_back(mut self) {
        self.is_at_rest = true;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if !self.is_at_rest {
            self.connection.close();
        }
    }
}

/// Opens connections for a pool.
struct Opener {
    address: Address,
    session: String,
    session_if_possible: &'static str,
}

struct Connection {
    client: Client,
    /// Moves the bytes; ends with the client.
    driver: JoinHandle<()>,
    /// The driver's end takes a moment, in which the client does not know of it.
    is_closed: bool,
}

impl Connection {
    fn close(&mut self) {
        self.is_closed = true;
        self.driver.abort();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl managed::Manager for Opener {
    type Type = Connection;
    type Error = Error;

    async fn create(&self) -> Result<Connection, Error> {
        let (client, driver) = self.address.connect().await?;
        let connection = Connection { client, driver, is_closed: false };
        connection.client.batch_execute(&self.session).await?;
        if !self.session_if_possible.is_empty() {
            drop(connection.client.batch_execute(self.session_if_possible).await);
        }
        Ok(connection)
    }

    async fn recycle(&self, connection: &mut Connection, _: &Metrics) -> RecycleResult<Error> {
        match connection.is_closed || connection.client.is_closed() {
            true => Err(RecycleError::message("it is closed")),
            false => Ok(()),
        }
    }
}
