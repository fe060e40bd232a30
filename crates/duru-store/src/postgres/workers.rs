//! Workers, the one lease that each of them has, and what they must know of
//! their runs: ids, and what is to be stopped, never what is to be done.

use duru::RunId;
use duru::store::{Cancel, Error, HeldRun, Owner, RunStatus, Worker};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::connection::Value;
use super::read::Tables;
use super::rows::Columns;
use super::run_rows::{run_to_sql, span};
use crate::shared::corrupt;

impl Tables {
    pub(super) async fn renew(
        &self,
        worker: &Worker,
        unknown: &[(RunId, u32)],
    ) -> Result<Vec<HeldRun>, Error> {
        let sql =
            format!("SELECT run_id, nth, how, overdue FROM {}.renew_worker($1, $2, $3, $4)", self.schema);
        let (ids, attempts): (Vec<Uuid>, Vec<i64>) =
            unknown.iter().map(|(run, attempt)| (run_to_sql(*run), i64::from(*attempt))).unzip();
        let values: &[Value<'_>] = &[
            (&worker.owner.as_str(), Type::TEXT),
            (&span(worker.lease_ms), Type::INT8),
            (&ids, Type::UUID_ARRAY),
            (&attempts, Type::INT8_ARRAY),
        ];
        let rows = self.readers.query("renew the lease of a worker", &sql, values).await?;
        rows.iter().map(read_held).collect()
    }

    pub(super) async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        let sql = format!(
            "SELECT r.id, r.attempt, r.cancel, NOT {schema}.is_valid(r.lease_until, r.lease_ms) \
             FROM {schema}.runs AS r WHERE r.owner = $1 AND r.status = 'running' AND r.cancel IS NOT NULL",
            schema = self.schema
        );
        let values: &[Value<'_>] = &[(&owner.as_str(), Type::TEXT)];
        let rows = self.readers.query("read which runs are to be stopped", &sql, values).await?;
        rows.iter().map(read_held).collect()
    }

    pub(super) async fn owners(&self) -> Result<Vec<Owner>, Error> {
        // Everybody who has claimed anything has a lease, however old.
        let sql = format!(
            "SELECT w.owner FROM {schema}.worker_leases AS w WHERE EXISTS (\
             SELECT FROM {schema}.runs AS r WHERE r.owner = w.owner AND r.status = 'running')",
            schema = self.schema
        );
        let rows = self.readers.query("read who carries out runs", &sql, &[]).await?;
        let owner = |row| Ok(Owner::named(Columns { row, what: || "a worker".to_owned() }.get(0)?));
        rows.iter().map(owner).collect()
    }

    pub(super) async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        let sql = format!("SELECT r.id, r.status FROM {}.runs AS r WHERE r.id = ANY ($1)", self.schema);
        let ids: Vec<Uuid> = runs.iter().copied().map(run_to_sql).collect();
        let rows = self.readers.query("read the status of runs", &sql, &[(&ids, Type::UUID_ARRAY)]).await?;
        let status = |row| {
            let id: Uuid = Columns { row, what: || "a run in the queue".to_owned() }.get(0)?;
            let what = || format!("run {id} in the queue");
            let word: &str = Columns { row, what }.get(1)?;
            let unknown = || corrupt(what(), format_args!("there is no status {word:?}"));
            Ok((RunId::from_u128(id.as_u128()), RunStatus::from_word(word).ok_or_else(unknown)?))
        };
        rows.iter().map(status).collect()
    }
}

fn read_held(row: &Row) -> Result<HeldRun, Error> {
    let id: Uuid = Columns { row, what: || "a run under way".to_owned() }.get(0)?;
    let what = || format!("run {id} in the queue");
    let columns = Columns { row, what };
    let cancel: Option<&str> = columns.get(2)?;
    let unknown = |word| corrupt(what(), format_args!("there is no way to stop {word:?}"));
    Ok(HeldRun {
        id: RunId::from_u128(id.as_u128()),
        attempt: columns.number::<i64, u32>(1)?,
        cancel: cancel.map(|word| Cancel::from_word(word).ok_or_else(|| unknown(word))).transpose()?,
        overdue: columns.get(3)?,
    })
}
