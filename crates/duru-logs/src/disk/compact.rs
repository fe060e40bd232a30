//! Several small segments become one, so that there are never many of them.

use std::collections::HashSet;
use std::fs::File;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::compute::interleave_record_batch;
use datafusion::arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use datafusion::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use datafusion::parquet::errors::ParquetError;
use duru_sql::Error;

use super::manifest::{Meta, Notes};
use super::sealer::Sealer;
use super::segment::{self, Segment};
use super::shelf::Shelf;
use crate::columns::{CREATED_AT, ID};

/// So many segments of about the same size become one.
const TOGETHER: usize = 8;
/// Rows that are read and written at a time.
const PIECE: usize = 8192;
/// From here on a merged segment's number goes: those below are of logs.
pub(crate) const MERGED: u64 = 1 << 40;

/// Which segments to merge next, lowest place first. Small ones become middling ones, which become
/// large ones; those stay. So of `rows` rows there are at most twice seven segments, and one for each
/// four full logs.
pub(super) fn due(segments: &[Meta], full: u64) -> Option<Vec<usize>> {
    let class = |meta: &Meta| match meta.rows {
        rows if rows.saturating_mul(2) < full => 0,
        rows if rows < full.saturating_mul(4) => 1,
        _ => 2,
    };
    [0, 1].into_iter().find_map(|wanted| {
        let places: Vec<usize> = (0..segments.len()).filter(|i| class(&segments[*i]) == wanted).collect();
        if places.len() < TOGETHER {
            return None;
        }
        let mut room = full.saturating_mul(TOGETHER as u64);
        let fitting = places.into_iter().take(TOGETHER).take_while(|&place| {
            let fits = segments[place].rows <= room;
            room = room.saturating_sub(segments[place].rows);
            fits
        });
        Some(fitting.collect())
    })
}

impl Sealer {
    /// Merges what is due, one set after the other. How many files are gone.
    pub(super) fn compact(&self) -> Result<u64, Error> {
        let mut gone = 0;
        while let Some(places) = due(&self.shelf.manifest().segments, self.full_rows)
            && self.merge(&places)?
        {
            gone += places.len() as u64 - 1;
        }
        Ok(gone)
    }

    /// Whether they were merged. Only this thread adds segments, but where the shelf is not ours alone, somebody else
    /// may drop old ones meanwhile, and what was done before may be seen only now: then nothing is merged.
    fn merge(&self, places: &[usize]) -> Result<bool, Error> {
        let before = self.shelf.manifest();
        let merged: HashSet<u64> =
            places.iter().filter_map(|place| Some(before.segments.get(*place)?.number)).collect();
        let merged = Arc::new(merged);
        let turn = self.shelf.turn(before.merges);
        let number = self.shelf.number(MERGED + turn);
        let now = self.published.now();
        let sources: Vec<&Arc<Segment>> =
            now.segments.iter().filter(|segment| merged.contains(&segment.meta.number)).collect();
        if sources.len() != places.len() || merged.len() != places.len() {
            return Ok(false);
        }
        let mut marked = HashSet::new();
        let rows = Merging::open(&*self.shelf, &sources)?.map(|rows| {
            let (rows, dead) = segment::marked(rows?, &now.dead)?;
            marked.extend(dead);
            Ok(rows)
        });
        let (written, meta) = segment::write_sorted(&self.folder, number, rows)?;
        self.shelf.keep_segment(&written, number)?;
        super::step();
        let mut notes = Notes::default();
        for &number in before.notes.iter().filter(|number| merged.contains(number)) {
            let Notes { keys, deleted } = self.shelf.notes(number)?;
            notes.keys.extend(keys);
            notes.deleted.extend(deleted.into_iter().filter(|id| !marked.contains(id)));
        }
        if !notes.is_empty() {
            self.shelf.save_notes(&notes, number)?;
        }
        super::step();
        let (gone, added, notes) = (merged.clone(), meta, (!notes.is_empty()).then_some(number));
        let done = self.shelf.change(Box::new(move |next| {
            let first = next.segments.iter().position(|meta| gone.contains(&meta.number));
            let there = next.segments.iter().filter(|meta| gone.contains(&meta.number)).count();
            let Some(first) = first.filter(|_| there == gone.len()) else { return false };
            next.merges = next.merges.max(turn + 1);
            if let Some(place) = next.segments.get_mut(first) {
                *place = added.clone();
            }
            next.segments.retain(|meta| !gone.contains(&meta.number));
            next.notes.retain(|number| !gone.contains(number));
            next.notes.extend(notes);
            true
        }))?;
        super::step();
        self.published.change(|version| {
            version.follow(&*self.shelf);
            if done {
                // The file itself says that they are deleted.
                Arc::make_mut(&mut version.dead).retain(|id| !marked.contains(id));
            }
        });
        super::step();
        Ok(done)
    }
}

