//! Between the table `runs` and the queue's types.

use duru::store::{Cancel, Error, IfBusy, Owner, QueuedRun, RunQuery, RunStatus};
use duru::{RunId, ThreadId};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::clauses::Clauses;
use super::json::parsed;
use super::rows::Columns;
use crate::shared::{bound, corrupt};

/// The columns that [`read_run`] expects, in this order.
pub(super) const RUN: [&str; 12] = [
    "id",
    "thread",
    "status",
    "payload",
    "metadata",
    "outcome",
    "attempt",
    "deaths",
    "owner",
    "cancel",
    "created_ms",
    "updated_ms",
];

/// These columns of a row, or of the field `run` of a function's answer.
pub(super) fn columns_of(row: &str) -> String {
    RUN.map(|column| format!("{row}.{column}")).join(", ")
}

/// A run from the columns [`RUN`], the first of which is at `first`.
pub(super) fn read_run(row: &Row, first: usize) -> Result<QueuedRun, Error> {
    let id: Uuid = Columns { row, what: || "a run in the queue".to_owned() }.get(first)?;
    let what = || format!("run {id} in the queue");
    let columns = Columns { row, what };
    let unknown = |name: &str, word: &str| corrupt(what(), format_args!("there is no {name} {word:?}"));
    let status: &str = columns.get(first + 2)?;
    let cancel: Option<&str> = columns.get(first + 9)?;
    Ok(QueuedRun {
        id: RunId::from_u128(id.as_u128()),
        thread: ThreadId::new(columns.get::<&str>(first + 1)?).map_err(|e| corrupt(what(), e))?,
        status: RunStatus::from_word(status).ok_or_else(|| unknown("status", status))?,
        payload: parsed(columns.get(first + 3)?, what)?,
        metadata: parsed(columns.get(first + 4)?, what)?,
        outcome: columns.get::<Option<&str>>(first + 5)?.map(|text| parsed(text, what)).transpose()?,
        attempt: columns.number::<i64, u32>(first + 6)?,
        deaths: columns.number::<i64, u32>(first + 7)?,
        owner: Owner::named(columns.get(first + 8)?),
        cancel: cancel
            .map(|word| Cancel::from_word(word).ok_or_else(|| unknown("way to stop", word)))
            .transpose()?,
        created_ms: columns.big(first + 10)?,
        updated_ms: columns.big(first + 11)?,
    })
}

pub(super) fn run_to_sql(run: RunId) -> Uuid {
    Uuid::from_u128(run.as_u128())
}

/// What stands for it in a call of `enqueue_runs`.
pub(super) fn busy_to_sql(if_busy: IfBusy) -> &'static str {
    match if_busy {
        IfBusy::Enqueue => "enqueue",
        IfBusy::Reject => "reject",
        IfBusy::Cancel(how) => how.as_str(),
    }
}

/// A time from now on; a sum with the time of day stays within range.
pub(super) fn span(ms: u64) -> i64 {
    bound(ms).min(1 << 52)
}

/// A [`RunQuery`], for a statement on the table `runs AS r`.
pub(super) struct Which {
    ids: Vec<Uuid>,
    thread: Option<String>,
    pub(super) statuses: Vec<&'static str>,
    older_than_ms: Option<i64>,
    offset: i64,
    limit: Option<i64>,
}

impl Which {
    pub(super) fn of(query: &RunQuery) -> Self {
        Self {
            ids: query.ids.iter().copied().map(run_to_sql).collect(),
            thread: query.thread.as_ref().map(|thread| thread.as_str().to_owned()),
            statuses: query.statuses.iter().map(|status| status.as_str()).collect(),
            older_than_ms: query.older_than_ms.map(bound),
            offset: bound(query.offset as u64),
            limit: query.limit.map(|limit| bound(limit as u64)),
        }
    }

    /// Adds them to the clauses of a statement.
    pub(super) fn add_to<'a>(&'a self, clauses: &mut Clauses<'a>) {
        clauses.text.push_str(" WHERE true");
        if !self.ids.is_empty() {
            clauses.add("AND r.id = ANY (?)", &self.ids, Type::UUID_ARRAY);
        }
        if let Some(thread) = &self.thread {
            clauses.add("AND r.thread = ?", thread, Type::TEXT);
        }
        if !self.statuses.is_empty() {
            clauses.add("AND r.status = ANY (?)", &self.statuses, Type::TEXT_ARRAY);
        }
        if let Some(time) = &self.older_than_ms {
            clauses.add("AND r.updated_ms < ?", time, Type::INT8);
        }
        let order = if self.older_than_ms.is_some() { "ASC" } else { "DESC" };
        clauses.add(&format!("ORDER BY r.number {order} OFFSET ?"), &self.offset, Type::INT8);
        if let Some(limit) = &self.limit {
            clauses.add("LIMIT ?", limit, Type::INT8);
        }
    }
}
