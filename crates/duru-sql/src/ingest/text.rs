//! Rows of plain text: lines by their layout, unwrapped, with the lines that belong to them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::BufRead;

use regex::Regex;
use serde_json::Value;

use super::bad::Reason;
use super::detect::LineFormat;
use super::layout::{Fields, Layout, Unwrapped, extract, looks_timed};
use super::mapping::{Error, Settings};
use super::rows::{Lines, Raw};
use super::time::{Scan, scan};
use super::trace;

pub(super) struct TextRows<'a, R> {
    lines: Lines<R>,
    format: LineFormat,
    pattern: Option<&'a Regex>,
    limit: usize,
    /// A record that lines may still follow.
    pending: Option<Pending>,
    /// The beginning of a line that the container's runtime cut.
    partial: Option<Partial>,
    ready: VecDeque<Raw>,
    ended: bool,
}

struct Pending {
    at: Place,
    fields: Fields,
    more: Vec<String>,
    bytes: usize,
}

struct Partial {
    at: Place,
    time: String,
    stream: String,
    line: String,
}

/// A line's number, and the hash of its bytes.
#[derive(Clone, Copy)]
struct Place {
    row: u64,
    hash: u64,
}

impl Place {
    fn with(self, other: Self) -> Self {
        Self { row: self.row, hash: self.hash.rotate_left(5) ^ other.hash }
    }
}

impl<'a, R: BufRead> TextRows<'a, R> {
    pub(super) fn new(lines: Lines<R>, format: LineFormat, settings: &'a Settings) -> Self {
        Self {
            lines,
            format,
            pattern: settings.pattern.as_ref(),
            limit: settings.row_bytes,
            pending: None,
            partial: None,
            ready: VecDeque::new(),
            ended: false,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Raw>, Error> {
        loop {
            if let Some(raw) = self.ready.pop_front() {
                return Ok(Some(raw));
            }
            if self.ended {
                return Ok(None);
            }
            if self.lines.advance()? {
                self.line();
            } else {
                self.ended = true;
                self.end_partial();
                self.flush();
            }
        }
    }

    fn line(&mut self) {
        let at = Place { row: self.lines.row(), hash: self.lines.hash() };
        if self.lines.line().len() > self.limit {
            return self.reject(at, Reason::TooLong { limit: self.limit });
        }
        let text = String::from_utf8_lossy(self.lines.line()).into_owned();
        let text = without_colors(text.trim_end_matches(['\r', '\n']));
        if text.trim().is_empty() {
            return;
        }
        let Some(wrapper) = self.format.wrapper else { return self.take(at, &text, None) };
        match wrapper.open(&text) {
            Some(unwrapped) => self.unwrapped(at, &unwrapped),
            None => self.reject(at, Reason::NoMatch),
        }
    }

    fn unwrapped(&mut self, at: Place, found: &Unwrapped<'_>) {
        if self.partial.as_ref().is_some_and(|partial| partial.stream != found.stream) {
            self.end_partial();
        }
        let mut whole = match self.partial.take() {
            Some(mut partial) => {
                partial.at = partial.at.with(at);
                partial.line.push_str(&found.line);
                partial
            }
            None => Partial {
                at,
                time: found.time.clone().into_owned(),
                stream: found.stream.clone().into_owned(),
                line: found.line.clone().into_owned(),
            },
        };
        if whole.line.len() > self.limit {
            whole.line.clear();
            return self.reject(whole.at, Reason::TooLong { limit: self.limit });
        }
        self.partial = Some(whole);
        if !found.partial {
            self.end_partial();
        }
    }

    fn end_partial(&mut self) {
        let Some(Partial { at, time, stream, line }) = self.partial.take() else { return };
        if line.trim().is_empty() {
            return;
        }
        let line = without_colors(&line).into_owned();
        let wrapped =
            Unwrapped { time: time.into(), stream: stream.into(), line: Cow::Borrowed(""), partial: false };
        self.take(at, &line, Some(&wrapped));
    }

    /// A line that begins a record, belongs to the one before, or can't be read.
    fn take(&mut self, at: Place, line: &str, wrapped: Option<&Unwrapped<'_>>) {
        if let Some(fields) = self.fields(line) {
            return self.begin(at, fields, line.len(), wrapped);
        }
        let belongs = trace::is_continuation(line) || (self.format.layout.joins() && wrapped.is_none());
        match &mut self.pending {
            _ if matches!(scan(line.trim_start_matches('[')), Scan::Invalid) => {
                self.reject(at, Reason::BadTime { field: "created_at".into() });
            }
            Some(pending) if belongs && pending.bytes + line.len() < self.limit => {
                pending.bytes += line.len() + 1;
                pending.at = pending.at.with(at);
                pending.more.push(line.to_owned());
            }
            Some(_) if belongs => {
                let reason = Reason::TooLong { limit: self.limit };
                self.ready.push_back(Raw { row: at.row, hash: at.hash, fields: Err(reason) });
            }
            _ => match Layout::Message.read(line).filter(|_| wrapped.is_some()) {
                Some(fields) => self.begin(at, fields, line.len(), wrapped),
                None => self.reject(at, Reason::NoMatch),
            },
        }
    }

    fn fields(&self, line: &str) -> Option<Fields> {
        let layout = self.format.layout;
        if layout == Layout::Pattern {
            return by_pattern(line, self.pattern?);
        }
        let mut fields = match layout.read(line) {
            Some(fields) => fields,
            // A line of another program that wrote into the same file.
            None if looks_timed(line) => Layout::General { before: 0, level_at: None }.read(line)?,
            None => return None,
        };
        if !matches!(layout, Layout::Json | Layout::Access | Layout::Logfmt) {
            extract(&mut fields);
        }
        Some(fields)
    }

    fn begin(&mut self, at: Place, mut fields: Fields, bytes: usize, wrapped: Option<&Unwrapped<'_>>) {
        self.flush();
        if let Some(wrapped) = wrapped {
            wrapped.mark(&mut fields);
        }
        self.pending = Some(Pending { at, fields, more: Vec::new(), bytes });
    }

    fn reject(&mut self, at: Place, reason: Reason) {
        self.flush();
        self.ready.push_back(Raw { row: at.row, hash: at.hash, fields: Err(reason) });
    }

    fn flush(&mut self) {
        if let Some(Pending { at, mut fields, more, .. }) = self.pending.take() {
            trace::join(&mut fields, &more);
            self.ready.push_back(Raw { row: at.row, hash: at.hash, fields: Ok(fields) });
        }
    }
}

fn by_pattern(line: &str, pattern: &Regex) -> Option<Fields> {
    let groups = pattern.captures(line)?;
    let fields = pattern.capture_names().flatten().filter_map(|name| {
        let value = groups.name(name)?.as_str().trim();
        (!value.is_empty()).then(|| (name.to_owned(), Value::String(value.to_owned())))
    });
    Some(fields.collect())
}

/// Without the escape sequences that color terminals.
pub(super) fn without_colors(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len());
    let mut parts = line.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        plain.push_str(&part[end..]);
    }
    Cow::Owned(plain)
}
