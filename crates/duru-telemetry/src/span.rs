//! What is kept of a span until it ends.

use std::fmt::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

use tracing::field::{Field, Visit};

use crate::context::Context;
use crate::line::AROUND;
use crate::otlp;

/// More memory is not kept for the next span.
const MOST_KEPT: usize = 4 << 10;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(i64),
    Float(f64),
    Flag(bool),
}

/// A span, from its beginning to its end.
#[derive(Debug, Default)]
pub(crate) struct Span {
    pub(crate) context: Context,
    pub(crate) parent: Option<u64>,
    pub(crate) name: &'static str,
    pub(crate) said: Attributes,
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
}

/// The protocol's numbers.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Internal = 1,
    Server = 2,
    Client = 3,
}

/// What a span says of itself. A busy server has tens of thousands of them a
/// second, so it is written as it is sent, into one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    /// In place of the name that it has in the program, if any.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whose child it is, where that comes from another process.
    pub(crate) remote: Option<Context>,
    /// Whether what it was about failed.
    pub(crate) failed: bool,
    /// All others, as the protocol has them.
    pub(crate) attributes: Vec<u8>,
    /// For the lines within it.
    pub(crate) around: Vec<(&'static str, Value)>,
    /// Whether there are lines.
    for_lines: bool,
    /// A value while it is written.
    shown: String,
}

/// What a line says.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) message: Option<String>,
    pub(crate) fields: Vec<(&'static str, Value)>,
}

pub(crate) fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

impl Attributes {
    /// Says nothing any more. Its memory stays for what comes next, unless that was uncommonly much.
    pub(crate) fn clear(&mut self, for_lines: bool) {
        (self.kind, self.remote, self.failed) = (Kind::default(), None, false);
        self.for_lines = for_lines;
        self.name.clear();
        self.attributes.clear();
        self.attributes.shrink_to(MOST_KEPT);
        self.shown.clear();
        self.shown.shrink_to(MOST_KEPT);
        self.around.clear();
    }

    /// Says more.
    pub(crate) fn add(&mut self, more: &mut Self) {
        self.failed |= more.failed;
        self.attributes.extend_from_slice(&more.attributes);
        self.around.append(&mut more.around);
    }

    fn text(&mut self, name: &'static str, text: &str) {
        match name {
            "otel.name" => text.clone_into(&mut self.name),
            "otel.kind" => {
                self.kind = match text {
                    "server" => Kind::Server,
                    "client" => Kind::Client,
                    _ => Kind::Internal,
                };
            }
            "traceparent" => self.remote = Context::parse(text),
            _ => {
                self.failed |= name == "error.type";
                otlp::text(&mut self.attributes, name, text);
                if self.for_lines
                    && let Some((_, short)) = AROUND.iter().find(|(long, _)| *long == name)
                {
                    self.around.push((*short, Value::Text(text.to_owned())));
                }
            }
        }
    }
}

impl Visit for Attributes {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let mut shown = std::mem::take(&mut self.shown);
        shown.clear();
        // Writing into a string cannot fail.
        let _ = write!(shown, "{value:?}");
        self.text(field.name(), &shown);
        self.shown = shown;
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        otlp::number(&mut self.attributes, field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        otlp::number(&mut self.attributes, field.name(), i64::try_from(value).unwrap_or(i64::MAX));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        otlp::float(&mut self.attributes, field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        otlp::flag(&mut self.attributes, field.name(), value);
    }
}

impl Said {
    fn say(&mut self, field: &Field, value: Value) {
        match (field.name(), value) {
            ("message", Value::Text(message)) => self.message = Some(message),
            (name, value) => self.fields.push((name, value)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(said, _)| *said == name).map(|(_, value)| value)
    }
}

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.say(field, Value::Text(format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.say(field, Value::Text(value.to_owned()));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.say(field, Value::Number(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.say(field, Value::Number(i64::try_from(value).unwrap_or(i64::MAX)));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.say(field, Value::Float(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.say(field, Value::Flag(value));
    }
}
