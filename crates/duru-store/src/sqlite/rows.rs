//! Between SQLite's columns and the engine's types.

use duru::store::{Error, Head, Row, Seq, Snapshot};
use duru::{CheckpointId, Incarnation, InterruptId, Namespace, RunId, ThreadId};
use rusqlite::types::FromSql;

use crate::shared::{self, corrupt};

/// How many events a thread can hold: the low half of a key.
pub(super) const MAX_SEQ: u64 = 1 << 32;

/// The columns that [`read_row`] expects, in this order.
pub(super) const ROW: &str =
    "key, events, ns, kind, run, checkpoint, at_ms, format, payload, checksum, source";

/// A number to be stored; it may not change on the way.
pub(super) fn stored(number: u64) -> Result<i64, Error> {
    i64::try_from(number)
        .map_err(|_| Error::backend("commit", format!("the number {number} is out of range")))
}

pub(super) fn interrupt_to_sql(id: InterruptId) -> Result<[u8; 16], Error> {
    shared::number_of(id).map(u128::to_be_bytes)
}

pub(super) fn interrupt_from_sql(bytes: [u8; 16], thread: &ThreadId) -> Result<InterruptId, Error> {
    shared::interrupt(u128::from_be_bytes(bytes), thread)
}

/// Columns of a stored thing, whose damage is reported under the thing's name.
pub(super) struct Columns<'a, W> {
    pub(super) row: &'a rusqlite::Row<'a>,
    /// The thing's name, if it is needed.
    pub(super) what: W,
}

impl<W: Fn() -> String> Columns<'_, W> {
    pub(super) fn get<T: FromSql>(&self, index: usize) -> Result<T, Error> {
        self.row.get(index).map_err(|e| corrupt((self.what)(), e))
    }

    pub(super) fn number<T: TryFrom<i64>>(&self, index: usize) -> Result<T, Error> {
        let number: i64 = self.get(index)?;
        T::try_from(number).map_err(|_| corrupt((self.what)(), format_args!("{number} is out of range")))
    }
}

/// The columns that [`read_head`] expects, in this order.
pub(super) const HEAD: &str =
    "version, epoch, next_seq, status, created_ms, updated_ms, incarnation, removals";

/// A head from the columns [`HEAD`].
pub(super) fn read_head<W: Fn() -> String>(columns: &Columns<'_, W>) -> Result<Head, Error> {
    let word: String = columns.get(3)?;
    let status = shared::status(&word, &columns.what)?;
    Ok(Head {
        incarnation: Incarnation::from_u64(columns.number(6)?),
        version: columns.number(0)?,
        epoch: columns.number(1)?,
        next_seq: columns.number(2)?,
        removals: columns.number(7)?,
        status,
        created_ms: columns.number(4)?,
        updated_ms: columns.number(5)?,
    })
}

/// A row of the log from the columns [`ROW`].
pub(super) fn read_row(row: &rusqlite::Row<'_>, thread: &ThreadId) -> Result<Row, Error> {
    let key: i64 = row.get(0).map_err(|e| corrupt(format_args!("a row of thread {thread}"), e))?;
    let seq = key as Seq % MAX_SEQ;
    let columns = Columns { row, what: || format!("row {seq} of thread {thread}") };
    let code: i64 = columns.get(3)?;
    let kind = shared::kind(code, columns.what)?;
    Ok(Row {
        seq,
        events: columns.number(1)?,
        ns: Namespace::from_stored(&columns.get::<String>(2)?),
        kind,
        run: RunId::from_u128(u128::from_be_bytes(columns.get(4)?)),
        checkpoint: columns
            .get::<Option<[u8; 16]>>(5)?
            .map(|id| CheckpointId::from_u128(u128::from_be_bytes(id))),
        source: shared::source(columns.get(10)?, columns.what)?,
        at_ms: columns.number(6)?,
        format: columns.number(7)?,
        payload: columns.get(8)?,
        // All 64 bits; SQLite knows only signed numbers.
        checksum: columns.get::<i64>(9)? as u64,
    })
}

/// A snapshot from the columns seq, format, payload, checksum.
pub(super) fn read_snapshot(
    row: &rusqlite::Row<'_>,
    thread: &ThreadId,
    ns: &Namespace,
) -> Result<Snapshot, Error> {
    let columns = Columns { row, what: || format!("a snapshot of thread {thread}") };
    let seq: Seq = columns.number(0)?;
    let columns = Columns { row, what: || format!("snapshot {seq} of thread {thread}") };
    Ok(Snapshot {
        ns: ns.clone(),
        seq,
        format: columns.number(1)?,
        payload: columns.get(2)?,
        checksum: columns.get::<i64>(3)? as u64,
    })
}
