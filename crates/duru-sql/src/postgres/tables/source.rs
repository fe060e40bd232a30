//! The source: connections that only read, the catalog, and the seam.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use duru_postgres::{Pool, PoolOptions};
use futures_util::StreamExt as _;
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_postgres::Client;

use super::keys;
use super::structure::{self, FoundTable};
use super::values::{self, Contents};
use crate::domain::Description;
use crate::guard::Checked;
use crate::postgres::connection::{self, READ_ONLY};
use crate::postgres::failure;
use crate::postgres::query::Runner;
use crate::postgres::store::check_version;
use crate::store::{Asking, Error, Knowledge, TableKnowledge, TableSource};
use crate::tables::{TableNote, worth_counting};
use crate::{Answer, Catalog, Table};

/// So many tables are read at once.
const AT_ONCE: usize = 8;

/// How a database of others is used.
#[derive(Debug, Clone)]
pub struct TableOptions {
    /// A query whose estimated cost is higher is not run, in the planner's unit.
    pub most_cost: u64,
    pub max_connections: usize,
    pub connect_timeout: Duration,
    /// How long a question waits while all connections are in use.
    pub wait_timeout: Duration,
    /// One question about a table's contents may take so long.
    pub statement_timeout: Duration,
    /// All of them together may take so long; of tables that are left over only the structure is known.
    pub reading_time: Duration,
    /// How long knowledge of values may lag behind the data.
    pub knowledge_age: Duration,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            most_cost: 20_000_000,
            max_connections: 4,
            connect_timeout: Duration::from_secs(5),
            wait_timeout: Duration::from_secs(30),
            statement_timeout: Duration::from_secs(5),
            reading_time: Duration::from_secs(30),
            knowledge_age: Duration::from_secs(600),
        }
    }
}

/// The tables of any PostgreSQL database of version 14 or newer that a role may read. It needs SELECT and nothing
/// else, and changes nothing: its sessions are read-only.
pub struct PostgresTables {
    pool: Arc<Pool>,
    runner: Runner,
    catalog: Arc<Catalog>,
    notes: Vec<TableNote>,
    names: BTreeMap<String, Vec<String>>,
    description: Arc<Description>,
    options: TableOptions,
    known: Mutex<(Arc<Knowledge>, Instant)>,
}

impl PostgresTables {
    /// Reads what a database has. The description says what is hidden, what is allowed though it looks like a secret,
    /// and which rows count as deleted.
    ///
    /// ```no_run
    /// use duru_sql::domain::Description;
    /// use duru_sql::postgres::{PostgresTables, TableOptions};
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let url = "postgres://reader@localhost:5432/shop";
    /// let tables = PostgresTables::connect(url, &Description::default(), TableOptions::default()).await?;
    /// println!("{} tables", tables.catalog().tables.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the database can't be reached or read.
    pub async fn connect(url: &str, description: &Description, options: TableOptions) -> Result<Self, Error> {
        let address = connection::parse(url)?;
        let common = connection::options("public");
        let pool_options = PoolOptions {
            max_connections: options.max_connections,
            connect_timeout: options.connect_timeout,
            wait_timeout: options.wait_timeout,
            session: common.session + READ_ONLY,
            ..common
        };
        let pool = Arc::new(connection::pool(address, pool_options)?);
        let lease = connection::lease(&pool).await?;
        check_version(lease.client()).await?;
        let read = gather(lease.client(), description, &options).await;
        lease.give_back();
        let Gathered { knowledge, notes, names } = read?;
        let catalog = Catalog { tables: knowledge.tables.iter().map(|known| known.table.clone()).collect() };
        let (describes, reads) = (Arc::clone(&pool), Arc::clone(&pool));
        let runner = Runner { describes, reads, role: None, most_cost: options.most_cost };
        Ok(Self {
            pool,
            runner,
            catalog: Arc::new(catalog),
            notes,
            names,
            description: Arc::new(description.clone()),
            options,
            known: Mutex::new((Arc::new(knowledge), Instant::now())),
        })
    }

    /// What may be asked: for the guard.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    /// Runs a query that whoever keeps an evaluation wrote, to compare an answer with it. No guard has seen it; it runs
    /// read-only and within limits like any other.
    ///
    /// # Errors
    /// If it can't be run.
    pub async fn reference(&self, sql: &str, asking: &Asking) -> Result<Answer, Error> {
        self.runner.run(sql.trim().trim_end_matches(';'), asking).await
    }

    /// The columns of every table that was read, also those that may not be asked.
    pub fn column_names(&self) -> &BTreeMap<String, Vec<String>> {
        &self.names
    }

    /// What to know before asking.
    pub fn notes(&self) -> &[TableNote] {
        &self.notes
    }
}

