//! DataFusion's errors as the store's. None may hold a value of a row.

use datafusion::arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use duru_sql::Error;

use crate::functions::Failure;

pub(super) fn failed(e: &DataFusionError) -> Error {
    // It may be wrapped as an error of Arrow's.
    let text = e.to_string();
    if text.contains("Resources exhausted") || text.contains("spill") {
        return Error::OutOfMemory;
    }
    let reason = match e.find_root() {
        DataFusionError::ResourcesExhausted(_) => return Error::OutOfMemory,
        DataFusionError::External(e) => match e.downcast_ref::<Failure>() {
            Some(failure) => failure.0.clone(),
            None => "the query failed".to_owned(),
        },
        DataFusionError::ArrowError(e, _) => match e.as_ref() {
            ArrowError::DivideByZero => "division by zero".to_owned(),
            ArrowError::ArithmeticOverflow(_) => "a number is out of range".to_owned(),
            ArrowError::ExternalError(e) => match e.downcast_ref::<DataFusionError>() {
                Some(e) => return failed(e),
                None => "the query failed".to_owned(),
            },
            ArrowError::CastError(_) | ArrowError::ParseError(_) => {
                "a value can't be read as the type that it is cast to".to_owned()
            }
            _ => "the query failed on this data".to_owned(),
        },
        DataFusionError::IoError(_) | DataFusionError::ObjectStore(_) => {
            return Error::Unavailable { reason: "a file of the store can't be read".into() };
        }
        DataFusionError::ParquetError(_) => {
            return Error::Corrupt { reason: "a Parquet file of the store can't be read".into() };
        }
        // These speak of the query, not of rows.
        DataFusionError::Plan(text) | DataFusionError::NotImplemented(text) => {
            format!("the embedded store does not support this: {}", first_line(text))
        }
        DataFusionError::SchemaError(e, _) => {
            format!("the query does not fit the tables: {}", first_line(&e.to_string()))
        }
        DataFusionError::Diagnostic(_, e) | DataFusionError::Context(_, e) => return failed(e),
        _ => "the query failed".to_owned(),
    };
    Error::Failed { reason }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
