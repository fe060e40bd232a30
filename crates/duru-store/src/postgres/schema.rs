//! Opening a database: the migrations that it still lacks.

use std::time::Duration;

use duru::store::Error;
use duru_postgres::{Migration, SchemaVersion, migrations_table, note_migration};
use tokio_postgres::types::Type;

use super::connection::{Conn, Server};
use super::failure::{Failure, Patience, Reason};

/// The n-th migration (from 1) leads to version n. `@schema@` stands for the
/// schema's name, quoted.
const MIGRATIONS: [Migration; 10] = [
    Migration { oldest: 1, sql: include_str!("../../migrations/postgres/0001_threads.sql") },
    Migration { oldest: 2, sql: include_str!("../../migrations/postgres/0002_log.sql") },
    Migration { oldest: 3, sql: include_str!("../../migrations/postgres/0003_timers.sql") },
    Migration { oldest: 4, sql: include_str!("../../migrations/postgres/0004_commit.sql") },
    Migration { oldest: 5, sql: include_str!("../../migrations/postgres/0005_memories.sql") },
    Migration { oldest: 6, sql: include_str!("../../migrations/postgres/0006_leases.sql") },
    Migration { oldest: 7, sql: include_str!("../../migrations/postgres/0007_runs.sql") },
    Migration { oldest: 8, sql: include_str!("../../migrations/postgres/0008_groups.sql") },
    Migration { oldest: 9, sql: include_str!("../../migrations/postgres/0009_incarnations.sql") },
    Migration { oldest: 10, sql: include_str!("../../migrations/postgres/0010_worker_leases.sql") },
];

/// The newest schema.
pub(super) const KNOWN: u32 = MIGRATIONS.len() as u32;

/// How long a migration waits for what is under way before it lets those go on that wait behind it, and tries again;
const LONGEST_LOCK: &str = "2s";
/// and for how long.
const MIGRATING: Duration = Duration::from_secs(60);

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

/// Brings the schema to the newest version, in one transaction. `more` are the migrations that this program knows
/// besides ours, in tests. A newer schema is left as it is, and used if it admits this program.
pub(super) async fn migrate(
    conn: &mut Conn,
    server: &Server,
    name: &str,
    more: &[Migration],
) -> Result<(), Error> {
    let place = &server.address;
    let refused = |failure: Failure| failure.during(format_args!("open the database {place}"));
    let schema = quoted(name)?;
    let known = KNOWN + more.len() as u32;
    let mut version = version(conn, &schema, known).await.map_err(refused)?;
    let mut patience = Patience::new(MIGRATING);
    while version.found < i64::from(known) {
        match bring_up(conn, &schema, more).await {
            Ok(found) => version = found,
            // Somebody else works with what is to be changed.
            Err(Failure::Again(_)) if patience.wait().await => {}
            Err(failure) => return Err(refused(failure)),
        }
    }
    let what = format!("the schema {name} of the database {place}");
    if !version.admits(known) {
        return Err(Error::Newer { what, found: u32::try_from(version.found).unwrap_or(u32::MAX), known });
    }
    version.tell_if_newer(known, what);
    Ok(())
}

/// The version of the schema; 0 if there is none. Refuses a database in which
/// not every text can be stored.
async fn version(conn: &Conn, schema: &str, known: u32) -> Result<SchemaVersion, Failure> {
    let table = format!("{schema}.migrations");
    let sql = "SELECT to_regclass($1) IS NOT NULL, current_setting('server_encoding')";
    let rows = conn.query(sql, &[(&table, Type::TEXT)]).await?;
    let Some(row) = rows.first() else { return Ok(SchemaVersion::default()) };
    let (ours, encoding): (bool, &str) = (row.try_get(0)?, row.try_get(1)?);
    if encoding != "UTF8" {
        let reason =
            format!("its encoding is {encoding}: create one WITH ENCODING 'UTF8' TEMPLATE template0");
        return Err(Failure::Refused(Reason::new(reason)));
    }
    if !ours {
        return Ok(SchemaVersion::default());
    }
    let rows = conn.query(&SchemaVersion::query(&table, known), &[]).await?;
    Ok(SchemaVersion::read(rows.first())?)
}

/// The version that it has then.
async fn bring_up(conn: &mut Conn, schema: &str, more: &[Migration]) -> Result<SchemaVersion, Failure> {
    let table = format!("{schema}.migrations");
    let known = KNOWN + more.len() as u32;
    // Dropped before its commit, it is rolled back. Works behind a pooler: the
    // lock is the transaction's.
    let tx = conn.client.transaction().await?;
    tx.query_typed("SELECT pg_advisory_xact_lock($1)", &[(&LOCK, Type::INT8)]).await?;
    tx.batch_execute(&format!("SET LOCAL lock_timeout = '{LONGEST_LOCK}'")).await?;
    let rows = tx.query_typed("SELECT to_regnamespace($1) IS NOT NULL", &[(&schema, Type::TEXT)]).await?;
    if !rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(false) {
        tx.batch_execute(&format!("CREATE SCHEMA {schema}")).await?;
    }
    tx.batch_execute(&migrations_table(&table)).await?;
    // Asked under the lock: another process may have migrated while we waited.
    let version = SchemaVersion::query(&table, known);
    let found = SchemaVersion::read(tx.query_typed(&version, &[]).await?.first())?.found;
    for (done, migration) in (0..).zip(MIGRATIONS.iter().chain(more)) {
        if done >= found {
            let failed = |error| not_brought_to(done + 1, schema, error);
            tx.batch_execute(&migration.sql.replace("@schema@", schema)).await.map_err(failed)?;
            tx.batch_execute(&note_migration(&table, done + 1, migration.oldest)).await?;
        }
    }
    let brought = SchemaVersion::read(tx.query_typed(&version, &[]).await?.first())?;
    tx.commit().await?;
    Ok(brought)
}

fn not_brought_to(version: i64, schema: &str, error: tokio_postgres::Error) -> Failure {
    let more = format!("; the schema {schema} could not be brought to version {version}");
    match Failure::from(error) {
        Failure::Again(reason) => Failure::Again(reason.with(&more)),
        failure => Failure::Refused(failure.reason().with(&more)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_says_which_program_may_still_work_after_it() {
        for (version, migration) in (1..).zip(&MIGRATIONS) {
            assert!((1..=version).contains(&migration.oldest), "migration {version}");
        }
        let oldest = MIGRATIONS.map(|migration| migration.oldest);
        assert!(oldest.is_sorted(), "what was refused once comes back: {oldest:?}");
    }
}
