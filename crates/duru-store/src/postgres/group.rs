//! Commits that travel together, as the arrays that the function `commit` takes.

use duru::InterruptId;
use duru::store::{Commit, Error, Owner, Row, Snapshot};
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::connection::Value;
use super::rows::{interrupt_to_sql, stored};
use crate::shared::{self, bound};

/// Larger commits are refused before they are sent.
const LARGEST: usize = 256 << 20;

/// No lease is longer, in milliseconds: about thirty years.
const LONGEST_LEASE: u64 = 1 << 40;

/// How many parameters the function has.
pub(super) const PARAMETERS: usize = 41;

/// Whether a commit can be stored at all.
pub(super) fn check(commit: &Commit) -> Result<(), Error> {
    stored::<u64, i64>(commit.at_ms)?;
    for row in &commit.rows {
        stored::<u64, i64>(row.at_ms)?;
        stored::<u32, i32>(row.events)?;
        stored::<u32, i32>(row.format)?;
    }
    for snapshot in &commit.snapshots {
        stored::<u64, i64>(snapshot.seq)?;
        stored::<u32, i32>(snapshot.format)?;
    }
    for (_, at_ms) in &commit.set_timers {
        stored::<u64, i64>(*at_ms)?;
    }
    if size(commit) > LARGEST {
        let reason =
            format!("a commit of {} MB is too large; the most is {} MB", size(commit) >> 20, LARGEST >> 20);
        return Err(Error::backend("commit", reason));
    }
    Ok(())
}

/// How many bytes it brings, about.
pub(super) fn size(commit: &Commit) -> usize {
    let rows = commit.rows.iter().map(|row| row.payload.len() + 100).sum::<usize>();
    rows + commit.snapshots.iter().map(|snapshot| snapshot.payload.len() + 100).sum::<usize>()
}

/// The parameters of the function, in its order: what is about commits, what they
/// remove, rows, snapshots, timers to set, timers to clear. `of` is a commit's number, from 1.
#[derive(Default)]
pub(super) struct Group<'a> {
    name: Vec<&'a str>,
    token: Vec<i64>,
    incarnation: Vec<i64>,
    version: Vec<i64>,
    epoch: Vec<i64>,
    claim: Vec<i64>,
    status: Vec<&'a str>,
    at: Vec<i64>,
    first: Vec<Option<i64>>,
    count: Vec<i64>,
    owner: Vec<&'a str>,
    lease: Vec<i64>,
    instead: Vec<Option<&'a str>>,
    queued: Vec<Option<Uuid>>,
    removes: Vec<i64>,
    removed: Removed,
    rows: Rows<'a>,
    snapshots: Snapshots<'a>,
    timers: Timers,
    cleared: Timers,
}

#[derive(Default)]
struct Removed {
    of: Vec<i32>,
    from: Vec<i64>,
    until: Vec<i64>,
}

#[derive(Default)]
struct Rows<'a> {
    of: Vec<i32>,
    seq: Vec<i64>,
    events: Vec<i32>,
    ns: Vec<&'a str>,
    kind: Vec<i16>,
    run: Vec<Uuid>,
    checkpoint: Vec<Option<Uuid>>,
    source: Vec<Option<i16>>,
    at: Vec<i64>,
    format: Vec<i32>,
    payload: Vec<&'a [u8]>,
    checksum: Vec<i64>,
}

#[derive(Default)]
struct Snapshots<'a> {
    of: Vec<i32>,
    ns: Vec<&'a str>,
    seq: Vec<i64>,
    format: Vec<i32>,
    payload: Vec<&'a [u8]>,
    checksum: Vec<i64>,
}

#[derive(Default)]
struct Timers {
    of: Vec<i32>,
    interrupt: Vec<Uuid>,
    at: Vec<i64>,
}

impl<'a> Group<'a> {
    /// Adds a commit that [`check`] has let pass, under a number that tells it
    /// from all others.
    pub(super) fn add(&mut self, commit: &'a Commit, token: i64) -> Result<(), Error> {
        let new = commit.version == 0;
        // A new thread has epoch 0 and its first event is 0.
        let fits = !new || commit.epoch == 0 && commit.rows.first().is_none_or(|row| row.seq == 0);
        self.name.push(commit.thread.as_str());
        self.token.push(token);
        self.incarnation.push(stored(commit.incarnation.as_u64())?);
        self.queued.push(commit.queued.map(|run| Uuid::from_u128(run.as_u128())));
        self.removes.push(commit.remove.is_some().into());
        self.version.push(bound(commit.version));
        self.epoch.push(bound(commit.epoch));
        self.claim.push(commit.claim.into());
        self.status.push(commit.status.as_str());
        self.at.push(stored(commit.at_ms)?);
        self.owner.push(commit.lease.owner.as_str());
        self.lease.push(bound(commit.lease.ttl_ms.min(LONGEST_LEASE)));
        self.instead.push(commit.lease.instead_of.as_ref().map(Owner::as_str));
        self.first.push(commit.rows.first().map(|row| bound(row.seq)));
        let Some(count) = events(&commit.rows).filter(|_| fits) else {
            self.count.push(-1);
            return Ok(());
        };
        self.count.push(count);
        let of = stored(self.name.len())?;
        if let Some(range) = &commit.remove {
            self.removed.of.push(of);
            self.removed.from.push(bound(range.start));
            self.removed.until.push(bound(range.end));
        }
        for row in &commit.rows {
            self.rows.add(of, row)?;
        }
        self.add_others(of, commit)
    }

