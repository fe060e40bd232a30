//! Runs on their way into the queue.

use duru::store::{Enqueued, Error, IfBusy, NewRun};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::connection::Value;
use super::failure::Failure;
use super::json::{searchable, text};
use super::lane::Call;
use super::read::Tables;
use super::rows::Columns;
use super::run_rows::{busy_to_sql, columns_of, read_run, run_to_sql, span};
use crate::shared::corrupt;

/// A run to be accepted, as the function `enqueue_runs` takes it.
pub(super) struct Accept {
    new: NewRun,
    thread_metadata: String,
    payload: String,
    metadata: String,
}

impl Accept {
    pub(super) fn new(new: NewRun) -> Result<Self, Error> {
        Ok(Self {
            thread_metadata: searchable(Self::ACTION, &new.thread_metadata)?,
            payload: text(Self::ACTION, &new.payload)?,
            metadata: text(Self::ACTION, &new.metadata)?,
            new,
        })
    }

    /// Whether it may share a transaction. Groups lock threads in one order, and
    /// so none waits for one that waits for it. Keys have another order, and so
    /// have the runs under way that a new one stops.
    pub(super) fn shares(&self) -> bool {
        self.new.key.is_none() && !matches!(self.new.if_busy, IfBusy::Cancel(_))
    }

    /// What the rows that are about it say.
    fn answer(&self, rows: &[&Row]) -> Result<Enqueued, Error> {
        let mut accepted = None;
        let mut stopping = Vec::new();
        for row in rows {
            match columns(row).get(1)? {
                "accepted" => accepted = Some(read_run(row, 2)?),
                "stopping" => stopping.push(read_run(row, 2)?),
                "again" => {
                    let run = read_run(row, 2)?;
                    // Sent before, and written between the two looks that the
                    // function takes: this very run, by its key.
                    if run.id != self.new.id {
                        return Ok(Enqueued::Again(run));
                    }
                    accepted = Some(run);
                }
                "taken" => return Ok(Enqueued::KeyTaken),
                "busy" => return Ok(Enqueued::Busy),
                "no thread" => return Ok(Enqueued::NoThread),
                other => return Err(unknown(other)),
            }
        }
        let run = accepted.ok_or_else(|| unknown("nothing"))?;
        Ok(Enqueued::Accepted { run, stopping })
    }
}

impl Call for Accept {
    const ACTION: &'static str = "accept a run";
    type Answer = Enqueued;
    type About = String;

    fn about(&self) -> String {
        self.new.thread.as_str().to_owned()
    }

    async fn send(tables: &Tables, group: &[Self]) -> Result<Vec<Result<Enqueued, Error>>, Failure> {
        let sql = format!(
            "SELECT e.nth, e.verdict, {} FROM {}.enqueue_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS e",
            columns_of("(e.run)"),
            tables.schema
        );
        let arrays = Arrays::of(group);
        let (rows, _) = tables.readers.ask(&sql, &arrays.values()).await?;
        let mut about: Vec<Vec<&Row>> = group.iter().map(|_| Vec::new()).collect();
        for row in &rows {
            let nth: i32 = row.try_get(0)?;
            let place = usize::try_from(nth).ok().and_then(|nth| about.get_mut(nth.checked_sub(1)?));
            place.into_iter().for_each(|place| place.push(row));
        }
        Ok(group.iter().zip(&about).map(|(accept, rows)| accept.answer(rows)).collect())
    }
}

/// The parameters of the function, in its order.
#[derive(Default)]
struct Arrays<'a> {
    id: Vec<Uuid>,
    thread: Vec<&'a str>,
    alone: Vec<bool>,
    make: Vec<bool>,
    thread_metadata: Vec<&'a str>,
    payload: Vec<&'a str>,
    metadata: Vec<&'a str>,
    busy: Vec<&'a str>,
    key: Vec<Option<&'a str>>,
    digest: Vec<Option<i64>>,
    after: Vec<i64>,
    owner: Vec<Option<&'a str>>,
    lease: Vec<Option<i64>>,
}

impl<'a> Arrays<'a> {
    fn of(group: &'a [Accept]) -> Self {
        let mut arrays = Self::default();
        for Accept { new, thread_metadata, payload, metadata } in group {
            arrays.id.push(run_to_sql(new.id));
            arrays.thread.push(new.thread.as_str());
            arrays.alone.push(new.make_thread && new.key.is_none());
            arrays.make.push(new.make_thread);
            arrays.thread_metadata.push(thread_metadata);
            arrays.payload.push(payload);
            arrays.metadata.push(metadata);
            arrays.busy.push(busy_to_sql(new.if_busy));
            arrays.key.push(new.key.as_ref().map(|(key, _)| key.as_str()));
            // All 64 bits; PostgreSQL knows only signed numbers.
            arrays.digest.push(new.key.as_ref().map(|(_, digest)| *digest as i64));
            arrays.after.push(span(new.after_ms));
            arrays.owner.push(new.claim.as_ref().map(|worker| worker.owner.as_str()));
            arrays.lease.push(new.claim.as_ref().map(|worker| span(worker.lease_ms)));
        }
        arrays
    }

    fn values(&self) -> [Value<'_>; 13] {
        [
            (&self.id, Type::UUID_ARRAY),
            (&self.thread, Type::TEXT_ARRAY),
            (&self.alone, Type::BOOL_ARRAY),
            (&self.make, Type::BOOL_ARRAY),
            (&self.thread_metadata, Type::TEXT_ARRAY),
            (&self.payload, Type::TEXT_ARRAY),
            (&self.metadata, Type::TEXT_ARRAY),
            (&self.busy, Type::TEXT_ARRAY),
            (&self.key, Type::TEXT_ARRAY),
            (&self.digest, Type::INT8_ARRAY),
            (&self.after, Type::INT8_ARRAY),
            (&self.owner, Type::TEXT_ARRAY),
            (&self.lease, Type::INT8_ARRAY),
        ]
    }
}

fn columns(row: &Row) -> Columns<'_, fn() -> String> {
    Columns { row, what: || "an answer of the queue".to_owned() }
}

fn unknown(verdict: &str) -> Error {
    corrupt("an answer of the queue", format_args!("it says {verdict:?}"))
}