/// The rows of several segments in one order, a piece at a time.
struct Merging {
    sources: Vec<Source>,
}

/// A segment that is being read.
struct Source {
    reader: ParquetRecordBatchReader,
    rows: RecordBatch,
    next: usize,
}

impl Source {
    fn open(file: File) -> Result<Option<Self>, ParquetError> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(file)?;
        let mut reader = reader.with_batch_size(PIECE).build()?;
        let first = reader.next().transpose()?;
        Ok(first.map(|rows| Self { reader, rows, next: 0 }))
    }

    fn key(&self) -> (i64, i64) {
        let time = self.rows.column(CREATED_AT).as_primitive::<TimestampMicrosecondType>();
        (time.value(self.next), self.rows.column(ID).as_primitive::<Int64Type>().value(self.next))
    }

    fn is_used_up(&self) -> bool {
        self.next == self.rows.num_rows()
    }
}

impl Merging {
    fn open(shelf: &dyn Shelf, segments: &[&Arc<Segment>]) -> Result<Self, Error> {
        let mut sources = Vec::new();
        for segment in segments {
            let reason = |e: ParquetError| Error::Corrupt { reason: format!("{}: {e}", segment.key) };
            sources.extend(Source::open(shelf.rows(segment)?).map_err(reason)?);
        }
        Ok(Self { sources })
    }

    fn piece(&mut self) -> Result<Option<RecordBatch>, ParquetError> {
        let mut picks = Vec::with_capacity(PIECE);
        while picks.len() < PIECE {
            let first = (0..self.sources.len()).min_by_key(|i| self.sources[*i].key());
            let Some(first) = first else { break };
            let source = &mut self.sources[first];
            picks.push((first, source.next));
            source.next += 1;
            if source.is_used_up() {
                break;
            }
        }
        if picks.is_empty() {
            return Ok(None);
        }
        let batches: Vec<&RecordBatch> = self.sources.iter().map(|source| &source.rows).collect();
        let piece = interleave_record_batch(&batches, &picks)?;
        let mut at = 0;
        while let Some(source) = self.sources.get_mut(at) {
            match source.is_used_up().then(|| source.reader.next().transpose()) {
                Some(Ok(None)) => drop(self.sources.remove(at)),
                Some(Ok(Some(rows))) => (source.rows, source.next) = (rows, 0),
                Some(Err(e)) => return Err(e.into()),
                None => at += 1,
            }
        }
        Ok(Some(piece))
    }
}

impl Iterator for Merging {
    type Item = Result<RecordBatch, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.piece().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(rows: &[u64]) -> Vec<Meta> {
        let meta = |(i, rows): (usize, &u64)| Meta {
            number: i as u64,
            rows: *rows,
            bytes: 0,
            times: (0, 0),
            ids: (0, 0),
        };
        rows.iter().enumerate().map(meta).collect()
    }

    #[test]
    fn small_ones_are_merged_first_and_large_ones_never() {
        assert_eq!(due(&sized(&[10; 7]), 100), None);
        assert_eq!(due(&sized(&[10; 9]), 100), Some((0..8).collect()));
        assert_eq!(
            due(&sized(&[500, 10, 10, 500, 10, 10, 10, 10, 10, 10]), 100),
            Some(vec![1, 2, 4, 5, 6, 7, 8, 9])
        );
        // No more than a large one may hold.
        assert_eq!(due(&sized(&[100, 300, 300, 300, 100, 100, 100, 100]), 100), Some(vec![0, 1, 2]));
        assert_eq!(due(&sized(&[400; 100]), 100), None);
    }

    #[test]
    fn the_number_of_files_stays_bounded() {
        let mut rows: Vec<u64> = Vec::new();
        for i in 0..3_000 {
            rows.push(12 + i % 3);
            while let Some(places) = due(&sized(&rows), 100) {
                assert!(places.len() > 1);
                let sum: u64 = places.iter().map(|place| rows[*place]).sum();
                assert!(sum <= 800);
                rows[places[0]] = sum;
                for place in places[1..].iter().rev() {
                    rows.remove(*place);
                }
            }
        }
        assert_eq!(rows.iter().sum::<u64>(), 39_000);
        assert!(rows.len() <= 14 + 39_000 / 400, "{}", rows.len());
    }
}
