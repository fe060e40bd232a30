//! Parquet files, those of others too, as JSON lines, which ingest understands.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, UInt8Type};
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::parquet::errors::ParquetError;
use duru_sql::Error;

use crate::columns::{LEVEL, SCHEMA, level_word};

/// Rows that are handed over together.
const TOGETHER: usize = 1_000;

/// Whether a file begins as Parquet files do.
///
/// # Errors
/// If it can't be read.
pub fn is_parquet(path: &Path) -> std::io::Result<bool> {
    use std::io::Read as _;
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(start == b"PAR1")
}

/// Hands over the rows of a file in order, some at a time, one JSON object per line.
///
/// # Errors
/// [`Error::Corrupt`] if it is no sound Parquet file, or has a column that JSON has no form for.
pub fn parquet_lines(path: &Path, mut take: impl FnMut(Vec<u8>) -> ControlFlow<()>) -> Result<(), Error> {
    let mut read = || -> Result<(), ParquetError> {
        let rows = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?;
        for batch in rows.with_batch_size(TOGETHER).build()? {
            let mut lines = LineDelimitedWriter::new(Vec::new());
            lines.write(&with_words(batch?)?)?;
            lines.finish()?;
            if take(lines.into_inner()).is_break() {
                break;
            }
        }
        Ok(())
    };
    read().map_err(|e| Error::Corrupt { reason: format!("{}: {e}", path.display()) })
}

/// A file of an embedded store has levels as numbers, which would be taken for those of others.
fn with_words(batch: RecordBatch) -> Result<RecordBatch, ParquetError> {
    let schema = batch.schema();
    let names = |schema: &Schema| schema.fields().iter().map(|f| f.name().clone()).collect::<Vec<_>>();
    let place = match schema.index_of("level") {
        Ok(place) if *schema.field(place).data_type() == LEVEL && names(&schema) == names(&SCHEMA) => place,
        _ => return Ok(batch),
    };
    let ranks = batch.column(place).as_primitive::<UInt8Type>();
    let words: StringArray = ranks.iter().map(|rank| rank.and_then(level_word)).collect();
    let (mut fields, mut columns) = (schema.fields().to_vec(), batch.columns().to_vec());
    fields[place] = Arc::new(Field::new("level", DataType::Utf8, true));
    columns[place] = Arc::new(words);
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}
