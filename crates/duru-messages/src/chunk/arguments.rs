//! The arguments of a tool call: JSON text, perhaps not yet complete.

use serde_json::{Map, Value};

/// Reads complete arguments. No text means no arguments.
pub(crate) fn parse_arguments(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(text).map_err(|error| format!("the arguments are not a JSON object: {error}"))
}

/// Reads as much as is there of arguments that are still being written; `None`
/// if this is not the beginning of an object.
pub(crate) fn parse_begun_arguments(text: &str) -> Option<Map<String, Value>> {
    if let Ok(args) = parse_arguments(text) {
        return Some(args);
    }
    let begun = Begun::scan(text)?;
    // First with the last token closed, then without it. Only an unfinished
    // last token can be wrong in good text, so two attempts are enough and the
    // cost stays linear.
    begun.closed(text).or_else(|| begun.cut(text))
}

/// How a text that breaks off could be closed.
struct Begun {
    /// The brackets to close, outermost first.
    open: Vec<char>,
    /// Up to here the text is good once the brackets are closed.
    good: usize,
    in_string: bool,
    after_backslash: bool,
}

impl Begun {
    fn scan(text: &str) -> Option<Begun> {
        let mut begun = Begun { open: Vec::new(), good: 0, in_string: false, after_backslash: false };
        for (at, c) in text.char_indices() {
            begun.step(at, c)?;
        }
        (!begun.open.is_empty()).then_some(begun)
    }

    fn step(&mut self, at: usize, c: char) -> Option<()> {
        if self.in_string {
            match c {
                _ if self.after_backslash => self.after_backslash = false,
                '\\' => self.after_backslash = true,
                '"' => self.in_string = false,
                _ => {}
            }
            return Some(());
        }
        match c {
            '"' => self.in_string = true,
            '{' | '[' => {
                self.open.push(if c == '{' { '}' } else { ']' });
                self.good = at + 1;
            }
            '}' | ']' => {
                self.open.pop().filter(|expected| *expected == c)?;
                self.good = at + 1;
            }
            ',' => self.good = at,
            _ => {}
        }
        Some(())
    }

    fn closed(&self, text: &str) -> Option<Map<String, Value>> {
        let text = if self.after_backslash { text.get(..text.len() - 1)? } else { text };
        self.close(text, if self.in_string { "\"" } else { "" })
    }

    fn cut(&self, text: &str) -> Option<Map<String, Value>> {
        self.close(text.get(..self.good)?, "")
    }

    fn close(&self, text: &str, quote: &str) -> Option<Map<String, Value>> {
        let brackets = self.open.iter().rev();
        let whole: String = text.chars().chain(quote.chars()).chain(brackets.copied()).collect();
        serde_json::from_str(&whole).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn begun_arguments_show_what_is_there() {
        let cases = [
            ("", Some(json!({}))),
            ("{", Some(json!({}))),
            ("{\"ci", Some(json!({}))),
            ("{\"city\"", Some(json!({}))),
            ("{\"city\":", Some(json!({}))),
            ("{\"city\": \"S", Some(json!({"city": "S"}))),
            ("{\"city\": \"S\\", Some(json!({"city": "S"}))),
            ("{\"city\": \"서울\\u00", Some(json!({}))),
            ("{\"a\": 1, \"b\": tr", Some(json!({"a": 1}))),
            ("{\"a\": 1,", Some(json!({"a": 1}))),
            ("{\"a\": [1, {\"b\": ", Some(json!({"a": [1, {}]}))),
            ("{\"a\": \"x, y}\", \"b\": [", Some(json!({"a": "x, y}", "b": []}))),
            ("{\"a\": 1}", Some(json!({"a": 1}))),
            ("\"SF\"}", None),
            ("\"S", None),
            ("tru", None),
            ("[1", None),
            ("{\"a\": 1]", None),
            ("{oops, ", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_begun_arguments(text).map(Value::Object), expected, "{text}");
        }
    }

    #[test]
    fn every_prefix_of_good_arguments_is_readable() {
        let text = r#"{"a": [1, -2.5e3, {"b": "x\"y\\z\n"}], "c": null, "d": {"e": [true, false, "끝"]}}"#;
        for (at, _) in text.char_indices() {
            assert!(parse_begun_arguments(&text[..at]).is_some(), "{}", &text[..at]);
        }
        assert_eq!(parse_begun_arguments(text), parse_arguments(text).ok());
    }
}
