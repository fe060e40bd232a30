//! Layouts of plain text: one small file each, which reads a line into named fields or says that it is not its own.

mod access;
mod apache_error;
mod general;
mod inside;
mod klog;
mod logcat;
mod logfmt;
mod syslog;
mod wrapped;

use serde_json::{Map, Value};

pub(super) use general::{learn, looks_timed};
pub(super) use inside::extract;
pub(super) use wrapped::Unwrapped;
pub use wrapped::Wrapper;

use super::time::{Scan, scan};
use super::values;

/// The fields of a line, by name.
pub(super) type Fields = Map<String, Value>;

/// How the lines of a text are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// By the pattern of a mapping.
    Pattern,
    /// An object on each line, inside of a wrapper.
    Json,
    Access,
    ApacheError,
    Syslog,
    Logcat,
    Klog,
    Logfmt,
    /// A time after so many words; perhaps a level at a place that the sample shows.
    General {
        before: usize,
        level_at: Option<usize>,
    },
    /// Only a message, inside of a wrapper.
    Message,
}

/// Layouts that can be recognised, the more special ones first.
pub(super) const KNOWN: [Layout; 6] =
    [Layout::Access, Layout::ApacheError, Layout::Klog, Layout::Logcat, Layout::Syslog, Layout::Logfmt];

impl Layout {
    /// The name by which a mapping can ask for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Json => "json",
            Self::Access => "access",
            Self::ApacheError => "apache_error",
            Self::Syslog => "syslog",
            Self::Logcat => "logcat",
            Self::Klog => "klog",
            Self::Logfmt => "logfmt",
            Self::General { .. } => "general",
            Self::Message => "message",
        }
    }

    /// What a person reads: Korean and English.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Pattern => ("매핑의 패턴으로 읽는 텍스트", "text read by the mapping's pattern"),
            Self::Json => ("JSON", "JSON"),
            Self::Access => ("nginx·Apache 접근 로그", "nginx or Apache access log"),
            Self::ApacheError => ("Apache 오류 로그", "Apache error log"),
            Self::Syslog => ("syslog", "syslog"),
            Self::Logcat => ("Android logcat", "Android logcat"),
            Self::Klog => ("Kubernetes klog", "Kubernetes klog"),
            Self::Logfmt => ("logfmt", "logfmt"),
            Self::General { .. } => ("시각으로 시작하는 텍스트", "text with a time on each line"),
            Self::Message => ("일반 텍스트", "plain text"),
        }
    }

    /// Whether a line that is not explained belongs to the one before, whatever it looks like.
    pub(super) fn joins(self) -> bool {
        matches!(self, Self::Syslog | Self::ApacheError | Self::General { .. } | Self::Klog | Self::Logcat)
    }

    /// The fields of a line, if it is laid out like this.
    pub(super) fn read(self, line: &str) -> Option<Fields> {
        match self {
            Self::Access => access::read(line),
            Self::ApacheError => apache_error::read(line),
            Self::Syslog => syslog::read(line),
            Self::Logcat => logcat::read(line),
            Self::Klog => klog::read(line),
            Self::Logfmt => logfmt::read(line),
            Self::General { before, level_at } => general::read(line, before, level_at),
            Self::Json => match serde_json::from_str(line) {
                Ok(Value::Object(fields)) => Some(fields),
                _ => None,
            },
            Self::Pattern => None,
            Self::Message => {
                let mut fields = Fields::new();
                put(&mut fields, "message", line);
                Some(fields)
            }
        }
    }
}

/// Sets a field, unless it is empty or a dash.
fn put(fields: &mut Fields, name: &str, value: &str) {
    let value = value.trim();
    if !value.is_empty() && value != "-" {
        fields.insert(name.to_owned(), Value::String(value.to_owned()));
    }
}

/// Sets a field to a number, or to the text that is none.
fn put_number(fields: &mut Fields, name: &str, value: &str) {
    match value.parse::<i64>() {
        Ok(number) => drop(fields.insert(name.to_owned(), number.into())),
        Err(_) => put(fields, name, value),
    }
}

/// A time at the beginning, and what follows.
fn timed(text: &str) -> Option<(&str, &str)> {
    match scan(text) {
        Scan::Time(found) => Some(text.split_at(found.end)),
        _ => None,
    }
}

/// What stands in brackets at the beginning, and what follows.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then(|| (&text[1..at], &text[at + 1..]));
        }
    }
    None
}

/// A word up to white space, and what follows.
fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// A level's name that is no ordinary word.
fn is_level(word: &str) -> bool {
    word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && values::level(word).is_some()
}
