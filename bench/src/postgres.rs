//! Our tables in the database of a PostgreSQL server that somebody else started.

use anyhow::{Context, Result};
use duru_store::{PostgresOptions, PostgresStore};
use tokio_postgres::{Client, NoTls};

/// The tables are made once per server and emptied for each measured run, as the Python scripts do it: making them
/// anew would be counted as the server's work.
const SCHEMA: &str = "duru_bench";
const FLOOR: &str = "duru_bench_floor";

/// A connection beside the store's, to look and to clean up.
pub(crate) struct Postgres {
    client: Client,
    schema: &'static str,
}

/// An empty store.
pub(crate) async fn open(url: &str) -> Result<(PostgresStore, Postgres)> {
    let options = PostgresOptions { schema: SCHEMA.to_owned(), ..PostgresOptions::default() };
    let store = PostgresStore::connect_with(url, options).await?;
    let postgres = Postgres { client: connect(url).await?, schema: SCHEMA };
    postgres.empty().await?;
    Ok((store, postgres))
}

async fn connect(url: &str) -> Result<Client> {
    let (client, connection) =
        tokio_postgres::connect(url, NoTls).await.context("cannot connect to PostgreSQL")?;
    // Ends when the client is dropped.
    tokio::spawn(connection);
    Ok(client)
}

impl Postgres {
    async fn empty(&self) -> Result<()> {
        let sql = "select string_agg(format('%I.%I', schemaname, tablename), ', ') from pg_tables
                   where schemaname = $1 and tablename <> 'migrations'";
        let tables: Option<String> = self.client.query_one(sql, &[&self.schema]).await?.try_get(0)?;
        let tables = tables.with_context(|| format!("the schema {} has no tables", self.schema))?;
        self.client.batch_execute(&format!("truncate {tables}")).await?;
        Ok(())
    }

    /// All tables with their indexes and what lies outside of their rows.
    pub(crate) async fn stored_bytes(&self) -> Result<u64> {
        let sql =
            "select sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass))::bigint
                   from pg_tables where schemaname = $1";
        let bytes: i64 = self.client.query_one(sql, &[&self.schema]).await?.try_get(0)?;
        Ok(u64::try_from(bytes)?)
    }
}

/// The floor: one row per step in one table, each its own transaction and awaited.
pub(crate) struct Rows {
    postgres: Postgres,
    insert: tokio_postgres::Statement,
}

impl Rows {
    pub(crate) async fn open(url: &str) -> Result<Self> {
        let postgres = Postgres { client: connect(url).await?, schema: FLOOR };
        let table = format!(
            "set client_min_messages = warning; create schema if not exists {FLOOR};
             create table if not exists {FLOOR}.log (seq bigserial primary key, payload text not null);"
        );
        postgres.client.batch_execute(&table).await?;
        postgres.empty().await?;
        let insert =
            postgres.client.prepare(&format!("insert into {FLOOR}.log (payload) values ($1)")).await?;
        Ok(Self { postgres, insert })
    }

    pub(crate) async fn write(&self, row: &str) -> Result<()> {
        self.postgres.client.execute(&self.insert, &[&row]).await?;
        Ok(())
    }

    pub(crate) async fn stored_bytes(&self) -> Result<u64> {
        self.postgres.stored_bytes().await
    }
}
