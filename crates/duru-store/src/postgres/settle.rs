//! What came of runs, on its way into the queue.

use duru::RunId;
use duru::store::{Error, Settled};
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::connection::Value;
use super::failure::Failure;
use super::json::text;
use super::lane::Call;
use super::read::Tables;
use super::run_rows::run_to_sql;

/// What came of a run, as the function `settle_runs` takes it.
pub(super) struct Settle {
    run: Uuid,
    attempt: i64,
    settled: Settled,
    outcome: Option<String>,
}

impl Settle {
    pub(super) fn new(run: RunId, attempt: u32, settled: Settled) -> Result<Self, Error> {
        let outcome = settled.outcome.as_ref().map(|outcome| text(Self::ACTION, outcome)).transpose()?;
        Ok(Self { run: run_to_sql(run), attempt: attempt.into(), settled, outcome })
    }

    /// Whether it counts, given what the function says and whether it may have
    /// been carried out before.
    fn counts(&self, said: i32, before: bool) -> bool {
        match said {
            1 => true,
            // Said before, in the same words.
            2 => before,
            // Said before, and so the run is gone.
            3 => before && self.settled.remove_thread,
            _ => false,
        }
    }
}

impl Call for Settle {
    const ACTION: &'static str = "settle a run";
    type Answer = bool;
    type About = Uuid;

    fn about(&self) -> Uuid {
        self.run
    }

    async fn send(tables: &Tables, group: &[Self]) -> Result<Vec<Result<bool, Error>>, Failure> {
        let sql = format!("SELECT {}.settle_runs($1, $2, $3, $4, $5, $6)", tables.schema);
        let runs: Vec<Uuid> = group.iter().map(|settle| settle.run).collect();
        let attempts: Vec<i64> = group.iter().map(|settle| settle.attempt).collect();
        let statuses: Vec<&str> = group.iter().map(|settle| settle.settled.status.as_str()).collect();
        let outcomes: Vec<Option<&str>> = group.iter().map(|settle| settle.outcome.as_deref()).collect();
        let words: Vec<&str> = group.iter().map(|settle| settle.settled.thread_status.as_str()).collect();
        let removes: Vec<bool> = group.iter().map(|settle| settle.settled.remove_thread).collect();
        let values: &[Value<'_>] = &[
            (&runs, Type::UUID_ARRAY),
            (&attempts, Type::INT8_ARRAY),
            (&statuses, Type::TEXT_ARRAY),
            (&outcomes, Type::TEXT_ARRAY),
            (&words, Type::TEXT_ARRAY),
            (&removes, Type::BOOL_ARRAY),
        ];
        let (rows, before) = tables.readers.ask(&sql, values).await?;
        let said: Vec<i32> = rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or_default();
        Ok(group.iter().zip(said).map(|(settle, said)| Ok(settle.counts(said, before))).collect())
    }
}
