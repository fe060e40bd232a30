//! The queue. Every call is one statement, which others of its kind may share. It
//! may be sent again if its answer is lost: what was carried out before is
//! recognised. Two answers then say less than the first one did: runs that were
//! claimed for nobody come back when their lease ends, and runs that were
//! cancelled while they waited are not named twice.

use async_trait::async_trait;
use duru::RunId;
use duru::store::{
    Cancel, Claim, Claimed, Enqueued, Error, HeldRun, NewRun, Owner, QueuedRun, RunQuery, RunStatus, Runs,
    Settled, Worker,
};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::PostgresStore;
use super::accept::Accept;
use super::clauses::Clauses;
use super::connection::Value;
use super::lane::Call;
use super::rows::Columns;
use super::run_rows::{Which, columns_of, read_run, run_to_sql, span};
use super::settle::Settle;
use crate::shared::{bound, corrupt};

/// The most runs that one call claims.
const CLAIMED_AT_ONCE: u64 = 10_000;

#[async_trait]
impl Runs for PostgresStore {
    async fn enqueue(&self, new: NewRun) -> Result<Enqueued, Error> {
        let accept = Accept::new(new)?;
        if accept.shares() {
            return self.accepts.call(accept).await;
        }
        let answers = Accept::send(&self.tables, &[accept]).await;
        let answer = answers.map_err(|failure| failure.during(Accept::ACTION))?.pop();
        answer.unwrap_or_else(|| Err(unknown("nothing")))
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        let sql = format!(
            "SELECT c.verdict, c.waiting, {} FROM {}.claim_runs($1, $2, $3, $4, $5) AS c",
            columns_of("(c.run)"),
            self.tables.schema
        );
        let gone: Vec<&str> = claim.gone.iter().map(|owner| owner.as_str()).collect();
        let values: &[Value<'_>] = &[
            (&claim.worker.owner.as_str(), Type::TEXT),
            (&span(claim.worker.lease_ms), Type::INT8),
            (&bound((claim.limit as u64).min(CLAIMED_AT_ONCE)), Type::INT8),
            (&gone, Type::TEXT_ARRAY),
            (&i64::from(claim.most_deaths), Type::INT8),
        ];
        let rows = self.tables.readers.query("claim runs", &sql, values).await?;
        let mut claimed = Claimed::default();
        for row in &rows {
            match verdict(row)? {
                "claimed" => claimed.runs.push(read_run(row, 2)?),
                "dead" => claimed.dead.push(read_run(row, 2)?),
                "waiting" => claimed.waiting = answer(row).number::<i64, usize>(1)?,
                other => return Err(unknown(other)),
            }
        }
        if claimed.waiting > 0 {
            claimed.waited_ms = self.waited_ms().await?;
        }
        Ok(claimed)
    }

    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        self.tables.renew(worker, unknown).await
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        self.tables.stopping(owner).await
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        self.tables.owners().await
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        if runs.is_empty() { Ok(Vec::new()) } else { self.tables.statuses(runs).await }
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        self.settles.call(Settle::new(run, attempt, settled)?).await
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        let (schema, which) = (&self.tables.schema, Which::of(&query));
        let how = how.as_str();
        let mut clauses = Clauses::default();
        which.add_to(&mut clauses);
        let statuses = clauses.value(&which.statuses, Type::TEXT_ARRAY);
        let word = clauses.value(&how, Type::TEXT);
        let sql = format!(
            "SELECT {} FROM {schema}.cancel_runs(\
             ARRAY (SELECT r.number FROM {schema}.runs AS r{}), {statuses}, {word}) AS c",
            columns_of("c"),
            clauses.text
        );
        let rows = self.tables.readers.query("cancel runs", &sql, &clauses.values).await?;
        rows.iter().map(|row| read_run(row, 0)).collect()
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        let which = Which::of(&query);
        let mut clauses = Clauses::default();
        which.add_to(&mut clauses);
        let (schema, end) = (&self.tables.schema, &clauses.text);
        let sql = format!("SELECT {} FROM {schema}.runs AS r{end}", columns_of("r"));
        let rows = self.tables.readers.query("read runs", &sql, &clauses.values).await?;
        rows.iter().map(|row| read_run(row, 0)).collect()
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        // The thread's entry is locked first, as everybody does. Of several that wait only the first is ready, and
        // the functions, which see what the updates have done, say which that is.
        let sql = format!(
            "WITH place AS MATERIALIZED (SELECT e.id FROM {schema}.runs AS r \
                 JOIN {schema}.entries AS e ON e.kind = 'thread' AND e.id = r.thread WHERE r.id = $1 FOR UPDATE OF e), \
             back AS (UPDATE {schema}.runs AS r SET status = 'pending', ready = false, deaths = 0, cancel = NULL, \
                 outcome = NULL, due_ms = 0, updated_ms = {schema}.now_ms() \
                 WHERE r.id = $1 AND r.status = 'dead' AND r.thread IN (SELECT id FROM place) RETURNING r.thread), \
             calm AS (UPDATE {schema}.runs AS r SET ready = false \
                 WHERE r.ready AND r.thread IN (SELECT thread FROM back) RETURNING r.number) \
             SELECT CASE WHEN {schema}.settle_thread(thread, 'busy')::text IS NULL \
                 OR {schema}.rouse_thread(thread)::text IS NULL THEN 1 ELSE 1 END \
                 FROM back, (SELECT count(*) FROM calm) AS calmed \
             UNION ALL SELECT 2 FROM {schema}.runs AS r WHERE r.id = $1 \
                 AND r.status IN ('pending', 'running') AND r.deaths = 0 AND NOT EXISTS (SELECT FROM back)",
            schema = self.tables.schema
        );
        self.is_done(&format!("retry run {run}"), &sql, &[(&run_to_sql(run), Type::UUID)]).await
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        let sql = format!("SELECT {}.forget_run($1, $2)", self.tables.schema);
        let values: &[Value<'_>] = &[(&run_to_sql(run), Type::UUID), (&attempt.map(i64::from), Type::INT8)];
        self.is_done(&format!("forget run {run}"), &sql, values).await
    }
}

impl PostgresStore {
    /// Since when the first that waits does: since it was accepted, given back or due. Read after the claim, whose own
    /// snapshot still has what it took.
    async fn waited_ms(&self) -> Result<u64, Error> {
        let sql = format!(
            "SELECT greatest(0, {schema}.now_ms() - greatest(r.updated_ms, r.due_ms)) FROM {schema}.runs AS r \
             WHERE r.ready AND r.due_ms <= {schema}.now_ms() ORDER BY r.number LIMIT 1",
            schema = self.tables.schema
        );
        let rows = self.tables.readers.query("read how long runs wait", &sql, &[]).await?;
        rows.first().map_or(Ok(0), |row| answer(row).big(0))
    }

    /// Whether a change was made: 1 if it was, 2 if that had been so before,
    /// which is no wonder if the answer to it was lost.
    async fn is_done(&self, action: &str, sql: &str, values: &[Value<'_>]) -> Result<bool, Error> {
        let (rows, before) = self.tables.readers.query_often(action, sql, values).await?;
        let done = rows.first().map(|row| answer(row).get::<i32>(0)).transpose()?;
        Ok(done == Some(1) || (done == Some(2) && before))
    }
}

fn answer(row: &Row) -> Columns<'_, fn() -> String> {
    Columns { row, what: || "an answer of the queue".to_owned() }
}

fn verdict(row: &Row) -> Result<&str, Error> {
    answer(row).get(0)
}

fn unknown(verdict: &str) -> Error {
    corrupt("an answer of the queue", format_args!("it says {verdict:?}"))
}
