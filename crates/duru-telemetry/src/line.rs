//! Log lines.

use std::io::Write as _;

use jiff::Timestamp;
use tracing::Level;

use crate::json;
use crate::settings::Format;
use crate::span::{Said, Value};

/// What a line takes from the spans around it, under shorter names.
pub(crate) const AROUND: [(&str, &str); 4] = [
    ("duru.request.id", "request"),
    ("duru.thread.id", "thread"),
    ("duru.run.id", "run"),
    ("enduser.id", "who"),
];

/// One line, ready to be written.
pub(crate) struct Line<'a> {
    pub(crate) level: Level,
    /// Which crate says it.
    pub(crate) from: &'a str,
    pub(crate) said: &'a Said,
    /// From the spans around it, what the line does not say itself.
    pub(crate) around: &'a [(&'static str, Value)],
    pub(crate) trace: Option<String>,
}

impl Line<'_> {
    pub(crate) fn write(&self, format: Format) {
        let line = match format {
            Format::Json => self.json(Timestamp::now()),
            Format::Text => self.text(Timestamp::now()),
        };
        // Nobody can be told that nobody can be told.
        drop(std::io::stderr().lock().write_all(&line));
    }

    fn fields(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let said = self.said.fields.iter().map(|(name, value)| (*name, value));
        let around = self.around.iter().map(|(name, value)| (*name, value));
        said.chain(around.filter(|(name, _)| self.said.get(name).is_none()))
    }

    fn message(&self) -> &str {
        self.said.message.as_deref().unwrap_or_default()
    }

    /// Writing into memory cannot fail.
    fn json(&self, at: Timestamp) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        let _ = write!(out, "{{\"time\":\"{at:.3}\",\"level\":\"{}\",\"from\":", word(self.level));
        json::text(&mut out, self.from);
        out.extend_from_slice(b",\"message\":");
        json::text(&mut out, self.message());
        for (name, value) in self.fields() {
            out.push(b',');
            json::text(&mut out, name);
            out.push(b':');
            let _ = match value {
                Value::Text(text) => {
                    json::text(&mut out, text);
                    Ok(())
                }
                Value::Number(number) => write!(out, "{number}"),
                Value::Float(number) if number.is_finite() => write!(out, "{number}"),
                Value::Float(_) => write!(out, "null"),
                Value::Flag(flag) => write!(out, "{flag}"),
            };
        }
        if let Some(trace) = &self.trace {
            let _ = write!(out, ",\"trace_id\":\"{trace}\"");
        }
        out.extend_from_slice(b"}\n");
        out
    }

    fn text(&self, at: Timestamp) -> Vec<u8> {
        let mut out = Vec::with_capacity(160);
        let _ = write!(out, "{at:.3} {:5} {}: ", word(self.level).to_uppercase(), self.from);
        let plain = |out: &mut Vec<u8>, text: &str| {
            for char in text.chars() {
                let _ = if json::steers(char) {
                    write!(out, "{}", char.escape_default())
                } else {
                    write!(out, "{char}")
                };
            }
        };
        plain(&mut out, self.message());
        for (name, value) in self.fields() {
            let _ = match value {
                Value::Text(text) if text.contains([' ', '"', '=']) => {
                    let _ = write!(out, " {name}=");
                    json::text(&mut out, text);
                    Ok(())
                }
                Value::Text(text) => {
                    let _ = write!(out, " {name}=");
                    plain(&mut out, text);
                    Ok(())
                }
                Value::Number(number) => write!(out, " {name}={number}"),
                Value::Float(number) => write!(out, " {name}={number}"),
                Value::Flag(flag) => write!(out, " {name}={flag}"),
            };
        }
        if let Some(trace) = &self.trace {
            let _ = write!(out, " trace_id={trace}");
        }
        out.push(b'\n');
        out
    }
}

fn word(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        _ => "trace",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> Said {
        Said {
            message: Some("request\r\nforged: yes".to_owned()),
            fields: vec![("status", Value::Number(200)), ("path", Value::Text("/a b\u{1b}[31m".into()))],
        }
    }

    #[test]
    fn a_line_is_one_line_in_both_formats() {
        let said = said();
        let around = [("run", Value::Text("r".into())), ("status", Value::Number(1))];
        let line = Line {
            level: Level::INFO,
            from: "duru_server",
            said: &said,
            around: &around,
            trace: Some("ab".into()),
        };
        let at = Timestamp::from_second(1_794_701_002).unwrap();
        let text = String::from_utf8(line.json(at)).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&json["status"], &json["run"], &json["trace_id"], &json["level"], &json["time"]),
            (&200.into(), &"r".into(), &"ab".into(), &"info".into(), &"2026-11-15T00:03:22.000Z".into())
        );
        let text = String::from_utf8(line.text(at)).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.contains("INFO  duru_server: request\\r\\nforged: yes status=200 path=\"/a b"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}') && text.contains("run=r"), "{text}");
    }
}