#[async_trait]
impl TableSource for PostgresTables {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.runner.run(query.sql(), asking).await
    }

    /// Of the tables that the catalog has; a table that came later is there after the next start.
    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        let mut known = self.known.lock().await;
        if known.1.elapsed() < self.options.knowledge_age {
            return Ok(Arc::clone(&known.0));
        }
        let lease = connection::lease(&self.pool).await?;
        let gathered = gather(lease.client(), &self.description, &self.options).await;
        lease.give_back();
        let mut knowledge = gathered?.knowledge;
        let asked =
            |known: &TableKnowledge| self.catalog.tables.iter().any(|table| is_same(table, &known.table));
        knowledge.tables.retain(asked);
        if *known.0 != knowledge {
            known.0 = Arc::new(knowledge);
        }
        known.1 = Instant::now();
        Ok(Arc::clone(&known.0))
    }

    /// Nobody counts changes here, so any transaction of the server that wrote counts.
    async fn version(&self) -> Result<String, Error> {
        let lease = connection::lease(&self.pool).await?;
        let rows = values::query(lease.client(), "SELECT pg_current_snapshot()::text").await?;
        lease.give_back();
        rows.first().map_or(Ok(String::new()), |row| row.try_get(0)).map_err(|error| failure::of(&error))
    }
}

/// Whether a table is still what the guard knows; how many rows it has may change.
fn is_same(table: &Table, now: &Table) -> bool {
    (&table.schema, &table.name, &table.columns, &table.soft_delete)
        == (&now.schema, &now.name, &now.columns, &now.soft_delete)
}

struct Gathered {
    knowledge: Knowledge,
    names: BTreeMap<String, Vec<String>>,
    notes: Vec<TableNote>,
}

async fn gather(
    client: &Client,
    description: &Description,
    options: &TableOptions,
) -> Result<Gathered, Error> {
    let limit = format!("SET statement_timeout = {}", options.statement_timeout.as_millis().max(1));
    client.batch_execute(&limit).await.map_err(|error| failure::of(&error))?;
    let (mut found, mut notes) = structure::read(client, description).await?;
    let until = Instant::now() + options.reading_time;
    let contents = read_contents(client, &mut found, until, &mut notes).await?;
    keys::infer(client, &mut found, &contents).await;
    client.batch_execute("RESET statement_timeout").await.map_err(|error| failure::of(&error))?;
    let names = found.iter().map(|one| (one.table.name.clone(), one.names.clone())).collect();
    let tables =
        found.into_iter().zip(contents).map(|(found, contents)| known(found, contents.unwrap_or_default()));
    Ok(Gathered { knowledge: Knowledge { tables: tables.collect() }, notes, names })
}

/// What is in each table; nothing where it took too long.
async fn read_contents(
    client: &Client,
    found: &mut Vec<FoundTable>,
    until: Instant,
    notes: &mut Vec<TableNote>,
) -> Result<Vec<Option<Contents>>, Error> {
    let tables: Vec<_> = found.iter().map(|one| one.table.clone()).collect();
    let mut reading = Vec::new();
    for (at, one) in found.iter().enumerate() {
        reading.push(until_then(client, one, worth_counting(&tables, at), until));
    }
    // Several at once on one connection: a far server answers one while the next is on its way.
    let read: Vec<Result<Contents, Error>> =
        futures_util::stream::iter(reading).buffered(AT_ONCE).collect().await;
    let mut contents = Vec::new();
    let mut kept = Vec::new();
    let mut slow = Vec::new();
    for (one, read) in found.drain(..).zip(read) {
        let name = one.table.name.clone();
        match read {
            Ok(seen) => contents.push(Some(seen)),
            Err(Error::Unavailable { reason }) => return Err(Error::Unavailable { reason }),
            Err(Error::Cancelled | Error::TimedOut { .. }) => {
                slow.push(name);
                contents.push(None);
            }
            Err(error) => {
                notes.push(TableNote::Fails { table: name, reason: error.to_string() });
                continue;
            }
        }
        kept.push(one);
    }
    *found = kept;
    if !slow.is_empty() {
        notes.push(TableNote::NoValues { tables: slow });
    }
    Ok(contents)
}

async fn until_then(
    client: &Client,
    one: &FoundTable,
    keys: Vec<&str>,
    until: Instant,
) -> Result<Contents, Error> {
    if Instant::now() > until {
        return Err(Error::Cancelled);
    }
    values::contents(client, one, &keys).await
}

fn known(found: FoundTable, mut contents: Contents) -> TableKnowledge {
    let mut columns = found.columns;
    for column in &mut columns {
        let Some(seen) = contents.values.remove(&column.name) else { continue };
        // What a constraint lists may not all be there yet, and is meant all the same.
        for value in seen.values {
            if !column.values.contains(&value) {
                column.values.push(value);
            }
        }
        column.samples = seen.samples;
    }
    let rows = contents.rows.max(if contents.small { 0 } else { found.rows.unwrap_or_default() });
    let none = Answer { columns: Vec::new(), rows: Vec::new(), cut: None, took: Duration::ZERO };
    TableKnowledge {
        columns,
        indexes: found.indexes,
        estimated_rows: rows,
        newest: contents.first_rows.unwrap_or(none),
        table: Table { rows: contents.small.then_some(rows), ..found.table },
    }
}
