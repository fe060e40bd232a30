//! JSON as `jsonb` prints it, and finding one's way in such text without parsing all of it.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

pub(crate) fn of_map(map: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_object(map, &mut text);
    text
}

pub(crate) fn of_value(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// Any JSON text as `jsonb` would print it.
pub(crate) fn normal(text: &str) -> Option<String> {
    serde_json::from_str::<Value>(text).ok().map(|value| of_value(&value))
}

fn write(value: &Value, to: &mut String) {
    match value {
        Value::Null => to.push_str("null"),
        Value::Bool(true) => to.push_str("true"),
        Value::Bool(false) => to.push_str("false"),
        Value::Number(number) => to.push_str(&number_text(number)),
        Value::String(text) => write_string(text, to),
        Value::Array(list) => {
            to.push('[');
            for (i, value) in list.iter().enumerate() {
                if i > 0 {
                    to.push_str(", ");
                }
                write(value, to);
            }
            to.push(']');
        }
        Value::Object(map) => write_object(map, to),
    }
}

fn write_object(map: &Map<String, Value>, to: &mut String) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|a, b| key_order(a.0, b.0));
    to.push('{');
    for (i, (key, value)) in entries.into_iter().enumerate() {
        if i > 0 {
            to.push_str(", ");
        }
        write_string(key, to);
        to.push_str(": ");
        write(value, to);
    }
    to.push('}');
}

/// Shorter keys first.
fn key_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn write_string(text: &str, to: &mut String) {
    // It escapes what PostgreSQL escapes.
    match serde_json::to_string(text) {
        Ok(quoted) => to.push_str(&quoted),
        Err(_) => to.push_str("\"\""),
    }
}

fn number_text(number: &Number) -> String {
    let text = number.to_string();
    match number.as_f64() {
        Some(float) if text.contains(['e', 'E']) => format!("{float}"),
        _ => text,
    }
}

/// Exactly, if both are whole: a float does not hold every large integer.
pub(crate) fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    let whole = |n: &Number| n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from));
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        // JSON has no NaN.
        _ => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// The same text for values that are equal as `jsonb`: 1 is 1.0.
pub(crate) fn key(text: &str) -> Option<Cow<'_, str>> {
    // Only a number with a fraction can be written in several ways.
    if !text.contains('.') {
        return Some(Cow::Borrowed(text));
    }
    let mut value = serde_json::from_str(text).ok()?;
    make_whole(&mut value);
    Some(Cow::Owned(of_value(&value)))
}

fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            // Up to where floats hold every integer.
            if let Some(float) = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15) {
                *number = Number::from(float as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(make_whole),
        Value::Object(map) => map.values_mut().for_each(make_whole),
        _ => {}
    }
}

/// The text of an object's value. Over bytes and without the iterator below: this is asked of every row.
pub(crate) fn get<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let bytes = json.as_bytes();
    let skip = |mut i: usize, over: &[u8]| {
        while bytes.get(i).is_some_and(|byte| over.contains(byte)) {
            i += 1;
        }
        i
    };
    let mut i = (bytes.first() == Some(&b'{')).then_some(1)?;
    loop {
        let from = skip(i, b", ");
        let end = (bytes.get(from)? == &b'"').then(|| string_end(bytes, from))??;
        let is_it = unquoted_is(json.get(from..end)?, key);
        let from = skip(skip(end, b":"), b" ");
        i = value_end(bytes, from)?;
        if is_it {
            return json.get(from..i);
        }
    }
}

/// Whether a quoted string says this.
fn unquoted_is(quoted: &str, key: &str) -> bool {
    let inner = &quoted[1..quoted.len() - 1];
    if inner.contains('\\') { string(quoted).is_some_and(|text| text == key) } else { inner == key }
}

/// What a quoted string says.
pub(crate) fn string(quoted: &str) -> Option<Cow<'_, str>> {
    if quoted.contains('\\') {
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    } else {
        quoted.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
    }
}

/// A value as `->>` gives it: strings without quotes, null as nothing.
pub(crate) fn plain(json: &str) -> Option<Cow<'_, str>> {
    match json.as_bytes().first()? {
        b'"' => string(json),
        b'n' => None,
        _ => Some(Cow::Borrowed(json)),
    }
}

/// Keys (quoted) and values of an object.
pub(crate) fn entries(json: &str) -> Option<impl Iterator<Item = (&str, &str)>> {
    let mut rest = json.strip_prefix('{')?;
    Some(std::iter::from_fn(move || {
        rest = rest.trim_start_matches([',', ' ']);
        let (key, after) = split_value(rest)?;
        let after = after.strip_prefix(':')?.trim_start();
        let (value, after) = split_value(after)?;
        rest = after;
        Some((key, value))
    }))
}

/// The values of an array.
pub(crate) fn elements(json: &str) -> Option<impl Iterator<Item = &str>> {
    let mut rest = json.strip_prefix('[')?;
    Some(std::iter::from_fn(move || {
        rest = rest.trim_start_matches([',', ' ']);
        let (value, after) = split_value(rest)?;
        rest = after;
        Some(value)
    }))
}

/// One value and what follows it; none at the end of a list.
fn split_value(json: &str) -> Option<(&str, &str)> {
    json.split_at_checked(value_end(json.as_bytes(), 0)?)
}

/// Where the value that begins here ends; none at the end of a list.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start)? {
        b'"' => string_end(bytes, start),
        b'{' | b'[' => {
            let (mut depth, mut i) = (0_usize, start);
            loop {
                match bytes.get(i)? {
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    b'"' => i = string_end(bytes, i)? - 1,
                    _ => {}
                }
                i += 1;
                if depth == 0 {
                    return Some(i);
                }
            }
        }
        b'}' | b']' => None,
        _ => {
            let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ');
            Some(bytes[start..].iter().position(ends).map_or(bytes.len(), |at| start + at))
        }
    }
}

fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut i = start + 1;
    loop {
        match bytes.get(i)? {
            b'\\' => i += 2,
            b'"' => return Some(i + 1),
            _ => i += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_as_postgresql_prints_it() {
        let text = r#"{"bb":[1,2.50,1e3, {"x":null}],"a":"q\"\u00e9\n","가":true}"#;
        assert_eq!(
            normal(text).unwrap(),
            r#"{"a": "q\"é\n", "bb": [1, 2.5, 1000.0, {"x": null}], "가": true}"#
        );
    }

    #[test]
    fn equal_values_have_the_same_key() {
        let key = |text: &str| super::key(&normal(text).unwrap()).unwrap().into_owned();
        assert_eq!(key(r#"{"a": [1.0, -0.0, "1.0"]}"#), key(r#"{"a": [1, 0, "1.0"]}"#));
        assert_ne!(key("1.5"), key("1"));
        assert_ne!(key("9007199254740993"), key("9007199254740992.0"));
    }

    #[test]
    fn values_are_found_among_others() {
        let text = normal(r#"{"a":{"b":"}\""},"list":[1,"x",[2]],"한":"글"}"#).unwrap();
        assert_eq!(get(&text, "한").and_then(plain).as_deref(), Some("글"));
        assert_eq!(get(get(&text, "a").unwrap(), "b").and_then(plain).as_deref(), Some("}\""));
        assert_eq!(elements(get(&text, "list").unwrap()).unwrap().collect::<Vec<_>>(), ["1", "\"x\"", "[2]"]);
        assert_eq!(get(&text, "no"), None);
    }
}
