//! Threads in a PostgreSQL database.

mod accept;
mod answer;
mod catalog;
mod clauses;
mod connection;
mod failure;
mod group;
mod json;
mod lane;
mod memories;
mod queue;
mod read;
mod remove;
mod rows;
mod run_rows;
mod runs;
mod schema;
mod settle;
mod workers;
mod writer;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, LogPosition, LogUpdate, Row, RowQuery, Seq, Snapshot, ThreadSummary,
    Timer,
};
use duru::{Namespace, ThreadId};
use duru_postgres::{Address, Migration};

use accept::Accept;
use connection::{Readers, Server};
use lane::Lane;
use queue::Queue;
use read::Tables;
use remove::Remove;
use settle::Settle;
use writer::Writer;

/// How to use a database.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// The most connections to have at once; at least 2. One of them writes.
    pub max_connections: usize,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long a call goes on trying while the database can't be reached.
    pub patience: Duration,
    /// The schema that holds the tables; it is made if there is none.
    pub schema: String,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            // Accepting and ending runs waits for the server's disk, which serves all who wait at once.
            max_connections: 16,
            connect_timeout: Duration::from_secs(5),
            patience: Duration::from_secs(10),
            schema: "duru".to_owned(),
        }
    }
}

/// Threads, memory across them, and the queue of runs with its catalog, in a
/// PostgreSQL database. Several processes may use the same one.
///
/// A commit counts as written when the server says so; whether that survives a
/// loss of power is its setting `synchronous_commit`, which is on by default.
/// No statement has a name and nothing is kept in a session, so a pooler in
/// transaction mode may stand between.
///
/// It writes on a thread of its own, whatever the runtime of its caller is kept
/// busy with. Commits that it has accepted are sent even if it is dropped.
pub struct PostgresStore {
    tables: Arc<Tables>,
    /// To the one writer: the larger its groups, the less a commit costs, and
    /// several writers were no faster.
    queue: Queue,
    accepts: Lane<Accept>,
    settles: Lane<Settle>,
    removes: Lane<Remove>,
    hasher: RandomState,
    /// How many tokens were given so far.
    tokens: AtomicU64,
    transactions: Arc<AtomicU64>,
}

impl PostgresStore {
    /// The version of the schema that this program makes.
    #[cfg(feature = "testkit")]
    pub(crate) const SCHEMA: u32 = schema::KNOWN;

    /// Opens a database, and makes the tables if there are none.
    ///
    /// ```no_run
    /// use duru::{ThreadId, store::Checkpoints};
    /// use duru_store::PostgresStore;
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = PostgresStore::connect("postgres://user:password@localhost:5432/threads").await?;
    /// assert_eq!(store.head(&ThreadId::new("order-17")?).await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn connect(url: &str) -> Result<Self, Error> {
        Self::connect_with(url, PostgresOptions::default()).await
    }

    /// Opens a database in another way than the usual.
    pub async fn connect_with(url: &str, options: PostgresOptions) -> Result<Self, Error> {
        Self::connect_knowing(url, options, &[]).await
    }

    /// Opens a database as a program that knows more migrations than this one.
    pub(crate) async fn connect_knowing(
        url: &str,
        options: PostgresOptions,
        more: &[Migration],
    ) -> Result<Self, Error> {
        let schema = schema::quoted(&options.schema)?;
        let address =
            Address::parse(url).map_err(|bad| Error::backend("open the PostgreSQL database", bad))?;
        let runtime = connection::runtime();
        let server = Server {
            address,
            runtime: runtime.clone(),
            connect_timeout: options.connect_timeout,
            patience: options.patience,
        };
        let opening =
            |failure: failure::Failure| failure.during(format_args!("open the database {}", server.address));
        let mut first = server.connect().await.map_err(opening)?;
        schema::migrate(&mut first, &server, &options.schema, more).await?;

        let readers = Readers::new(server, options.max_connections.max(2) - 1, first);
        let tables = Arc::new(Tables { readers, schema });
        let transactions = Arc::new(AtomicU64::new(0));
        let (queue, jobs) = Queue::new();
        // Ends by itself when the store is dropped.
        runtime.spawn(Writer::new(tables.clone(), transactions.clone()).run(jobs));
        Ok(Self {
            queue,
            accepts: Lane::open(tables.clone(), &runtime),
            settles: Lane::open(tables.clone(), &runtime),
            removes: Lane::open(tables.clone(), &runtime),
            tables,
            hasher: RandomState::new(),
            tokens: AtomicU64::new(0),
            transactions,
        })
    }

    /// How many transactions it took to write all commits so far: fewer than
    /// commits when many threads are at work, because those that wait share one.
    pub fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    /// A number by which a change is known again if its answer is lost. Keyed by
    /// the system's random numbers: no two changes of any processes share one.
    fn token(&self) -> i64 {
        self.hasher.hash_one(self.tokens.fetch_add(1, Ordering::Relaxed)) as i64
    }
}

#[async_trait]
impl Checkpoints for PostgresStore {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        // A run that was dropped while it wrote: the next one must not begin
        // before the end of that.
        self.queue.flush(thread).await?;
        self.tables.head(thread).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        group::check(&commit)?;
        self.queue.commit(commit, self.token()).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.tables.rows(thread, &query).await
    }

    async fn updates_since(&self, known: &[LogPosition]) -> Result<Vec<LogUpdate>, Error> {
        if known.is_empty() { Ok(Vec::new()) } else { self.tables.updates_since(known).await }
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.tables.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.tables.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.tables.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.queue.flush(thread).await?;
        self.removes.call(Remove(thread.clone())).await
    }
}
