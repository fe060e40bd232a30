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

#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) meta: Meta,
    pub(crate) path: PathBuf,
    dropped: AtomicBool,
}

impl Segment {
    pub(super) fn new(folder: &Folder, meta: Meta) -> Self {
        Self { path: folder.segment(meta.number), meta, dropped: AtomicBool::new(false) }
    }

    /// It counts no longer. The file goes when the last query that sees it ends.
    pub(super) fn drop_file(&self) {
        self.dropped.store(true, Ordering::Relaxed);
    }

    /// Opens a segment that the manifest names.
    pub(super) fn open(folder: &Folder, meta: Meta) -> Result<Self, Error> {
        let segment = Self::new(folder, meta);
        let found = fs::metadata(&segment.path).map(|found| found.len());
        if found.as_ref().ok() != Some(&segment.meta.bytes) {
            let found = found.map_or_else(|e| e.to_string(), |bytes| format!("{bytes} bytes"));
            let reason =
                format!("{} should have {} bytes: {found}", segment.path.display(), segment.meta.bytes);
            return Err(Error::Corrupt { reason });
        }
        Ok(segment)
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        if self.dropped.load(Ordering::Relaxed) {
            // If it stays, the next start removes it.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Writes the rows as a segment. It does not count before the manifest says so.
pub(super) fn write(
    folder: &Folder,
    number: u64,
    batches: &[RecordBatch],
    dead: &HashSet<i64>,
) -> Result<Meta, Error> {
    let path = folder.segment(number);
    let written = sorted(batches, dead).map_err(ParquetError::from).and_then(|rows| {
        let new = path.with_extension("new");
        let file = File::create(&new)?;
        let mut writer = ArrowWriter::try_new(&file, SCHEMA.clone(), Some(properties()?))?;
        for from in (0..rows.num_rows()).step_by(8192) {
            writer.write(&rows.slice(from, 8192.min(rows.num_rows() - from)))?;
        }
        writer.close()?;
        file.sync_all()?;
        super::step();
        fs::rename(&new, &path)?;
        folder.sync()?;
        super::step();
        Ok((rows, file.metadata()?.len()))
    });
    let (rows, bytes) = written.map_err(|e| parquet_failed(&path, &e))?;
    let times = rows.column(CREATED_AT).as_primitive::<TimestampMicrosecondType>();
    let ids = rows.column(ID).as_primitive::<Int64Type>();
    let range = |values: &[i64]| {
        (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0))
    };
    Ok(Meta {
        number,
        rows: rows.num_rows() as u64,
        bytes,
        times: range(times.values()),
        ids: range(ids.values()),
    })
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
    let rows = take_record_batch(&rows, &order)?;
    if dead.is_empty() {
        return Ok(rows);
    }
    let ids: &Int64Array = rows.column(ID).as_primitive();
    let deleted = rows.column(DELETED).as_boolean();
    let marked: BooleanArray =
        (0..rows.num_rows()).map(|i| Some(deleted.value(i) || dead.contains(&ids.value(i)))).collect();
    let mut columns: Vec<ArrayRef> = rows.columns().to_vec();
    columns[DELETED] = Arc::new(marked);
    RecordBatch::try_new(SCHEMA.clone(), columns)
}

/// The times of rows in memory, lowest and highest.
pub(crate) fn times(batch: &RecordBatch) -> Option<(i64, i64)> {
    let times: &TimestampMicrosecondArray = batch.column(CREATED_AT).as_primitive();
    let times = times.values();
    Some((*times.iter().min()?, *times.iter().max()?))
}
