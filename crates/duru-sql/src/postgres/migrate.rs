//! Opening a database: the migrations that it still lacks.

use std::time::Duration;

use duru_postgres::{Address, Migration, SchemaVersion, migrations_table, note_migration};
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::names::{literal, quoted};
use super::{connection, failure};
use crate::store::Error;

/// The n-th migration (from 1) leads to version n. `@schema@` stands for the
/// quoted schema of the lines, `@own@` for that of what we need ourselves.
const MIGRATIONS: [Migration; 1] =
    [Migration { oldest: 1, sql: include_str!("../../migrations/0001_logs.sql") }];

/// The newest schema.
const KNOWN: u32 = MIGRATIONS.len() as u32;

/// "logs": only one program at a time changes a schema of this database.
const LOCK: i64 = 0x6c6f_6773;

/// Brings the schema to the newest version, in one transaction.
pub(super) async fn migrate(
    address: &Address,
    connect_timeout: Duration,
    logs: &str,
    own: &str,
) -> Result<(), Error> {
    // The names stand inside of functions and literals of the migrations.
    for name in [logs, own] {
        let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 63 || !name.chars().all(fits) {
            let reason = format!("{name:?} can't be the name of a schema: use letters, digits, _ and -");
            return Err(Error::Failed { reason });
        }
    }
    // A connection of its own: the lines' schema may not be there yet, and a
    // migration may leave settings behind.
    let lease = connection::single(address.clone(), connect_timeout).await?;
    let client = lease.client();
    let mut found = SchemaVersion::default();
    if has(client, own, "migrations").await? {
        found = version(client, own).await?;
    }
    if found.found < i64::from(KNOWN) {
        bring_up(client, logs, own).await?;
        found = version(client, own).await?;
    }
    must_admit_us(found, own)
}

/// A newer schema is left as it is, and used if it admits this program.
fn must_admit_us(version: SchemaVersion, own: &str) -> Result<(), Error> {
    if version.admits(KNOWN) {
        version.tell_if_newer(KNOWN, format_args!("the schema {own} of the logs"));
        return Ok(());
    }
    let SchemaVersion { found, oldest } = version;
    let reason = format!(
        "the schema {own} has version {found}, which asks for a program that knows {oldest}, and this one knows \
         {KNOWN}: use a newer one"
    );
    Err(Error::Failed { reason })
}

/// That somebody made our tables there, in a version that we can use; whether the role may read how often they changed.
/// Only the catalog is queried: the role needs no more than SELECT on the lines.
pub(super) async fn must_be_there(client: &Client, logs: &str, own: &str) -> Result<bool, Error> {
    let lines = has(client, logs, "logs").await?;
    if !lines || !has(client, own, "migrations").await? {
        return Err(Error::NoLogStore { own_table: lines });
    }
    if readable(client, own, "migrations").await? {
        let version = version(client, own).await?;
        if version.found < i64::from(KNOWN) {
            let reason = format!(
                "the schema {own} has version {}, and this program needs {KNOWN}: `duru logs init` brings it up",
                version.found
            );
            return Err(Error::Failed { reason });
        }
        must_admit_us(version, own)?;
    }
    readable(client, own, "changes").await
}

async fn readable(client: &Client, schema: &str, table: &str) -> Result<bool, Error> {
    let sql = "SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') \
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2";
    let rows = client.query_typed(sql, &[(&schema, Type::TEXT), (&table, Type::TEXT)]).await;
    let rows = rows.map_err(|e| failure::of(&e))?;
    rows.first().map_or(Ok(false), |row| row.try_get(0)).map_err(|e| failure::of(&e))
}

async fn has(client: &Client, schema: &str, table: &str) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = $1 AND c.relname = $2)";
    let rows = client.query_typed(sql, &[(&schema, Type::TEXT), (&table, Type::TEXT)]).await;
    let rows = rows.map_err(|e| failure::of(&e))?;
    rows.first().map_or(Ok(false), |row| row.try_get(0)).map_err(|e| failure::of(&e))
}

async fn version(client: &Client, own: &str) -> Result<SchemaVersion, Error> {
    let sql = SchemaVersion::query(&format!("{}.migrations", quoted(own)), KNOWN);
    let rows = client.query_typed(&sql, &[]).await.map_err(|e| failure::of(&e))?;
    SchemaVersion::read(rows.first()).map_err(|e| failure::of(&e))
}

async fn bring_up(client: &Client, logs: &str, own: &str) -> Result<(), Error> {
    let sql = |error: tokio_postgres::Error| failure::of(&error);
    client.batch_execute(&format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK})")).await.map_err(sql)?;
    let done = migrations(client, logs, own).await;
    let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
    client.batch_execute(end).await.map_err(sql)?;
    done
}

async fn migrations(client: &Client, logs: &str, own: &str) -> Result<(), Error> {
    let sql = |error: tokio_postgres::Error| failure::of(&error);
    for schema in [logs, own] {
        let there = format!("SELECT FROM pg_namespace WHERE nspname = {}", literal(schema));
        if client.query_typed(&there, &[]).await.map_err(sql)?.is_empty() {
            client.batch_execute(&format!("CREATE SCHEMA {}", quoted(schema))).await.map_err(sql)?;
        }
    }
    let table = format!("{}.migrations", quoted(own));
    client.batch_execute(&migrations_table(&table)).await.map_err(sql)?;
    // Asked under the lock: another process may have migrated while we waited.
    let found = version(client, own).await?.found;
    if found == 0 && has(client, logs, "logs").await? {
        let reason = format!(
            "the schema {logs} has a table logs that this program did not make: \
             name another schema, or ask that table as one of others"
        );
        return Err(Error::Failed { reason });
    }
    for (done, migration) in (0_i64..).zip(MIGRATIONS) {
        if done >= found {
            let text = migration.sql.replace("@schema@", &quoted(logs)).replace("@own@", &quoted(own));
            client.batch_execute(&text).await.map_err(sql)?;
            let mark = note_migration(&table, done + 1, migration.oldest);
            client.batch_execute(&mark).await.map_err(sql)?;
        }
    }
    Ok(())
}
