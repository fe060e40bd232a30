//! One Parquet file, sorted by time.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::array::{
    ArrayRef, AsArray, BooleanArray, Int64Array, RecordBatch, TimestampMicrosecondArray,
};
use datafusion::arrow::compute::{SortColumn, concat_batches, lexsort_to_indices, take_record_batch};
use datafusion::arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use datafusion::arrow::error::ArrowError;
use datafusion::object_store::path::Path as Key;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties};
use datafusion::parquet::schema::types::ColumnPath;
use duru_sql::Error;

use super::folder::{Folder, unavailable};
use super::manifest::Meta;
use crate::columns::{CREATED_AT, DELETED, ID, SCHEMA};

const ROW_GROUP: usize = 65_536;
/// Rows that are written at a time.
const PIECE: usize = 8192;

#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) meta: Meta,
    /// Where queries find it.
    pub(crate) key: Key,
    /// The file that goes with it.
    file: Option<PathBuf>,
    dropped: AtomicBool,
}

impl Segment {
    pub(crate) fn new(meta: Meta, key: Key, file: Option<PathBuf>) -> Self {
        Self { meta, key, file, dropped: AtomicBool::new(false) }
    }

    /// It counts no longer. The file goes when the last query that sees it ends.
    pub(super) fn drop_file(&self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        if self.dropped.load(Ordering::Relaxed)
            && let Some(file) = &self.file
        {
            // If it stays, the next start removes it.
            drop(fs::remove_file(file));
        }
    }
}

/// Writes the rows as a segment, into a file that the shelf is to keep. It does not count before the manifest says so.
pub(super) fn write(
    folder: &Folder,
    number: u64,
    batches: &[RecordBatch],
    dead: &HashSet<i64>,
) -> Result<(PathBuf, Meta), Error> {
    let rows = sorted(batches, dead).map_err(|e| parquet_failed(&folder.segment(number), &e.into()))?;
    let pieces = (0..rows.num_rows()).step_by(PIECE);
    write_sorted(folder, number, pieces.map(|from| Ok(rows.slice(from, PIECE.min(rows.num_rows() - from)))))
}

/// As [`write`], rows that come in their order.
pub(super) fn write_sorted(
    folder: &Folder,
    number: u64,
    pieces: impl Iterator<Item = Result<RecordBatch, ParquetError>>,
) -> Result<(PathBuf, Meta), Error> {
    let path = folder.segment(number).with_extension("new");
    let mut meta = Meta { number, rows: 0, bytes: 0, times: (i64::MAX, i64::MIN), ids: (i64::MAX, i64::MIN) };
    let widen = |range: &mut (i64, i64), values: &[i64]| {
        range.0 = values.iter().copied().fold(range.0, i64::min);
        range.1 = values.iter().copied().fold(range.1, i64::max);
    };
    let written = || -> Result<(), ParquetError> {
        let file = File::create(&path)?;
        let mut writer = ArrowWriter::try_new(&file, SCHEMA.clone(), Some(properties()?))?;
        for piece in pieces {
            let piece = piece?;
            meta.rows += piece.num_rows() as u64;
            widen(
                &mut meta.times,
                piece.column(CREATED_AT).as_primitive::<TimestampMicrosecondType>().values(),
            );
            widen(&mut meta.ids, piece.column(ID).as_primitive::<Int64Type>().values());
            writer.write(&piece)?;
        }
        writer.close()?;
        file.sync_all()?;
        super::step();
        meta.bytes = file.metadata()?.len();
        Ok(())
    };
    written().map_err(|e| parquet_failed(&path, &e))?;
    Ok((path, meta))
}

fn parquet_failed(path: &Path, e: &ParquetError) -> Error {
    unavailable("can't write", path, &std::io::Error::other(e.to_string()))
}

fn properties() -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_statistics_enabled(EnabledStatistics::Page);
    // Those that a journey is looked up by: most row groups don't hold a given one.
    for name in ["trace_id", "session_id"] {
        properties = properties.set_column_bloom_filter_enabled(ColumnPath::from(name), true);
    }
    Ok(properties.build())
}

/// By time, then by id; those deleted meanwhile marked.
fn sorted(batches: &[RecordBatch], dead: &HashSet<i64>) -> Result<RecordBatch, ArrowError> {
    let rows = concat_batches(&SCHEMA, batches)?;
    let by = [CREATED_AT, ID].map(|i| SortColumn { values: rows.column(i).clone(), options: None });
    let order = lexsort_to_indices(&by, None)?;
    marked(take_record_batch(&rows, &order)?, dead).map(|(rows, _)| rows)
}

/// The rows with those deleted that are dead, and which these are.
pub(super) fn marked(rows: RecordBatch, dead: &HashSet<i64>) -> Result<(RecordBatch, Vec<i64>), ArrowError> {
    let ids: &Int64Array = rows.column(ID).as_primitive();
    let found: Vec<i64> = match dead.is_empty() {
        true => Vec::new(),
        false => ids.values().iter().copied().filter(|id| dead.contains(id)).collect(),
    };
    if found.is_empty() {
        return Ok((rows, found));
    }
    let deleted = rows.column(DELETED).as_boolean();
    let deleted: BooleanArray =
        (0..rows.num_rows()).map(|i| Some(deleted.value(i) || dead.contains(&ids.value(i)))).collect();
    let mut columns: Vec<ArrayRef> = rows.columns().to_vec();
    columns[DELETED] = Arc::new(deleted);
    Ok((RecordBatch::try_new(SCHEMA.clone(), columns)?, found))
}

/// The times of rows in memory, lowest and highest.
pub(crate) fn times(batch: &RecordBatch) -> Option<(i64, i64)> {
    let times: &TimestampMicrosecondArray = batch.column(CREATED_AT).as_primitive();
    let times = times.values();
    Some((*times.iter().min()?, *times.iter().max()?))
}
