//! logfmt: `time=… level=info msg="two words" key=value`.

use serde_json::Value;

use super::{Fields, put};

/// A line whose words are nearly all pairs.
pub(super) fn read(line: &str) -> Option<Fields> {
    let (mut fields, mut words) = (Fields::new(), 0_usize);
    let mut rest = line.trim();
    while !rest.is_empty() {
        words += 1;
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let Some(value) = after.strip_prefix('=').filter(|_| is_name(name)) else {
            // A word without a value says that it is so.
            rest = after.trim_start_matches('=').trim_start();
            continue;
        };
        let (value, after) = value_of(value);
        put(&mut fields, name, &value);
        rest = after.trim_start();
    }
    (fields.len() >= 2 && fields.len() * 5 >= words * 4).then_some(fields)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.-@/".contains(c))
}

/// A value, in quotes or up to white space, and what follows.
fn value_of(text: &str) -> (String, &str) {
    if !text.starts_with('"') {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(Value::String(value))) => (value, &text[values.byte_offset()..]),
        // Quotes that JSON would not take: up to the next one.
        _ => {
            let end = text[1..].find('"').map_or(text.len(), |end| end + 2);
            (text[1..].chars().take_while(|c| *c != '"').collect(), &text[end..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pairs_with_and_without_quotes() {
        let fields =
            read(r#"ts=2026-03-15T10:00:00Z level=warn msg="slow \"query\"" dur=1.5s user.id=7 empty="#);
        let expected = json!({"ts": "2026-03-15T10:00:00Z", "level": "warn", "msg": "slow \"query\"", "dur": "1.5s",
            "user.id": "7"});
        assert_eq!(json!(fields.unwrap()), expected);
        assert_eq!(read(r#"a="C:\dir" b=2"#).unwrap()["a"], "C:\\dir");
        for other in ["a message with one=pair in it", "key=value", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
