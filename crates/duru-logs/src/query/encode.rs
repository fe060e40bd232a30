//! Arrow's columns as JSON rows, up to the caps.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Float64Type, Int64Type, SchemaRef, TimeUnit, TimestampMicrosecondType, UInt8Type,
};
use datafusion::common::Result;
use duru_sql::{Answer, Cap, Column, Fault, Kind, Level, Limits};
use serde_json::{Number as JsonNumber, Value};

use crate::columns::{JSON, LEVEL, level_word};
use crate::dialect::shown_name;
use crate::functions::{Clock, Number, fails, print_time, print_value, to_date};

pub(super) struct Encoder {
    columns: Vec<Column>,
    rows: Vec<Vec<Value>>,
    cut: Option<Cap>,
    bytes: usize,
    clock: Arc<Clock>,
    limits: Limits,
}

impl Encoder {
    pub(super) fn new(schema: &SchemaRef, clock: Arc<Clock>, limits: Limits) -> Self {
        let column = |field: &Arc<datafusion::arrow::datatypes::Field>| Column {
            name: shown_name(field.name()).to_owned(),
            kind: kind(field.data_type()),
        };
        let columns = schema.fields().iter().map(column).collect();
        Self { columns, rows: Vec::new(), cut: None, bytes: 0, clock, limits }
    }

    /// Takes the rows that still fit.
    pub(super) fn take(&mut self, batch: &RecordBatch) -> Result<ControlFlow<()>> {
        let room = self.limits.rows - self.rows.len();
        let taken = batch.slice(0, room.min(batch.num_rows()));
        let columns = taken.columns().iter().map(|column| self.values(column)).collect::<Result<Vec<_>>>()?;
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        for _ in 0..taken.num_rows() {
            let row: Vec<Value> =
                columns.iter_mut().map(|column| column.next().unwrap_or(Value::Null)).collect();
            self.bytes += row.iter().map(size).sum::<usize>();
            if self.bytes > self.limits.bytes {
                self.cut = Some(Cap::Bytes);
                return Ok(ControlFlow::Break(()));
            }
            self.rows.push(row);
        }
        if batch.num_rows() > room {
            self.cut = Some(Cap::Rows);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    pub(super) fn finish(self, took: Duration) -> Answer {
        Answer { columns: self.columns, rows: self.rows, cut: self.cut, took }
    }

    fn values(&self, column: &ArrayRef) -> Result<Vec<Value>> {
        let text = |v: Option<String>| v.map_or(Value::Null, |text| Value::String(self.shortened(text)));
        Ok(match column.data_type() {
            DataType::Null => vec![Value::Null; column.len()],
            DataType::Boolean => column.as_boolean().iter().map(Value::from).collect(),
            kind if *kind == LEVEL => {
                let word = |v: Option<u8>| Value::from(v.and_then(level_word));
                column.as_primitive::<UInt8Type>().iter().map(word).collect()
            }
            kind if *kind == JSON => {
                let json = |v: Option<&str>| match v {
                    Some(v) if v.len() > self.limits.value_bytes => Ok(text(Some(v.to_owned()))),
                    Some(v) => serde_json::from_str(v).map_err(|_| fails(Fault::BadJson)),
                    None => Ok(Value::Null),
                };
                column.as_string::<i64>().iter().map(json).collect::<Result<_>>()?
            }
            DataType::Float32 | DataType::Float64 => {
                let column = cast(column, &DataType::Float64)?;
                column.as_primitive::<Float64Type>().iter().map(|v| v.map_or(Value::Null, float)).collect()
            }
            DataType::Decimal128(_, _) | DataType::Decimal256(_, _) => {
                print_value(column, &self.clock, "true")?
                    .iter()
                    .map(|v| v.map_or(Value::Null, decimal))
                    .collect()
            }
            kind if Number::of(kind).is_some() => {
                let column = cast(column, &DataType::Int64)?;
                column.as_primitive::<Int64Type>().iter().map(Value::from).collect()
            }
            DataType::Timestamp(TimeUnit::Microsecond, zone) => {
                let zone = zone.as_ref().map(|_| &self.clock.zone);
                let each = column.as_primitive::<TimestampMicrosecondType>().iter();
                each.map(|v| Ok(v.map(|us| print_time(us, zone, 'T')).transpose()?.into()))
                    .collect::<Result<_>>()?
            }
            DataType::Date32 => {
                let each = column.as_primitive::<Date32Type>().iter();
                each.map(|v| {
                    Ok(v.map(|days| Ok::<_, datafusion::common::DataFusionError>(to_date(days)?.to_string()))
                        .transpose()?
                        .into())
                })
                .collect::<Result<_>>()?
            }
            DataType::List(_) => {
                let each = column.as_list::<i32>().iter();
                each.map(|v| v.map_or(Ok(Value::Null), |list| self.values(&list).map(Value::Array)))
                    .collect::<Result<_>>()?
            }
            _ => {
                print_value(column, &self.clock, "true")?.iter().map(|v| text(v.map(str::to_owned))).collect()
            }
        })
    }

    fn shortened(&self, mut text: String) -> String {
        if text.len() > self.limits.value_bytes {
            text.truncate(text.floor_char_boundary(self.limits.value_bytes));
        }
        text
    }
}

fn float(value: f64) -> Value {
    // What JSON has no number for is a word, as PostgreSQL writes it.
    match value {
        v if v.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        v => JsonNumber::from_f64(v).map_or(Value::Null, Value::Number),
    }
}

/// A decimal as a number: whole if it is written so.
fn decimal(text: &str) -> Value {
    if let Ok(whole) = text.parse::<i64>() {
        return whole.into();
    }
    text.parse::<f64>().map_or(Value::Null, float)
}

fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(list) => list.iter().map(size).sum::<usize>() + 2,
        Value::Object(_) => value.to_string().len(),
        _ => 8,
    }
}

fn kind(kind: &DataType) -> Kind {
    match kind {
        kind if *kind == LEVEL => {
            Kind::Ordered(Level::ALL.iter().map(|level| level.word().to_owned()).collect())
        }
        kind if *kind == JSON => Kind::Json,
        DataType::Int8 | DataType::Int16 | DataType::Int32 => Kind::Integer,
        DataType::Decimal128(_, _) | DataType::Decimal256(_, _) => Kind::Numeric,
        DataType::Float32 | DataType::Float64 => Kind::Double,
        kind if Number::of(kind).is_some() => Kind::Bigint,
        DataType::Boolean => Kind::Boolean,
        DataType::Timestamp(_, Some(_)) => Kind::Timestamp,
        DataType::Timestamp(_, None) => Kind::LocalTimestamp,
        DataType::Date32 => Kind::Date,
        DataType::Duration(_) | DataType::Interval(_) => Kind::Other("interval".into()),
        DataType::List(of) => Kind::Other(format!("{}[]", list_name(of.data_type()))),
        DataType::Binary => Kind::Other("bytea".into()),
        _ => Kind::Text,
    }
}

fn list_name(of: &DataType) -> &'static str {
    match of {
        DataType::Int32 => "integer",
        DataType::Int64 => "bigint",
        _ => "text",
    }
}
