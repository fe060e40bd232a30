//! Between PostgreSQL's columns and the engine's types.

use duru::store::{Error, Head, Row, Seq, Snapshot};
use duru::{CheckpointId, Incarnation, InterruptId, Namespace, RunId, ThreadId};
use tokio_postgres::types::FromSql;
use uuid::Uuid;

use crate::shared::{self, corrupt};

/// The columns that [`read_head`] expects, in this order.
pub(super) const HEAD: &str =
    "version, epoch, next_seq, status, created_ms, updated_ms, incarnation, removals";

/// The columns that [`read_row`] expects, in this order.
pub(super) const ROW: &str =
    "seq, events, ns, kind, run, checkpoint, at_ms, format, payload, checksum, source";

/// A number to be stored; it may not change on the way.
pub(super) fn stored<N: Copy + std::fmt::Display, T: TryFrom<N>>(number: N) -> Result<T, Error> {
    T::try_from(number).map_err(|_| Error::backend("commit", format!("the number {number} is out of range")))
}

pub(super) fn interrupt_to_sql(id: InterruptId) -> Result<Uuid, Error> {
    shared::number_of(id).map(Uuid::from_u128)
}

pub(super) fn interrupt_from_sql(id: Uuid, thread: &ThreadId) -> Result<InterruptId, Error> {
    shared::interrupt(id.as_u128(), thread)
}

/// Columns of a stored thing, whose damage is reported under the thing's name.
pub(super) struct Columns<'a, W> {
    pub(super) row: &'a tokio_postgres::Row,
    /// The thing's name, if it is needed.
    pub(super) what: W,
}

impl<'a, W: Fn() -> String> Columns<'a, W> {
    pub(super) fn get<T: FromSql<'a>>(&self, index: usize) -> Result<T, Error> {
        self.row.try_get(index).map_err(|e| corrupt((self.what)(), duru_postgres::said(&e)))
    }

    /// A number of the engine's that is stored as an `S`.
    pub(super) fn number<S, T>(&self, index: usize) -> Result<T, Error>
    where
        S: FromSql<'a> + Copy + std::fmt::Display,
        T: TryFrom<S>,
    {
        let number: S = self.get(index)?;
        T::try_from(number).map_err(|_| corrupt((self.what)(), format_args!("{number} is out of range")))
    }

    pub(super) fn big(&self, index: usize) -> Result<u64, Error> {
        self.number::<i64, u64>(index)
    }
}

/// These columns of the field of a function's answer.
pub(super) fn columns_in(field: &str, columns: &str) -> String {
    columns.split(", ").map(|column| format!("({field}).{column}")).collect::<Vec<_>>().join(", ")
}

/// A head from the columns [`HEAD`], the first of which is at `first`.
pub(super) fn read_head<W: Fn() -> String>(columns: &Columns<'_, W>, first: usize) -> Result<Head, Error> {
    let word: &str = columns.get(first + 3)?;
    let status = shared::status(word, &columns.what)?;
    Ok(Head {
        incarnation: Incarnation::from_u64(columns.big(first + 6)?),
        version: columns.big(first)?,
        epoch: columns.big(first + 1)?,
        next_seq: columns.big(first + 2)?,
        removals: columns.big(first + 7)?,
        status,
        created_ms: columns.big(first + 4)?,
        updated_ms: columns.big(first + 5)?,
    })
}

/// A row of the log from the columns [`ROW`], the first of which is at `first`.
pub(super) fn read_row(row: &tokio_postgres::Row, thread: &ThreadId, first: usize) -> Result<Row, Error> {
    let columns = Columns { row, what: || format!("a row of thread {thread}") };
    let seq: Seq = columns.big(first)?;
    let columns = Columns { row, what: || format!("row {seq} of thread {thread}") };
    let code: i16 = columns.get(first + 3)?;
    let kind = shared::kind(code.into(), columns.what)?;
    Ok(Row {
        seq,
        events: columns.number::<i32, u32>(first + 1)?,
        ns: Namespace::from_stored(columns.get(first + 2)?),
        kind,
        run: RunId::from_u128(columns.get::<Uuid>(first + 4)?.as_u128()),
        checkpoint: columns.get::<Option<Uuid>>(first + 5)?.map(|id| CheckpointId::from_u128(id.as_u128())),
        source: shared::source(columns.get::<Option<i16>>(first + 10)?.map(i64::from), columns.what)?,
        at_ms: columns.big(first + 6)?,
        format: columns.number::<i32, u32>(first + 7)?,
        payload: columns.get(first + 8)?,
        // All 64 bits; PostgreSQL knows only signed numbers.
        checksum: columns.get::<i64>(first + 9)? as u64,
    })
}

/// A snapshot from the columns seq, format, payload, checksum.
pub(super) fn read_snapshot(
    row: &tokio_postgres::Row,
    thread: &ThreadId,
    ns: &Namespace,
) -> Result<Snapshot, Error> {
    let columns = Columns { row, what: || format!("a snapshot of thread {thread}") };
    let seq: Seq = columns.big(0)?;
    let columns = Columns { row, what: || format!("snapshot {seq} of thread {thread}") };
    Ok(Snapshot {
        ns: ns.clone(),
        seq,
        format: columns.number::<i32, u32>(1)?,
        payload: columns.get(2)?,
        checksum: columns.get::<i64>(3)? as u64,
    })
}
