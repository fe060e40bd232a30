//! Access logs of nginx and Apache: `common` and `combined`, with what people append to them.

use serde_json::Value;

use super::{Fields, bracketed, put, put_number, timed, word};

const METHODS: [&str; 9] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "CONNECT", "TRACE"];

/// `address identity user [time] "request" status bytes "referrer" "agent" …`, perhaps after a virtual host.
pub(super) fn read(line: &str) -> Option<Fields> {
    let open = line.find('[')?;
    let (address, vhost, user) = client(line.get(..open)?)?;
    let (time, rest) = bracketed(&line[open..])?;
    timed(time).filter(|(_, rest)| rest.is_empty())?;
    let (request, rest) = quoted(rest.trim_start())?;
    let (status, rest) = word(rest.trim_start());
    if status.len() != 3 || !status.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut fields = Fields::new();
    put(&mut fields, "created_at", time);
    put(&mut fields, "client_ip", address);
    put(&mut fields, "host", vhost);
    put(&mut fields, "user_id", user);
    put_number(&mut fields, "status_code", status);
    let level = match status.as_bytes()[0] {
        b'5' => "ERROR",
        b'4' => "WARN",
        _ => "INFO",
    };
    put(&mut fields, "level", level);
    set_request(&mut fields, request);
    let (bytes, rest) = word(rest.trim_start());
    put_number(&mut fields, "bytes", bytes);
    appended(&mut fields, rest);
    put(&mut fields, "message", &format!("{request} {status}"));
    Some(fields)
}

/// The address, the virtual host before it if there is one, and the user.
fn client(head: &str) -> Option<(&str, &str, &str)> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let (vhost, address, user) = match words.as_slice() {
        [address, _, user] => ("", *address, *user),
        [vhost, address, _, user] => (*vhost, *address, *user),
        _ => return None,
    };
    address.contains(['.', ':']).then_some(()).or((address == "localhost").then_some(()))?;
    Some((address, vhost, user))
}

/// What stands in quotes at the beginning, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some((&inner[..at], &inner[at + 1..])),
            _ => {}
        }
    }
    None
}

fn set_request(fields: &mut Fields, request: &str) {
    let mut words = request.split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return };
    if !METHODS.contains(&method) {
        return;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    put(fields, "method", method);
    put(fields, "path", path);
    put(fields, "query", query);
}

/// Referrer, agent, and what a format of one's own adds: `name=value`, or nginx's `$request_time` as the last number.
fn appended(fields: &mut Fields, mut rest: &str) {
    let mut names = ["referer", "user_agent", "forwarded_for"].into_iter();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return;
        }
        if let Some((value, after)) = quoted(rest) {
            put(fields, names.next().unwrap_or("extra"), value);
            rest = after;
            continue;
        }
        let (found, after) = word(rest);
        rest = after;
        match found.split_once('=') {
            Some((name, value)) if !name.is_empty() => {
                let name = if matches!(name, "rt" | "request_time") { "requesttime" } else { name };
                put(fields, name, value.trim_matches('"'));
            }
            _ if found.contains('.')
                && found.parse::<f64>().is_ok()
                && !fields.contains_key("requesttime") =>
            {
                fields.insert("requesttime".into(), Value::String(found.to_owned()));
            }
            _ => put(fields, "extra", found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn common_combined_and_what_is_appended() {
        let line = r#"203.0.113.9 - kim [18/Mar/2026:14:30:00 +0900] "GET /cart?id=7 HTTP/1.1" 502 153 "https://a.kr/" "Mozilla/5.0 (X11)" rt=0.250 up=-"#;
        let expected = json!({"created_at": "18/Mar/2026:14:30:00 +0900", "client_ip": "203.0.113.9", "user_id": "kim",
            "status_code": 502, "level": "ERROR", "method": "GET", "path": "/cart", "query": "id=7", "bytes": 153,
            "referer": "https://a.kr/", "user_agent": "Mozilla/5.0 (X11)", "requesttime": "0.250",
            "message": "GET /cart?id=7 HTTP/1.1 502"});
        assert_eq!(Value::Object(read(line).unwrap()), expected);
        let common = read(r#"::1 - - [18/Mar/2026:14:30:00 +0900] "-" 408 -"#).unwrap();
        assert_eq!((common.get("method"), common.get("bytes")), (None, None));
        let vhost = read(
            r#"shop.kr:443 10.0.0.1 - - [18/Mar/2026:14:30:00 +0900] "POST /a HTTP/2.0" 201 0 "-" "curl" 0.031"#,
        );
        let vhost = vhost.unwrap();
        assert_eq!((&vhost["host"], &vhost["requesttime"]), (&json!("shop.kr:443"), &json!("0.031")));
        for other in
            ["[Sun Mar 15 10:00:00 2026] [error] x", "10.0.0.1 - - [now] \"GET / HTTP/1.1\" 200 1", "words"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
