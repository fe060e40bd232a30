//! What is kept of a span until it ends.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use tracing::field::{Field, Visit};

use crate::context::Context;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(i64),
    Float(f64),
    Flag(bool),
}

/// A span, from its beginning to its end.
#[derive(Debug)]
pub(crate) struct Span {
    pub(crate) context: Context,
    pub(crate) parent: Option<u64>,
    pub(crate) name: &'static str,
    pub(crate) said: Said,
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
}

/// What a span or a line says of itself.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// In place of the name that it has in the program.
    pub(crate) name: Option<String>,
    pub(crate) kind: Kind,
    /// Whose child it is, where that comes from another process.
    pub(crate) remote: Option<Context>,
    pub(crate) fields: Vec<(&'static str, Value)>,
    pub(crate) message: Option<String>,
}

/// The protocol's numbers.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Internal = 1,
    Server = 2,
    Client = 3,
}

pub(crate) fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

impl Said {
    fn say(&mut self, field: &Field, value: Value) {
        match (field.name(), value) {
            ("otel.name", Value::Text(name)) => self.name = Some(name),
            ("otel.kind", Value::Text(kind)) => {
                self.kind = match kind.as_str() {
                    "server" => Kind::Server,
                    "client" => Kind::Client,
                    _ => Kind::Internal,
                };
            }
            ("traceparent", Value::Text(header)) => self.remote = Context::parse(&header),
            ("message", Value::Text(message)) => self.message = Some(message),
            // What is said twice holds as it was said last.
            (name, value) => match self.fields.iter_mut().find(|(said, _)| *said == name) {
                Some((_, old)) => *old = value,
                None => self.fields.push((name, value)),
            },
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
