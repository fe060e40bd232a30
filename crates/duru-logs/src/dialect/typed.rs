//! Types as PostgreSQL tells them apart, and literals that take the type of what is beside them.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::compute::kernels::cast_utils::parse_interval_month_day_nano;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, ScalarUDF, lit};

use crate::columns::{JSON, LEVEL, level_rank};
use crate::functions::{Number, fails, json_text};
use duru_sql::Fault;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Text,
    Boolean,
    /// With time zone.
    Time,
    LocalTime,
    Date,
    Interval,
    Json,
    Level,
    Null,
    Other,
}

impl Class {
    pub(super) fn of(kind: &DataType) -> Self {
        match kind {
            kind if *kind == LEVEL => Self::Level,
            kind if *kind == JSON => Self::Json,
            kind if Number::of(kind).is_some() => Self::Number,
            DataType::Utf8 | DataType::Utf8View => Self::Text,
            DataType::Boolean => Self::Boolean,
            DataType::Timestamp(TimeUnit::Microsecond, Some(_)) => Self::Time,
            DataType::Timestamp(_, None) => Self::LocalTime,
            DataType::Date32 => Self::Date,
            DataType::Duration(_) | DataType::Interval(_) => Self::Interval,
            DataType::Null => Self::Null,
            _ => Self::Other,
        }
    }
}

/// Our functions by name, for plans.
#[derive(Debug, Clone)]
pub(crate) struct Calls(Arc<HashMap<String, Arc<ScalarUDF>>>);

impl Calls {
    pub(crate) fn new(functions: &[Arc<ScalarUDF>]) -> Self {
        Self(Arc::new(functions.iter().map(|f| (f.name().to_owned(), f.clone())).collect()))
    }

    pub(super) fn call(&self, name: &str, args: Vec<Expr>) -> Result<Expr> {
        let function = self.0.get(name).ok_or_else(|| fails(Fault::WrongTypes))?;
        Ok(Expr::ScalarFunction(ScalarFunction::new_udf(function.clone(), args)))
    }

    /// A literal of no type yet, read as the type of what it stands beside.
    pub(super) fn literal(&self, text: &str, beside: &DataType) -> Result<Expr> {
        let bad = || fails(Fault::NotOfType);
        Ok(match Class::of(beside) {
            Class::Level => lit(level_rank(text).ok_or_else(|| fails(Fault::NotALevel))?),
            Class::Json => {
                let json = json_text::normal(text).ok_or_else(|| fails(Fault::BadJson))?;
                lit(ScalarValue::LargeUtf8(Some(json)))
            }
            Class::Number => match Number::of(beside) {
                Some(Number::Int(_)) => lit(text.trim().parse::<i64>().map_err(|_| bad())?),
                Some(Number::Float) => self.call("pg_to_float8", vec![lit(text)])?,
                _ => self.call("pg_to_numeric", vec![lit(text)])?,
            },
            Class::Boolean => self.call("pg_to_bool", vec![lit(text)])?,
            Class::Time => self.call("pg_to_timestamptz", vec![lit(text)])?,
            Class::LocalTime => self.call("pg_to_timestamp", vec![lit(text)])?,
            Class::Date => self.call("pg_to_date", vec![lit(text)])?,
            Class::Interval => {
                let interval = parse_interval_month_day_nano(text).map_err(|_| bad())?;
                lit(ScalarValue::IntervalMonthDayNano(Some(interval)))
            }
            Class::Text | Class::Null | Class::Other => lit(text),
        })
    }
}

/// The text of a literal that has no type yet.
pub(super) fn untyped(e: &Expr) -> Option<&str> {
    match e {
        Expr::Literal(ScalarValue::Utf8(Some(text)) | ScalarValue::Utf8View(Some(text)), _) => Some(text),
        _ => None,
    }
}
