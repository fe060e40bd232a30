//! The columns of `logs` as Arrow keeps them.
//!
//! Three of PostgreSQL's types have no namesake. Each is given an Arrow type that
//! nothing else uses, so that the type alone tells them apart: a level is `UInt8`
//! (its rank, so that it compares by severity everywhere), JSON is `LargeUtf8`
//! (printed as `jsonb` prints it), and all other text is `Utf8`.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Decimal128Builder, Int64Array, LargeStringBuilder, RecordBatch, StringBuilder,
    TimestampMicrosecondBuilder, UInt8Builder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use duru_sql::{Error, Level, Record};

use crate::functions::json_text;

/// Digits of `numeric(10,3)`.
const DURATION: (u8, i8) = (10, 3);
const LONGEST_DURATION: i64 = 10_i64.pow(10) - 1;

pub(crate) const UTC: &str = "UTC";

pub(crate) const LEVEL: DataType = DataType::UInt8;
pub(crate) const JSON: DataType = DataType::LargeUtf8;

pub(crate) fn time_in(zone: &str) -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some(zone.into()))
}

/// As it is on disk.
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name, nullable| Field::new(name, DataType::Utf8, nullable);
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("created_at", time_in(UTC), false),
        Field::new("level", LEVEL, false),
        text("log_type", false),
        text("service", false),
        text("environment", false),
        text("service_version", false),
        text("trace_id", true),
        text("user_id", true),
        text("session_id", true),
        text("error_type", true),
        text("message", false),
        text("stack_trace", true),
        text("path", true),
        text("method", true),
        text("action_type", true),
        text("function_name", true),
        text("file_path", true),
        Field::new("duration_ms", DataType::Decimal128(DURATION.0, DURATION.1), true),
        Field::new("deleted", DataType::Boolean, false),
        Field::new("metadata", JSON, true),
    ]))
});

/// Where a column is in [`SCHEMA`].
pub(crate) const ID: usize = 0;
pub(crate) const CREATED_AT: usize = 1;
pub(crate) const DELETED: usize = 19;

/// The word of a level's rank.
pub(crate) fn level_word(rank: u8) -> Option<&'static str> {
    Level::ALL.get(usize::from(rank)).map(|level| level.word())
}

/// The rank of a level's word.
pub(crate) fn level_rank(word: &str) -> Option<u8> {
    Level::ALL.iter().position(|level| level.word() == word).and_then(|rank| u8::try_from(rank).ok())
}

/// The lines as columns. A line without an id gets one from `first_id` on.
pub(crate) fn batch(records: &[Record], ids: Vec<i64>) -> Result<RecordBatch, Error> {
    let n = records.len();
    let text = |of: &dyn Fn(&Record) -> Option<&str>| -> ArrayRef {
        let mut column = StringBuilder::with_capacity(n, n * 16);
        records.iter().for_each(|record| column.append_option(of(record)));
        Arc::new(column.finish())
    };
    let mut time = TimestampMicrosecondBuilder::with_capacity(n).with_timezone(UTC);
    let mut level = UInt8Builder::with_capacity(n);
    let mut duration = Decimal128Builder::with_capacity(n)
        .with_precision_and_scale(DURATION.0, DURATION.1)
        .map_err(|e| Error::Failed { reason: e.to_string() })?;
    let mut deleted = BooleanBuilder::with_capacity(n);
    let mut metadata = LargeStringBuilder::with_capacity(n, n * 64);
    for (i, record) in records.iter().enumerate() {
        time.append_value(record.created_at.as_microsecond());
        level.append_value(record.level as u8);
        if record.duration_us.is_some_and(|us| us.abs() > LONGEST_DURATION) {
            let reason = format!("line {} of the batch: its duration has more than ten digits", i + 1);
            return Err(Error::Failed { reason });
        }
        duration.append_option(record.duration_us.map(i128::from));
        deleted.append_value(record.deleted);
        metadata.append_option(record.metadata.as_ref().map(json_text::of_map));
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(ids)),
        Arc::new(time.finish()),
        Arc::new(level.finish()),
        text(&|r| Some(r.log_type.word())),
        text(&|r| Some(&r.service)),
        text(&|r| Some(&r.environment)),
        text(&|r| Some(&r.service_version)),
        text(&|r| r.trace_id.as_deref()),
        text(&|r| r.user_id.as_deref()),
        text(&|r| r.session_id.as_deref()),
        text(&|r| r.error_type.as_deref()),
        text(&|r| Some(&r.message)),
        text(&|r| r.stack_trace.as_deref()),
        text(&|r| r.path.as_deref()),
        text(&|r| r.method.as_deref()),
        text(&|r| r.action_type.as_deref()),
        text(&|r| r.function_name.as_deref()),
        text(&|r| r.file_path.as_deref()),
        Arc::new(duration.finish()),
        Arc::new(deleted.finish()),
        Arc::new(metadata.finish()),
    ];
    RecordBatch::try_new(SCHEMA.clone(), columns).map_err(|e| Error::Failed { reason: e.to_string() })
}
