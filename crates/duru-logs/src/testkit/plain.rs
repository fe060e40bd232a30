//! Rows of any table in memory, asked as the store is asked.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::datasource::MemTable;
use duru_sql::{Answer, Asking, Error, Kind, Table};
use jiff::Timestamp;
use serde_json::Value;

use crate::Options;
use crate::columns::{JSON, time_in};
use crate::functions::json_text;
use crate::query::{Engine, Question};

/// A table that is not the store's own.
pub struct PlainTable {
    table: Table,
    rows: Vec<Vec<Value>>,
    engine: Engine,
}

impl PlainTable {
    /// Rows as JSON, in the order of the table's columns.
    ///
    /// # Errors
    /// If the engine can't be started.
    pub fn new(table: Table, rows: Vec<Vec<Value>>, spill: &Path) -> Result<Self, Error> {
        Ok(Self { table, rows, engine: Engine::new(&Options::default(), spill, None)? })
    }

    /// # Errors
    /// As [`LogStore::query`](duru_sql::LogStore::query).
    pub async fn query(&self, sql: &str, asking: &Asking, now: Timestamp) -> Result<Answer, Error> {
        let bad = |e: &dyn std::fmt::Display| Error::Failed { reason: e.to_string() };
        let mut fields = Vec::new();
        let mut columns: Vec<ArrayRef> = Vec::new();
        for (i, column) in self.table.columns.iter().enumerate() {
            let values = || self.rows.iter().map(move |row| &row[i]);
            let array: ArrayRef = match &column.kind {
                Kind::Integer => {
                    Arc::new(values().map(|v| v.as_i64().map(|v| v as i32)).collect::<Int32Array>())
                }
                Kind::Bigint => Arc::new(values().map(Value::as_i64).collect::<Int64Array>()),
                Kind::Double => Arc::new(values().map(Value::as_f64).collect::<Float64Array>()),
                Kind::Boolean => Arc::new(values().map(Value::as_bool).collect::<BooleanArray>()),
                Kind::Timestamp => {
                    let micros = |v: &Value| v.as_str().and_then(|t| t.parse::<Timestamp>().ok());
                    let times = values().map(|v| micros(v).map(|t| t.as_microsecond()));
                    Arc::new(
                        times.collect::<TimestampMicrosecondArray>().with_timezone(asking.timezone.as_str()),
                    )
                }
                Kind::Json => {
                    let text = |v: &Value| (!v.is_null()).then(|| json_text::of_value(v));
                    Arc::new(values().map(text).collect::<LargeStringArray>())
                }
                _ => Arc::new(values().map(Value::as_str).collect::<StringArray>()),
            };
            let kind = match column.kind {
                Kind::Timestamp => time_in(&asking.timezone),
                Kind::Json => JSON,
                _ => array.data_type().clone(),
            };
            fields.push(Field::new(&column.name, kind, true));
            columns.push(array);
        }
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|e| bad(&e))?;
        let table = MemTable::try_new(schema, vec![vec![batch]]).map_err(|e| bad(&e))?;
        let tables = vec![(self.table.name.clone(), Arc::new(table) as _)];
        self.engine.ask(Question { sql: sql.to_owned(), tables, now }, asking).await
    }
}
