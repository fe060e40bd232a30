//! The store: connections, the catalog, and the seam.

use std::sync::Arc;

use async_trait::async_trait;
use duru_postgres::{Address, Pool, PoolOptions};
use jiff::Timestamp;
use tokio_postgres::types::Type;

use super::append::Writer;
use super::knowledge::{Cache, Source};
use super::names::quoted;
use super::options::{Options, Reader};
use super::query::Runner;
use super::{catalog, connection, failure, migrate};
use crate::guard::Checked;
use crate::store::{Asking, Batch, Error, Knowledge, LogStore, Receipt, TableSource};
use crate::{Answer, Catalog};

/// Log lines, and any other tables, in a PostgreSQL database of version 14 or
/// newer. Several processes may use the same one.
///
/// Queries run read-only and, if the database was hardened, as a role that may
/// do nothing else. The store belongs to the runtime in which it was opened.
pub struct PostgresLogs {
    pool: Arc<Pool>,
    runner: Runner,
    catalog: Arc<Catalog>,
    /// None: this database keeps no lines.
    writer: Option<Writer>,
    /// The role may read how often the lines changed.
    counts: bool,
    cache: Cache,
    options: Options,
}

impl PostgresLogs {
    /// Opens a database, and makes the table `logs` if there is none.
    ///
    /// ```no_run
    /// use duru_sql::{Batch, LogStore, postgres::PostgresLogs, TableSource};
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let logs = PostgresLogs::connect("postgres://user:password@localhost:5432/logs").await?;
    /// assert_eq!(logs.append(Batch::default()).await?.kept, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the database can't be reached or used.
    pub async fn connect(url: &str) -> Result<Self, Error> {
        Self::connect_with(url, Options::default()).await
    }

    /// Opens a database in another way than the usual.
    ///
    /// # Errors
    /// If the database can't be reached or used, or lacks a configured table.
    pub async fn connect_with(url: &str, options: Options) -> Result<Self, Error> {
        let address = connection::parse(url)?;
        let pool_options = PoolOptions {
            max_connections: options.max_connections,
            connect_timeout: options.connect_timeout,
            wait_timeout: options.wait_timeout,
            ..connection::options(&search_path(&options))
        };
        let pool = |address: Address| connection::pool(address, pool_options.clone()).map(Arc::new);
        if let Some(logs) = options.logs.as_ref().filter(|_| options.make) {
            migrate::migrate(&address, options.connect_timeout, logs, &options.own).await?;
        }
        let main = pool(address.clone())?;
        let lease = connection::lease(&main).await?;
        check_version(lease.client()).await?;
        let mut counts = options.logs.is_some();
        if let Some(logs) = options.logs.as_ref().filter(|_| !options.make) {
            counts = migrate::must_be_there(lease.client(), logs, &options.own).await?;
        }
        let catalog = Arc::new(catalog::load(lease.client(), &options).await?);
        let role = reader(lease.client(), &options.reader).await?;
        lease.give_back();
        let reads = match &options.reader {
            Reader::Url(url) => connection::parse(url)?,
            Reader::Auto | Reader::Role(_) => address,
        };
        let runner =
            Runner { describes: Arc::clone(&main), reads: pool(reads)?, role, most_cost: options.most_cost };
        let writer = options.logs.as_ref().map(|logs| Writer::new(logs, &options.own));
        Ok(Self { pool: main, runner, catalog, writer, counts, cache: Cache::default(), options })
    }

    /// What may be asked: for the guard.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    /// The role as which queries run, if it is not our own.
    pub fn role(&self) -> Option<&str> {
        self.runner.role.as_deref()
    }

    fn writer(&self) -> Result<&Writer, Error> {
        let reason = "this database was opened for asking only: it keeps no lines".to_owned();
        self.writer.as_ref().ok_or(Error::Denied { reason })
    }
}

