//! Log lines: one for each event, for people or as JSON. `tracing-subscriber`
//! has forms of its own; these are the ones that are documented, and nothing
//! that anybody writes breaks a line or steers a terminal.

use std::fmt::{self, Debug, Write as _};

use jiff::Timestamp;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_log::NormalizeEvent as _;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

use crate::settings::Format;

/// What a line takes from the spans around it, under shorter names.
const AROUND: [(&str, &str); 4] = [
    ("duru.request.id", "request"),
    ("duru.thread.id", "thread"),
    ("duru.run.id", "run"),
    ("enduser.id", "who"),
];

/// Whether lines within a span say something of it.
pub(crate) fn is_said(span: &Metadata<'_>) -> bool {
    AROUND.iter().any(|(name, _)| span.fields().field(name).is_some())
}

/// Of a span, keeps what lines within it say: for each a `name=value`, in a line of its own as the value is JSON.
pub(crate) struct Around;

struct AroundVisitor<'w> {
    writer: Writer<'w>,
    result: fmt::Result,
}

impl<'w> FormatFields<'w> for Around {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut visitor = AroundVisitor { writer, result: Ok(()) };
        fields.record(&mut visitor);
        visitor.result
    }

    fn add_fields(
        &self,
        current: &'w mut FormattedFields<Self>,
        fields: &tracing::span::Record<'_>,
    ) -> fmt::Result {
        self.format_fields(current.as_writer(), fields)
    }
}

impl Visit for AroundVisitor<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if let Some((_, short)) = AROUND.iter().find(|(long, _)| *long == field.name()) {
            let written = writeln!(self.writer, "{short}={}", json(&format!("{value:?}").into()));
            self.result = self.result.and(written);
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

/// What an event says.
#[derive(Debug, Default)]
struct Said {
    message: Value,
    fields: Vec<(&'static str, Value)>,
}

impl Said {
    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        match field.name() {
            "message" => self.message = value.into(),
            // Where a record of the `log` crate comes from is known by now.
            name if name.starts_with("log.") => {}
            name => self.fields.push((name, value.into())),
        }
    }

    /// Adds what the spans say around it and it does not say itself; an inner one knows better.
    fn surround(&mut self, kept: &str) {
        for (name, value) in kept.lines().filter_map(|line| line.split_once('=')) {
            let known = AROUND.iter().find(|(_, short)| *short == name).map(|(_, short)| *short);
            let is_new = |name: &&str| !self.fields.iter().any(|(said, _)| said == name);
            if let Some(name) = known.filter(is_new) {
                self.fields.push((name, serde_json::from_str(value).unwrap_or_default()));
            }
        }
    }
}

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value);
    }
}

/// One line, ready to be written.
struct Line<'a> {
    at: Timestamp,
    level: Level,
    /// Which crate says it.
    from: &'a str,
    said: Said,
}

impl<S> FormatEvent<S, Around> for Format
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, Around>,
        writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut said = Said::default();
        event.record(&mut said);
        for span in context.event_scope().into_iter().flatten() {
            if let Some(kept) = span.extensions().get::<FormattedFields<Around>>() {
                said.surround(&kept.fields);
            }
        }
        if let Some(trace) = crate::current() {
            said.fields.push(("trace_id", trace.trace_id().into()));
        }
        let of_log = event.normalized_metadata();
        let what = of_log.as_ref().unwrap_or_else(|| event.metadata());
        let from = what.target().split("::").next().unwrap_or_default();
        let line = Line { at: Timestamp::now(), level: *what.level(), from, said };
        match self {
            Self::Json => line.json(writer),
            Self::Text => line.text(writer),
        }
    }
}

