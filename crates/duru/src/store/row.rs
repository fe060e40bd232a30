//! A row of a thread's log as a store holds it: an envelope that every backend
//! can index, and a payload that only the engine reads.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Error;
use crate::log::Source;
use crate::{CheckpointId, Namespace, RunId, ThreadId};

/// The payload format this version writes. A row of a greater one was written
/// by a newer program and is refused.
pub const FORMAT: u32 = 1;

/// A position in a thread's log. Numbers are never reused.
pub type Seq = u64;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A run begins.
    Begin,
    /// A step ends: writes, state changes and the next step's plan.
    Checkpoint,
    /// A task ended before its siblings, failed, or waits for an answer.
    Task,
    /// A question was answered.
    Answer,
    /// An effect on the world was recorded.
    Effect,
    /// Tokens and custom events of a running task.
    Emit,
    /// A run ends.
    End,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Begin, Self::Checkpoint, Self::Task, Self::Answer, Self::Effect, Self::Emit, Self::End];

    /// The number that stands for it in a store.
    pub fn code(self) -> u8 {
        match self {
            Self::Begin => 1,
            Self::Checkpoint => 2,
            Self::Task => 3,
            Self::Answer => 4,
            Self::Effect => 5,
            Self::Emit => 6,
            Self::End => 7,
        }
    }

    /// The kind of a number in a store.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// A row of a thread's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number of its first event.
    pub seq: Seq,
    /// How many event numbers it takes; the next row begins at `seq + events`.
    pub events: u32,
    /// Which graph of the thread's tree wrote it.
    pub ns: Namespace,
    /// What it is about.
    pub kind: Kind,
    /// The run that wrote it.
    pub run: RunId,
    /// The checkpoint, for rows of that kind.
    pub checkpoint: Option<CheckpointId>,
    /// What wrote the checkpoint, for rows of that kind. The payload says it,
    /// too; here it is to be found by, and the checksum leaves it out.
    pub source: Option<Source>,
    /// When it was committed, in milliseconds since 1970.
    pub at_ms: u64,
    /// The payload's format.
    pub format: u32,
    /// JSON that the engine reads.
    pub payload: Vec<u8>,
    /// Of the row and its thread; see [`Row::seal`].
    pub checksum: u64,
}

impl Row {
    /// The number after this row's last event.
    pub fn end(&self) -> Seq {
        self.seq + Seq::from(self.events)
    }

    /// Computes the checksum. The thread is part of it, so that a row copied
    /// into another thread by hand is noticed too.
    pub fn seal(&mut self, thread: &ThreadId) {
        self.checksum = self.digest(thread);
    }

    /// Checks format and checksum of a row that came from a store.
    pub fn verify(&self, thread: &ThreadId) -> Result<(), Error> {
        let what = || format!("row {} of thread {thread}", self.seq);
        check(what, self.format, || self.digest(thread) == self.checksum)
    }

    fn digest(&self, thread: &ThreadId) -> u64 {
        let run = split(self.run.as_u128());
        let checkpoint = split(self.checkpoint.map_or(0, CheckpointId::as_u128));
        let small = u64::from(self.events) << 32 | u64::from(self.format);
        let kind = u64::from(self.kind.code());
        let numbers = [self.seq, small, kind, run[0], run[1], checkpoint[0], checkpoint[1], self.at_ms];
        digest([thread.as_str(), self.ns.as_str()], &numbers, &self.payload)
    }
}

/// The format comes first: a newer one may be summed up differently.
fn check(what: impl Fn() -> String, format: u32, sums_up: impl FnOnce() -> bool) -> Result<(), Error> {
    if format > FORMAT {
        return Err(Error::Newer { what: what(), found: format, known: FORMAT });
    }
    if !sums_up() {
        return Err(Error::Corrupt { what: what(), reason: "its checksum does not match".into() });
    }
    Ok(())
}

fn split(number: u128) -> [u64; 2] {
    [(number >> 64) as u64, number as u64]
}

/// Each part seeds the hash of the next: none can move into its neighbour.
fn digest(names: [&str; 2], numbers: &[u64], payload: &[u8]) -> u64 {
    let hash = names.iter().fold(0, |hash, name| xxh3_64_with_seed(name.as_bytes(), hash));
    let hash = numbers.iter().fold(hash, |hash, number| xxh3_64_with_seed(&number.to_le_bytes(), hash));
    xxh3_64_with_seed(payload, hash)
}

/// The whole state of one namespace after a checkpoint, so that opening a long
/// thread need not read all of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Which graph of the thread's tree.
    pub ns: Namespace,
    /// The checkpoint's row.
    pub seq: Seq,
    /// The payload's format.
    pub format: u32,
    /// JSON that the engine reads.
    pub payload: Vec<u8>,
    /// Of the snapshot and its thread.
    pub checksum: u64,
}

impl Snapshot {
    /// Computes the checksum.
    pub fn seal(&mut self, thread: &ThreadId) {
        self.checksum = self.digest(thread);
    }

    /// Checks format and checksum of a snapshot that came from a store.
    pub fn verify(&self, thread: &ThreadId) -> Result<(), Error> {
        let what = || format!("snapshot {} of thread {thread}", self.seq);
        check(what, self.format, || self.digest(thread) == self.checksum)
    }

    fn digest(&self, thread: &ThreadId) -> u64 {
        digest([thread.as_str(), self.ns.as_str()], &[self.seq, u64::from(self.format)], &self.payload)
    }
}