    fn add_others(&mut self, of: i32, commit: &'a Commit) -> Result<(), Error> {
        // Said twice in one commit, the last word counts.
        for (i, snapshot) in commit.snapshots.iter().enumerate() {
            let same = |other: &Snapshot| (&other.ns, other.seq) == (&snapshot.ns, snapshot.seq);
            if !commit.snapshots.iter().skip(i + 1).any(same) {
                self.snapshots.add(of, snapshot)?;
            }
        }
        for (i, (interrupt, at_ms)) in commit.set_timers.iter().enumerate() {
            if !commit.set_timers.iter().skip(i + 1).any(|(other, _)| other == interrupt) {
                self.timers.add(of, *interrupt, *at_ms)?;
            }
        }
        commit.clear_timers.iter().try_for_each(|interrupt| self.cleared.add(of, *interrupt, 0))
    }

    pub(super) fn values(&self) -> [Value<'_>; PARAMETERS] {
        let Self { removed, rows, snapshots, timers, cleared, .. } = self;
        [
            (&self.name, Type::TEXT_ARRAY),
            (&self.token, Type::INT8_ARRAY),
            (&self.incarnation, Type::INT8_ARRAY),
            (&self.version, Type::INT8_ARRAY),
            (&self.epoch, Type::INT8_ARRAY),
            (&self.claim, Type::INT8_ARRAY),
            (&self.status, Type::TEXT_ARRAY),
            (&self.at, Type::INT8_ARRAY),
            (&self.first, Type::INT8_ARRAY),
            (&self.count, Type::INT8_ARRAY),
            (&self.owner, Type::TEXT_ARRAY),
            (&self.lease, Type::INT8_ARRAY),
            (&self.instead, Type::TEXT_ARRAY),
            (&self.queued, Type::UUID_ARRAY),
            (&self.removes, Type::INT8_ARRAY),
            (&removed.of, Type::INT4_ARRAY),
            (&removed.from, Type::INT8_ARRAY),
            (&removed.until, Type::INT8_ARRAY),
            (&rows.of, Type::INT4_ARRAY),
            (&rows.seq, Type::INT8_ARRAY),
            (&rows.events, Type::INT4_ARRAY),
            (&rows.ns, Type::TEXT_ARRAY),
            (&rows.kind, Type::INT2_ARRAY),
            (&rows.run, Type::UUID_ARRAY),
            (&rows.checkpoint, Type::UUID_ARRAY),
            (&rows.source, Type::INT2_ARRAY),
            (&rows.at, Type::INT8_ARRAY),
            (&rows.format, Type::INT4_ARRAY),
            (&rows.payload, Type::BYTEA_ARRAY),
            (&rows.checksum, Type::INT8_ARRAY),
            (&snapshots.of, Type::INT4_ARRAY),
            (&snapshots.ns, Type::TEXT_ARRAY),
            (&snapshots.seq, Type::INT8_ARRAY),
            (&snapshots.format, Type::INT4_ARRAY),
            (&snapshots.payload, Type::BYTEA_ARRAY),
            (&snapshots.checksum, Type::INT8_ARRAY),
            (&timers.of, Type::INT4_ARRAY),
            (&timers.interrupt, Type::UUID_ARRAY),
            (&timers.at, Type::INT8_ARRAY),
            (&cleared.of, Type::INT4_ARRAY),
            (&cleared.interrupt, Type::UUID_ARRAY),
        ]
    }
}

impl<'a> Rows<'a> {
    fn add(&mut self, of: i32, row: &'a Row) -> Result<(), Error> {
        self.of.push(of);
        self.seq.push(stored(row.seq)?);
        self.events.push(stored(row.events)?);
        self.ns.push(row.ns.as_str());
        self.kind.push(row.kind.code().into());
        self.run.push(Uuid::from_u128(row.run.as_u128()));
        self.checkpoint.push(row.checkpoint.map(|id| Uuid::from_u128(id.as_u128())));
        self.source.push(row.source.map(|source| source.code().into()));
        self.at.push(stored(row.at_ms)?);
        self.format.push(stored(row.format)?);
        self.payload.push(&row.payload);
        self.checksum.push(row.checksum as i64);
        Ok(())
    }
}

impl<'a> Snapshots<'a> {
    fn add(&mut self, of: i32, snapshot: &'a Snapshot) -> Result<(), Error> {
        self.of.push(of);
        self.ns.push(snapshot.ns.as_str());
        self.seq.push(stored(snapshot.seq)?);
        self.format.push(stored(snapshot.format)?);
        self.payload.push(&snapshot.payload);
        self.checksum.push(snapshot.checksum as i64);
        Ok(())
    }
}

impl Timers {
    fn add(&mut self, of: i32, interrupt: InterruptId, at_ms: u64) -> Result<(), Error> {
        self.of.push(of);
        self.interrupt.push(interrupt_to_sql(interrupt)?);
        self.at.push(stored(at_ms)?);
        Ok(())
    }
}

/// How many event numbers the rows take; none if there is a gap between them, or if they leave PostgreSQL's range, where
/// no thread can be.
fn events(rows: &[Row]) -> Option<i64> {
    let (first, count) = (rows.first().map_or(0, |row| row.seq), shared::events(rows)?);
    i64::try_from(first.checked_add(count)?).ok()?;
    i64::try_from(count).ok()
}