impl Line<'_> {
    fn json(&self, mut out: impl fmt::Write) -> fmt::Result {
        let level = self.level.as_str().to_ascii_lowercase();
        write!(out, "{{\"time\":\"{:.3}\",\"level\":\"{level}\"", self.at)?;
        write!(out, ",\"from\":\"{}\",\"message\":{}", self.from, json(&self.said.message))?;
        for (name, value) in &self.said.fields {
            write!(out, ",\"{name}\":{}", json(value))?;
        }
        out.write_str("}\n")
    }

    fn text(&self, mut out: impl fmt::Write) -> fmt::Result {
        write!(
            out,
            "{:.3} {:5} {}: {}",
            self.at,
            self.level,
            self.from,
            plain(self.said.message.as_str().unwrap_or_default())
        )?;
        for (name, value) in &self.said.fields {
            match value {
                Value::String(text) if !text.contains([' ', '"', '=']) => {
                    write!(out, " {name}={}", plain(text))
                }
                value => write!(out, " {name}={}", json(value)),
            }?;
        }
        out.write_char('\n')
    }
}

/// JSON in one line that steers no terminal.
fn json(value: &Value) -> String {
    let plain = value.to_string();
    if !plain.contains(steers) {
        return plain;
    }
    let mut out = String::with_capacity(plain.len() + 16);
    for char in plain.chars() {
        if steers(char) {
            // All of them have one unit in UTF-16, and writing into a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(char));
        } else {
            out.push(char);
        }
    }
    out
}

/// A text without quotes that steers no terminal.
fn plain(text: &str) -> String {
    let escaped = |char: char| {
        let (steering, harmless) = if steers(char) { (Some(char), None) } else { (None, Some(char)) };
        steering.into_iter().flat_map(char::escape_default).chain(harmless)
    };
    text.chars().flat_map(escaped).collect()
}

/// Controls, marks without a width, and what turns the direction of a line.
fn steers(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(message: &str) -> Line<'static> {
        let fields = vec![("status", 200.into()), ("path", "/a b\u{1b}[31m\u{202e}".into())];
        let mut said = Said { message: message.into(), fields };
        said.surround("run=\"r\"\nwho=\"kim\"\n");
        said.surround("who=\"another\"\nrequest=\"1\"\n");
        let at = Timestamp::from_second(1_794_701_002).unwrap();
        Line { at, level: Level::INFO, from: "duru_server", said }
    }

    #[test]
    fn a_line_is_one_line_in_both_formats_and_steers_nothing() {
        let line = line("request\r\nforged: 예 \"\\");
        let (mut json, mut text) = (String::new(), String::new());
        line.json(&mut json).unwrap();
        line.text(&mut text).unwrap();
        for written in [&json, &text] {
            assert_eq!(written.matches('\n').count(), 1, "{written}");
            assert!(!written.trim_end().chars().any(steers) && written.contains('예'), "{written}");
        }
        let read: Value = serde_json::from_str(&json).unwrap();
        assert!(
            json.starts_with("{\"time\":\"2026-11-15T00:03:22.000Z\",\"level\":\"info\",\"from\":"),
            "{json}"
        );
        assert_eq!(read["message"], "request\r\nforged: 예 \"\\");
        assert_eq!((&read["status"], &read["run"], &read["who"]), (&200.into(), &"r".into(), &"kim".into()));
        assert!(
            text.starts_with("2026-11-15T00:03:22.000Z INFO  duru_server: request\\r\\nforged: 예 \"\\ status=200 path=\"/a b"),
            "{text}"
        );
        assert!(text.ends_with(" run=r who=kim request=1\n"), "{text}");
    }
    #[test]
    fn control_sequences_and_turned_directions_reach_no_terminal() {
        let evil = "a\"b\\c\r\n\u{1b}]52;c;x\u{7}\u{9b}31m\u{202e}도\u{2028}";
        let line = line(evil);
        let (mut json, mut text) = (String::new(), String::new());
        line.json(&mut json).unwrap();
        line.text(&mut text).unwrap();
        for written in [&json, &text] {
            assert!(!written.trim_end().chars().any(steers) && written.contains('도'), "{written:?}");
        }
        let read: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["message"], evil);
    }
}