#[async_trait]
impl TableSource for PostgresLogs {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.runner.run(query.sql(), asking).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        let source = Source {
            pool: &self.pool,
            runner: &self.runner,
            catalog: &self.catalog,
            age: self.options.knowledge_age,
        };
        source.knowledge(&self.cache, &self.version().await?).await
    }

    /// Lines count their own changes. Nobody counts those of other tables, so
    /// there any transaction of the server that wrote counts.
    async fn version(&self) -> Result<String, Error> {
        let changes = match self.counts {
            true => format!("(SELECT sum(times) FROM {}.changes)::text", quoted(&self.options.own)),
            false => "''".to_owned(),
        };
        let others = match self.options.tables.is_empty() && self.counts {
            true => "''",
            false => "pg_current_snapshot()::text",
        };
        let lease = connection::lease(&self.pool).await?;
        let sql = format!("SELECT concat({changes}, '/', {others})");
        let rows = lease.client().query_typed(&sql, &[]).await.map_err(|e| failure::of(&e))?;
        lease.give_back();
        rows.first().map_or(Ok(String::new()), |row| row.try_get(0)).map_err(|e| failure::of(&e))
    }
}

#[async_trait]
impl LogStore for PostgresLogs {
    async fn append(&self, batch: Batch) -> Result<Receipt, Error> {
        let writer = self.writer()?;
        if batch.records.is_empty() {
            return Ok(Receipt { kept: 0, again: false });
        }
        writer.append(&self.pool, &batch).await
    }

    async fn delete(&self, ids: &[i64]) -> Result<u64, Error> {
        self.writer()?.delete(&self.pool, ids).await
    }

    async fn drop_before(&self, before: Timestamp, most: u64) -> Result<u64, Error> {
        self.writer()?.drop_before(&self.pool, before, most).await
    }

    async fn count_before(&self, before: Timestamp) -> Result<u64, Error> {
        self.writer()?.count_before(&self.pool, before).await
    }

    /// It is where everybody finds it once it is acknowledged.
    async fn settle(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// Names without a schema mean the tables that may be asked.
fn search_path(options: &Options) -> String {
    let mut schemas: Vec<&str> = options.logs.iter().map(String::as_str).collect();
    for table in &options.tables {
        if !schemas.contains(&table.schema.as_str()) {
            schemas.push(&table.schema);
        }
    }
    if schemas.is_empty() {
        return "pg_catalog".to_owned();
    }
    schemas.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

pub(super) async fn check_version(client: &tokio_postgres::Client) -> Result<(), Error> {
    let sql = "SELECT current_setting('server_version_num')::int4, current_setting('server_encoding')";
    let rows = client.query_typed(sql, &[]).await.map_err(|e| failure::of(&e))?;
    let Some(row) = rows.first() else { return Ok(()) };
    let version: i32 = row.try_get(0).map_err(|e| failure::of(&e))?;
    let encoding: &str = row.try_get(1).map_err(|e| failure::of(&e))?;
    if version < 140_000 {
        return Err(Error::Unavailable { reason: "the server is older than PostgreSQL 14".into() });
    }
    if encoding != "UTF8" {
        let reason =
            format!("its encoding is {encoding}: create one WITH ENCODING 'UTF8' TEMPLATE template0");
        return Err(Error::Unavailable { reason });
    }
    Ok(())
}

/// Whom to become for queries.
async fn reader(client: &tokio_postgres::Client, reader: &Reader) -> Result<Option<String>, Error> {
    let name = match reader {
        Reader::Auto => Reader::ROLE,
        Reader::Role(name) => name,
        Reader::Url(_) => return Ok(None),
    };
    let sql = "SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = $1";
    let rows = client.query_typed(sql, &[(&name, Type::TEXT)]).await.map_err(|e| failure::of(&e))?;
    let member = rows.first().map_or(Ok(false), |row| row.try_get(0)).map_err(|e| failure::of(&e))?;
    match reader {
        Reader::Role(_) if rows.is_empty() => Err(Error::Denied {
            reason: format!("there is no role {name}; `duru db harden --apply` makes one"),
        }),
        Reader::Role(_) if !member => {
            Err(Error::Denied { reason: format!("this user may not become {name}; GRANT {name} TO it") })
        }
        _ => Ok(member.then(|| name.to_owned())),
    }
}
