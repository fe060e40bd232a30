//! A batch that came in one piece, over HTTP.

use std::io::{Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use serde_json::Value;

use super::bad::Bad;
use super::mapping::{Error, Format, Settings};
use super::read;
use super::rows::{Raw, Rows, guess};
use crate::Record;

/// What a batch holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parsed {
    pub records: Vec<Record>,
    /// Rows that were left out.
    pub bad: Vec<Bad>,
}

impl Parsed {
    pub(super) fn add(&mut self, raw: Raw, settings: &Settings) {
        match raw.fields.and_then(|fields| read::record(fields, settings)) {
            Ok(record) => self.records.push(record),
            Err(reason) => self.bad.push(Bad { row: raw.row, reason }),
        }
    }
}

/// Names under which an object may hold its rows.
const WRAPPERS: [&str; 5] = ["logs", "records", "events", "items", "data"];

/// Reads the body of a request: a JSON array, an object with one, JSON lines,
/// CSV, or plain text if there is a pattern for it; as it is, or as gzip.
///
/// # Errors
/// If nothing of it can be read. A bad row among good ones is no error.
pub fn read_batch(
    body: &[u8],
    content_type: Option<&str>,
    content_encoding: Option<&str>,
    settings: &Settings,
) -> Result<Parsed, Error> {
    let expanded;
    let body = match content_encoding.map(str::trim).filter(|name| !name.is_empty()) {
        None => body,
        Some(name) if name.eq_ignore_ascii_case("identity") => body,
        Some(name) if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => {
            expanded = expand(body, settings.body_bytes)?;
            &expanded
        }
        Some(name) => return Err(Error::UnknownEncoding(name.chars().take(40).collect())),
    };
    if body.len() > settings.body_bytes {
        return Err(Error::TooLarge { limit: settings.body_bytes as u64 });
    }
    let kind = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_lowercase();
    let format = match kind.as_str() {
        "text/csv" => Format::Csv,
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" | "application/x-jsonlines" => {
            Format::JsonLines
        }
        _ => guess(body, &kind, settings.pattern.is_some()),
    };
    let mut parsed = Parsed::default();
    if format == Format::JsonLines
        && let Some(rows) = wrapped(body)
    {
        for (row, value) in (1..).zip(rows) {
            let fields = match value {
                Value::Object(map) => Ok(map),
                _ => Err(super::bad::Reason::NotAnObject),
            };
            parsed.add(Raw { row, hash: 0, fields }, settings);
        }
        return Ok(parsed);
    }
    let mut rows = Rows::new(Box::new(Cursor::new(body)), format, settings)?;
    while let Some(raw) = rows.next()? {
        parsed.add(raw, settings);
    }
    Ok(parsed)
}

/// The rows of one object that stands for many, or for itself over several lines.
fn wrapped(body: &[u8]) -> Option<Vec<Value>> {
    // JSON lines end at the first newline, so this is cheap for them.
    let mut map = match serde_json::from_slice(body) {
        Ok(Value::Object(map)) => map,
        _ => return None,
    };
    let wrapper = WRAPPERS.iter().find(|name| map.get(**name).is_some_and(Value::is_array));
    match wrapper.and_then(|name| map.remove(*name)) {
        Some(Value::Array(rows)) => Some(rows),
        _ => Some(vec![Value::Object(map)]),
    }
}

/// At most one byte more than allowed is ever expanded.
fn expand(body: &[u8], limit: usize) -> Result<Vec<u8>, Error> {
    let mut expanded = Vec::new();
    let most = limit as u64 + 1;
    MultiGzDecoder::new(body).take(most).read_to_end(&mut expanded).map_err(|_| Error::Damaged)?;
    if expanded.len() as u64 == most {
        return Err(Error::TooLarge { limit: limit as u64 });
    }
    Ok(expanded)
}
