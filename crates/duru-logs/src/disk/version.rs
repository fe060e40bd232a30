//! What queries see: one version of everything, replaced as a whole.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;

use super::segment::{Segment, times};
use super::shelf::Shelf;
use crate::columns::SCHEMA;

/// Small batches in memory are joined up to so many rows.
const JOINED: usize = 8192;

#[derive(Debug, Clone, Default)]
pub(crate) struct Version {
    /// Appends and deletions so far, and a checksum over all of them in order.
    pub(crate) changes: u64,
    pub(crate) chain: u64,
    pub(crate) drops: u64,
    pub(crate) segments: Vec<Arc<Segment>>,
    /// Logs that are becoming segments, by number.
    pub(crate) sealing: Vec<(u64, Vec<RecordBatch>)>,
    pub(crate) tail: Vec<RecordBatch>,
    /// What others keep in logs of their own.
    pub(crate) others: Vec<RecordBatch>,
    /// Changes whenever what others keep does.
    pub(crate) others_name: String,
    /// Ids of deleted lines.
    pub(crate) dead: Arc<HashSet<i64>>,
}

impl Version {
    /// Equal for equal content, also after a restart.
    pub(crate) fn name(&self) -> String {
        format!("{}.{}.{:016x}{}", self.changes, self.drops, self.chain, self.others_name)
    }

    pub(crate) fn in_memory(&self) -> impl Iterator<Item = &RecordBatch> {
        self.sealing.iter().flat_map(|(_, batches)| batches).chain(&self.tail).chain(&self.others)
    }

    pub(crate) fn rows(&self) -> u64 {
        let on_disk: u64 = self.segments.iter().map(|segment| segment.meta.rows).sum();
        on_disk + self.in_memory().map(|batch| batch.num_rows() as u64).sum::<u64>()
    }

    /// Rows in files, and in logs that become files, of which all are from before that time.
    pub(crate) fn rows_before(&self, before: i64) -> u64 {
        let old = |(_, last): (i64, i64)| last < before;
        let files = self.segments.iter().filter(|segment| old(segment.meta.times));
        let logs = self.sealing.iter().map(|(_, batches)| batches).chain([&self.tail]);
        let logs = logs.filter(|batches| batches.iter().filter_map(times).all(old)).flatten();
        files.map(|segment| segment.meta.rows).sum::<u64>()
            + logs.map(|batch| batch.num_rows() as u64).sum::<u64>()
    }

    /// Has the segments that count by now, except for those of logs that are still in memory. So it does not matter
    /// who has changed the manifest, nor whether whoever did was told. The files of others go when the last query
    /// that sees them ends.
    pub(crate) fn follow(&mut self, shelf: &dyn Shelf) {
        let manifest = shelf.manifest();
        let sealing: HashSet<u64> = self.sealing.iter().map(|(log, _)| shelf.number(*log)).collect();
        let mut known: HashMap<u64, Arc<Segment>> =
            self.segments.drain(..).map(|segment| (segment.meta.number, segment)).collect();
        let there = manifest.segments.into_iter().filter(|meta| !sealing.contains(&meta.number));
        self.segments = there
            .map(|meta| known.remove(&meta.number).unwrap_or_else(|| Arc::new(shelf.segment(meta))))
            .collect();
        known.values().for_each(|segment| segment.drop_file());
        self.drops = manifest.drops;
    }

    pub(super) fn changed(&mut self, sum: u64) {
        self.changes += 1;
        self.chain = chained(self.chain, sum);
    }

    pub(super) fn push(&mut self, batch: RecordBatch) {
        self.tail.push(batch);
        // As in a binary counter: each row is copied at most log2(JOINED) times.
        while let [.., before, last] = self.tail.as_slice()
            && before.num_rows() <= last.num_rows()
            && before.num_rows() + last.num_rows() <= JOINED
            && let Ok(joined) = concat_batches(&SCHEMA, [before, last])
        {
            self.tail.truncate(self.tail.len() - 2);
            self.tail.push(joined);
        }
    }
}

pub(crate) fn chained(chain: u64, sum: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(&sum.to_le_bytes(), chain)
}

/// The newest version.
#[derive(Debug)]
pub(crate) struct Published(Mutex<Arc<Version>>);

impl Published {
    pub(super) fn new(version: Version) -> Self {
        Self(Mutex::new(Arc::new(version)))
    }

    pub(crate) fn now(&self) -> Arc<Version> {
        self.lock().clone()
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Version)) {
        let mut now = self.lock();
        // Readers of the old version keep it.
        let mut next = Version::clone(&now);
        change(&mut next);
        *now = Arc::new(next);
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Version>> {
        // A version is replaced whole, so a panic elsewhere leaves a sound one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
