//! A batch that came in one piece, over HTTP.

use std::io::{Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_128;

use super::bad::Bad;
use super::detect::{Detected, Format, Hints, SAMPLE_BYTES, detect};
use super::mapping::{Error, Settings};
use super::read;
use super::rows::{self, Raw, Rows};
use super::time::TimeContext;
use crate::Record;

/// What a batch holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parsed {
    pub records: Vec<Record>,
    /// Rows that were left out.
    pub bad: Vec<Bad>,
    /// Of the expanded body: the same lines have the same.
    pub digest: u128,
    /// What it was read as.
    pub detected: Option<Detected>,
}

impl Parsed {
    pub(super) fn add(&mut self, raw: Raw, settings: &Settings, times: &TimeContext) {
        match raw.fields.and_then(|fields| read::record(fields, settings, times)) {
            Ok(record) => self.records.push(record),
            Err(reason) => self.bad.push(Bad { row: raw.row, reason }),
        }
    }
}

/// Names under which an object may hold its rows.
const WRAPPERS: [&str; 5] = ["logs", "records", "events", "items", "data"];

/// Reads the body of a request: a JSON array, an object with one, JSON lines,
/// CSV, or plain text in a known layout or one that a pattern explains; as it is, or as gzip.
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
        // A file as it is may be compressed without saying so; no other body begins like that.
        None if body.starts_with(&[0x1f, 0x8b]) => {
            expanded = expand(body, settings.body_bytes)?;
            &expanded
        }
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
    let known = match kind.as_str() {
        "text/csv" => Some(Format::Csv { delimiter: b',' }),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" | "application/x-jsonlines" => {
            // Docker's lines are JSON, too, and say so at the beginning.
            (!body.trim_ascii_start().starts_with(b"{\"log\"")).then_some(Format::JsonLines)
        }
        _ => None,
    };
    let sample = &body[..body.len().min(SAMPLE_BYTES)];
    let hints = Hints { name: &kind, format: known, whole: sample.len() == body.len() };
    let mut times = settings.times(None);
    let mut parsed = Parsed { digest: xxh3_128(body), ..Parsed::default() };
    let (body, detected) = match unwrapped(body) {
        Some(Whole::Rows(array)) => {
            let hints = Hints { format: Some(Format::JsonArray), whole: true, ..hints };
            let sample = &array.as_bytes()[..array.len().min(SAMPLE_BYTES)];
            (array.as_bytes(), detect(sample, hints, settings, &mut times)?)
        }
        Some(Whole::Row) if body.trim_ascii().contains(&b'\n') => {
            parsed.add(
                Raw { row: 1, hash: 0, fields: rows::json(body, settings.row_bytes) },
                settings,
                &times,
            );
            return Ok(parsed);
        }
        _ => (body, detect(sample, hints, settings, &mut times)?),
    };
    parsed.detected = Some(detected);
    let mut rows = Rows::new(Box::new(Cursor::new(body)), detected.format, settings)?;
    while let Some(raw) = rows.next()? {
        if parsed.records.len() + parsed.bad.len() == settings.batch_rows {
            return Err(Error::TooManyRows { limit: settings.batch_rows });
        }
        parsed.add(raw, settings, &times);
    }
    Ok(parsed)
}

/// One object that is the whole body.
enum Whole<'a> {
    /// It stands for the rows of this array.
    Rows(&'a str),
    /// It stands for itself, perhaps over several lines.
    Row,
}

/// What an object is that is the whole body; none of its values is made.
fn unwrapped(body: &[u8]) -> Option<Whole<'_>> {
    // JSON lines end at the first newline, so this is cheap for them.
    let mut reading = serde_json::Deserializer::from_slice(body);
    let whole = serde::Deserializer::deserialize_map(&mut reading, Finder).ok()?;
    reading.end().ok().map(|()| whole)
}

struct Finder;

impl<'de> Visitor<'de> for Finder {
    type Value = Whole<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Whole<'de>, A::Error> {
        let mut found: Option<(usize, &str)> = None;
        while let Some(name) = map.next_key::<std::borrow::Cow<'_, str>>()? {
            let Some(rank) = WRAPPERS.iter().position(|wrapper| *wrapper == name) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            if value.get().starts_with('[') && found.is_none_or(|(best, _)| rank < best) {
                found = Some((rank, value.get()));
            }
        }
        Ok(found.map_or(Whole::Row, |(_, array)| Whole::Rows(array)))
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
