//! What messages say inside: requests, addresses, users, durations.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{Fields, put, put_number};

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(
    REQUEST,
    r#"(?:(\d+\.\d+\.\d+\.\d+)\S* )?"?\b(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) (/[^\s"]*|https?://[^\s"]+)"#
);
pattern!(ADDRESS, r"(?:\bfrom |\bclient:? ?|rhost=|\bby |\[)(\d{1,3}(?:\.\d{1,3}){3})\b");
pattern!(
    USER,
    r"(?:[Ii]nvalid user |\buser=|for user |(?:password|publickey) for (?:invalid user )?)([\w.@-]+)"
);
pattern!(STATUS, r#"(?:\bstatus(?:_code)?[:= ]+|HTTP/[\d.]+"? (?:=> )?)([1-5]\d\d)\b"#);
pattern!(
    DURATION,
    r"(?:\btook|duration|elapsed|latency|(?:complet|finish|process|respond|serv)ed in)[:= ]+(\d[\d.]*) ?(ms|s|us|µs|ns)\b"
);
pattern!(WSGI_TIME, r"\blen: \d+ time: (\d+\.\d+)");

/// Adds what a message says to the fields that are not there.
pub(in crate::ingest) fn extract(fields: &mut Fields) {
    let Some(Value::String(message)) = fields.get("message") else { return };
    // Most messages have none of it, and that is seen at once.
    let digits = message.bytes().any(|byte| byte.is_ascii_digit());
    if !digits && !message.contains("user") && !message.contains(" /") {
        return;
    }
    let message = message.clone();
    if let Some(found) = REQUEST.as_ref().and_then(|pattern| pattern.captures(&message)) {
        let part = |at| found.get(at).map_or("", |part| part.as_str());
        let (path, query) = part(3).split_once('?').unwrap_or((part(3), ""));
        for (name, value) in [("client_ip", part(1)), ("method", part(2)), ("path", path), ("query", query)] {
            add(fields, name, value);
        }
    }
    let first = |pattern: &Option<Regex>| {
        let found = pattern.as_ref()?.captures(&message)?;
        found.get(1).map(|part| part.as_str().to_owned())
    };
    for (name, pattern) in [("client_ip", &ADDRESS), ("user_id", &USER)] {
        add(fields, name, &first(pattern).unwrap_or_default());
    }
    if let Some(status) = first(&STATUS).filter(|_| !fields.contains_key("status_code")) {
        put_number(fields, "status_code", &status);
    }
    if let Some(found) = DURATION.as_ref().and_then(|pattern| pattern.captures(&message)) {
        add(fields, "duration", &format!("{}{}", &found[1], &found[2]));
    } else if let Some(seconds) = first(&WSGI_TIME) {
        add(fields, "duration", &format!("{seconds}s"));
    }
}

fn add(fields: &mut Fields, name: &str, value: &str) {
    if !fields.contains_key(name) {
        put(fields, name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_addresses_users_and_durations() {
        for (message, expected) in [
            (
                r#"10.0.0.1 "GET /v2/servers?a=1 HTTP/1.1" status: 200 len: 1893 time: 0.25"#,
                json!({"client_ip": "10.0.0.1", "method": "GET", "path": "/v2/servers", "query": "a=1", "status_code": 200, "duration": "0.25s"}),
            ),
            (
                "Failed password for invalid user test from 198.51.100.7 port 47409 ssh2",
                json!({"client_ip": "198.51.100.7", "user_id": "test"}),
            ),
            (
                "Failed password for root from 198.51.100.7 port 1",
                json!({"client_ip": "198.51.100.7", "user_id": "root"}),
            ),
            (
                "authentication failure; rhost=198.51.100.7  user=kim",
                json!({"client_ip": "198.51.100.7", "user_id": "kim"}),
            ),
            (
                "Completed POST /pay in 31 ms, took 31ms",
                json!({"method": "POST", "path": "/pay", "duration": "31ms"}),
            ),
            ("check pass; user unknown", json!({})),
            ("retry in 5 s, 3 left, status: unknown", json!({})),
        ] {
            let mut fields = Fields::new();
            put(&mut fields, "message", message);
            extract(&mut fields);
            fields.remove("message");
            assert_eq!(json!(fields), expected, "{message}");
        }
    }
}
