//! Opening a database: the migrations that it still lacks.

use duru::store::Error;
use tokio_postgres::types::Type;

use super::connection::{Conn, Server};
use super::failure::{Failure, Reason};

/// The n-th migration (from 1) leads to version n. `@schema@` stands for the
/// schema's name, quoted.
const MIGRATIONS: [&str; 10] = [
    include_str!("../../migrations/postgres/0001_threads.sql"),
    include_str!("../../migrations/postgres/0002_log.sql"),
    include_str!("../../migrations/postgres/0003_timers.sql"),
    include_str!("../../migrations/postgres/0004_commit.sql"),
    include_str!("../../migrations/postgres/0005_memories.sql"),
    include_str!("../../migrations/postgres/0006_leases.sql"),
    include_str!("../../migrations/postgres/0007_runs.sql"),
    include_str!("../../migrations/postgres/0008_groups.sql"),
    include_str!("../../migrations/postgres/0009_incarnations.sql"),
    include_str!("../../migrations/postgres/0010_worker_leases.sql"),
];

/// The newest schema.
const KNOWN: u32 = MIGRATIONS.len() as u32;

/// "duru": only one program at a time changes a schema of this database.
const LOCK: i64 = 0x6475_7275;

/// A schema's name as SQL takes it. It stands in the text of functions, too,
/// where quotes and dollars would end that text.
pub(super) fn quoted(name: &str) -> Result<String, Error> {
    let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    // PostgreSQL would cut a longer one off in silence.
    if name.is_empty() || name.len() > 63 || !name.chars().all(fits) {
        let reason =
            format!("{name:?} can't be the name of a schema: use letters, digits, _ and -, at most 63 bytes");
        return Err(Error::backend("open the PostgreSQL database", Reason::new(reason)));
    }
    Ok(format!("\"{name}\""))
}

/// Brings the schema to the newest version, in one transaction.
pub(super) async fn migrate(conn: &mut Conn, server: &Server, name: &str) -> Result<(), Error> {
    let place = &server.address;
    let refused = |failure: Failure| failure.during(format_args!("open the database {place}"));
    let found = version(conn, name).await.map_err(refused)?;
    if found > i64::from(KNOWN) {
        return Err(Error::Newer {
            what: format!("the schema {name} of the database {place}"),
            found: u32::try_from(found).unwrap_or(u32::MAX),
            known: KNOWN,
        });
    }
    if found < i64::from(KNOWN) {
        let schema = quoted(name)?;
        bring_up(conn, name, &schema).await.map_err(refused)?;
    }
    Ok(())
}

/// The version of the schema; 0 if there is none. Refuses a database in which
/// not every text can be stored.
async fn version(conn: &Conn, name: &str) -> Result<i64, Failure> {
    let schema = quoted(name).map_err(|e| Failure::Refused(Reason::new(e.to_string())))?;
    let sql = "SELECT to_regclass($1) IS NOT NULL, current_setting('server_encoding')";
    let rows = conn.query(sql, &[(&format!("{schema}.migrations"), Type::TEXT)]).await?;
    let Some(row) = rows.first() else { return Ok(0) };
    let (ours, encoding): (bool, &str) = (row.try_get(0)?, row.try_get(1)?);
    if encoding != "UTF8" {
        let reason =
            format!("its encoding is {encoding}: create one WITH ENCODING 'UTF8' TEMPLATE template0");
        return Err(Failure::Refused(Reason::new(reason)));
    }
    if !ours {
        return Ok(0);
    }
    let rows = conn.query(&format!("SELECT coalesce(max(version), 0) FROM {schema}.migrations"), &[]).await?;
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0))
}

async fn bring_up(conn: &mut Conn, name: &str, schema: &str) -> Result<(), Failure> {
    // Dropped before its commit, it is rolled back. Works behind a pooler: the
    // lock is the transaction's.
    let tx = conn.client.transaction().await?;
    tx.query_typed("SELECT pg_advisory_xact_lock($1)", &[(&LOCK, Type::INT8)]).await?;
    let rows = tx.query_typed("SELECT to_regnamespace($1) IS NOT NULL", &[(&schema, Type::TEXT)]).await?;
    if !rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(false) {
        tx.batch_execute(&format!("CREATE SCHEMA {schema}")).await?;
    }
    tx.batch_execute(&format!(
        "CREATE TABLE IF NOT EXISTS {schema}.migrations \
         (version bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
    ))
    .await?;
    // Asked under the lock: another process may have migrated while we waited.
    let rows =
        tx.query_typed(&format!("SELECT coalesce(max(version), 0) FROM {schema}.migrations"), &[]).await?;
    let found: i64 = rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
    for (done, migration) in (0..).zip(MIGRATIONS) {
        if done >= found {
            tx.batch_execute(&migration.replace("@schema@", schema)).await.map_err(|e| {
                let reason = Failure::from(e).reason();
                Failure::Refused(
                    reason.with(&format!("; the schema {name} could not be brought to version {}", done + 1)),
                )
            })?;
            let sql = format!("INSERT INTO {schema}.migrations (version) VALUES ($1)");
            tx.query_typed(&sql, &[(&(done + 1), Type::INT8)]).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
