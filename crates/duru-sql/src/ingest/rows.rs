//! Rows of a source, one at a time.

use std::io::{BufRead, Read};

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::bad::Reason;
use super::detect::Format;
use super::elements::{Element, Elements};
use super::mapping::{Error, Settings};
use super::text::TextRows;

/// A row before anybody knows what its fields mean.
pub(super) struct Raw {
    pub(super) row: u64,
    /// Of its bytes: the same row has the same.
    pub(super) hash: u64,
    pub(super) fields: Result<Map<String, Value>, Reason>,
}

type Input<'a> = Box<dyn BufRead + Send + 'a>;

pub(super) enum Rows<'a> {
    Lines { lines: Lines<Input<'a>>, limit: usize },
    Text(Box<TextRows<'a, Input<'a>>>),
    Array { elements: Elements<Input<'a>>, row: u64, limit: usize },
    Csv { reader: Box<csv::Reader<Input<'a>>>, header: Vec<String> },
}

impl<'a> Rows<'a> {
    pub(super) fn new(mut input: Input<'a>, format: Format, settings: &'a Settings) -> Result<Self, Error> {
        if input.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            input.consume(3);
        }
        let limit = settings.row_bytes;
        Ok(match format {
            Format::JsonLines => Self::Lines { lines: Lines::new(input, limit), limit },
            Format::Lines(format) => {
                Self::Text(Box::new(TextRows::new(Lines::new(input, limit), format, settings)))
            }
            Format::JsonArray => Self::Array { elements: Elements::new(input, limit), row: 0, limit },
            Format::Csv { delimiter } => {
                let mut reader =
                    csv::ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(input);
                let header = reader.byte_headers().map_err(csv_error)?;
                let header = header.iter().map(lossy).collect();
                Self::Csv { reader: Box::new(reader), header }
            }
        })
    }

    /// The next row; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Raw>, Error> {
        loop {
            let raw = match self {
                Self::Lines { lines, limit } => lines.advance()?.then(|| Raw {
                    row: lines.row,
                    hash: lines.hash(),
                    fields: json(&lines.line, *limit),
                }),
                Self::Text(rows) => return rows.next(),
                Self::Array { elements, row, limit } => {
                    *row += 1;
                    match elements.next()? {
                        Element::End => return Ok(None),
                        Element::TooLong => {
                            let reason = Reason::TooLong { limit: *limit };
                            Some(Raw { row: *row, hash: *row, fields: Err(reason) })
                        }
                        Element::Bytes(bytes) => {
                            Some(Raw { row: *row, hash: xxh3_64(&bytes), fields: object(&bytes) })
                        }
                    }
                }
                Self::Csv { reader, header } => return csv_row(reader, header),
            };
            match raw {
                None => return Ok(None),
                // Empty lines are nothing.
                Some(Raw { fields: Ok(fields), .. }) if fields.is_empty() => {}
                Some(raw) => return Ok(Some(raw)),
            }
        }
    }
}

fn csv_error(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::Io(error),
        _ => Error::Damaged,
    }
}

fn csv_row<R: Read>(reader: &mut csv::Reader<R>, header: &[String]) -> Result<Option<Raw>, Error> {
    let mut record = csv::ByteRecord::new();
    let there = reader.read_byte_record(&mut record).map_err(csv_error)?;
    if !there {
        return Ok(None);
    }
    let row = record.position().map_or(0, csv::Position::line);
    let hash = xxh3_64(record.as_slice()) ^ record.len() as u64;
    if record.len() != header.len() {
        return Ok(Some(Raw { row, hash, fields: Err(Reason::NotCsv) }));
    }
    // An empty cell is no value.
    let cells = header.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
    let fields = cells.map(|(name, cell)| (name.clone(), Value::String(lossy(cell)))).collect();
    Ok(Some(Raw { row, hash, fields: Ok(fields) }))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(super) fn json(line: &[u8], limit: usize) -> Result<Map<String, Value>, Reason> {
    if line.len() > limit {
        return Err(Reason::TooLong { limit });
    }
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    object(line)
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>, Reason> {
    match serde_json::from_slice(bytes) {
        // No fields mean an empty line, which nobody is told of.
        Ok(Value::Object(map)) if map.is_empty() => Err(Reason::NoTime),
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(Reason::NotAnObject),
        Err(_) => Err(Reason::NotJson),
    }
}

/// Lines of at most so many bytes; of a longer one the rest is skipped.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    row: u64,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R, limit: usize) -> Self {
        Self { input, limit, row: 0, line: Vec::new() }
    }

    /// Whether there was another line.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.line.clear();
        // One byte more than allowed shows that it is too long.
        let most = self.limit as u64 + 1;
        if self.input.by_ref().take(most).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(false);
        }
        if self.line.len() as u64 == most && self.line.last() != Some(&b'\n') {
            self.skip()?;
        } else if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        self.row += 1;
        Ok(true)
    }

    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Counted from 1.
    pub(super) fn row(&self) -> u64 {
        self.row
    }

    pub(super) fn hash(&self) -> u64 {
        xxh3_64(&self.line)
    }

    fn skip(&mut self) -> std::io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let (used, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.input.consume(used);
            if ended {
                return Ok(());
            }
        }
    }
}
