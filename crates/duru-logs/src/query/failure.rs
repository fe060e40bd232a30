//! DataFusion's errors as the store's. None may hold a value of a row.

use datafusion::arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use duru_sql::{Error, Fault};

use crate::bucket::trouble;
use crate::functions::{Failure, fault_in};

/// How DataFusion begins what it says of a filter that failed within a Parquet file. The
/// failure itself is there only as its debug text.
const FILTER: &str = "Error evaluating filter predicate";

/// With what a bucket is called, if segments are in one.
pub(super) fn failed(e: &DataFusionError, place: Option<&str>) -> Error {
    if let (Some(place), Some(e)) = (place, of_store(e)) {
        return trouble(place, e);
    }
    // It may be wrapped as an error of Arrow's.
    let text = e.to_string();
    if text.contains("Resources exhausted") || text.contains("spill") {
        return Error::OutOfMemory;
    }
    let fault = match e.find_root() {
        DataFusionError::ResourcesExhausted(_) => return Error::OutOfMemory,
        DataFusionError::External(e) => match e.downcast_ref::<Failure>() {
            Some(Failure::Fault(fault)) => *fault,
            Some(Failure::Unsupported(what)) => return Error::Unsupported { what: what.clone() },
            // Of a worker's errors only the text arrives.
            None => fault_in(&text).unwrap_or(Fault::Other),
        },
        DataFusionError::ArrowError(e, _) => match e.as_ref() {
            ArrowError::DivideByZero => Fault::DivisionByZero,
            ArrowError::ArithmeticOverflow(_) => Fault::OutOfRange,
            ArrowError::ExternalError(e) => match e.downcast_ref::<DataFusionError>() {
                Some(e) => return failed(e, place),
                None => in_filter(&text).or_else(|| fault_in(&text)).unwrap_or(Fault::Other),
            },
            ArrowError::CastError(_) | ArrowError::ParseError(_) => Fault::NotOfType,
            _ => in_filter(&text).unwrap_or(Fault::Other),
        },
        DataFusionError::IoError(_) | DataFusionError::ObjectStore(_) => {
            return Error::Unavailable { reason: "a file of the store can't be read".into() };
        }
        DataFusionError::ParquetError(_) => match in_filter(&text) {
            Some(fault) => fault,
            None => return Error::Corrupt { reason: "a Parquet file of the store can't be read".into() },
        },
        // These speak of the query, not of rows.
        DataFusionError::Plan(text) | DataFusionError::NotImplemented(text) => {
            return Error::Unsupported { what: first_line(text).to_owned() };
        }
        DataFusionError::SchemaError(..) => Fault::UnknownName,
        DataFusionError::Diagnostic(_, e) | DataFusionError::Context(_, e) => return failed(e, place),
        _ => fault_in(&text).unwrap_or(Fault::Other),
    };
    Error::Query { fault }
}

/// What object storage said, wherever in the chain of causes.
fn of_store(e: &DataFusionError) -> Option<&object_store::Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(e);
    while let Some(e) = cause {
        if let Some(e) = e.downcast_ref::<object_store::Error>() {
            return Some(e);
        }
        cause = e.source();
    }
    None
}

/// What failed within a filter that was pushed into a file: the file itself is sound.
fn in_filter(text: &str) -> Option<Fault> {
    let (_, after) = text.split_once(FILTER)?;
    Some(fault_in(after).unwrap_or(Fault::Other))
}

/// Whether the query would fail anywhere. Whatever else fails may be a worker's fault: it has other questions in its memory, too.
pub(super) fn is_of_the_query(e: &Error) -> bool {
    matches!(e, Error::Query { fault } if *fault != Fault::Other)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
