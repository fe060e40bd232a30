//! JSON that is nearly one.

use serde_json::Value;

/// What was meant, if text around it, commas too many or a missing end is all
/// that is wrong. Nothing is guessed: a value that breaks off is left out.
pub(super) fn repair(text: &str) -> Option<Value> {
    let start = text.find(['{', '['])?;
    let mut scan = Scan { out: String::new(), open: Vec::new(), in_string: false, escaped: false };
    for c in text.get(start..)?.chars() {
        if scan.step(c)? {
            return serde_json::from_str(&scan.out).ok();
        }
    }
    scan.close()
}

struct Scan {
    out: String,
    open: Vec<char>,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Whether the value is complete; `None` if it never will be.
    fn step(&mut self, c: char) -> Option<bool> {
        if self.in_string {
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' => self.escaped = true,
                '"' => self.in_string = false,
                // Models write line ends into strings as they are.
                '\n' => {
                    self.out.push_str("\\n");
                    return Some(false);
                }
                _ => {}
            }
            self.out.push(c);
            return Some(false);
        }
        match c {
            '"' => self.in_string = true,
            '{' => self.open.push('}'),
            '[' => self.open.push(']'),
            '}' | ']' => {
                self.open.pop().filter(|expected| *expected == c)?;
                self.drop_comma();
            }
            _ => {}
        }
        self.out.push(c);
        Some(self.open.is_empty())
    }

    fn drop_comma(&mut self) {
        let kept = self.out.trim_end().trim_end_matches(',').len();
        self.out.truncate(kept);
    }

    /// The end of the last complete value, and all that is open closed. A string
    /// that breaks off is not closed: half an answer is none.
    fn close(mut self) -> Option<Value> {
        if self.in_string {
            return None;
        }
        self.drop_comma();
        self.out.extend(self.open.iter().rev());
        serde_json::from_str(&self.out).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_can_be_repaired_and_what_cannot() {
        let cases = [
            ("```json\n{\"a\": 1}\n```", Some(json!({"a": 1}))),
            ("물론입니다! {\"a\": \"}\"} 도움이 되었길 바랍니다 {", Some(json!({"a": "}"}))),
            ("{\"a\": [1, 2,], }", Some(json!({"a": [1, 2]}))),
            ("{\"a\": {\"b\": [1", Some(json!({"a": {"b": [1]}}))),
            ("{\"a\": \"x\ny\"}", Some(json!({"a": "x\ny"}))),
            ("{\"a\": \"half", None),
            ("{\"a\": tr", None),
            ("{\"a\"", None),
            ("{\"a\": 1]", None),
            ("no", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(repair(text), expected, "{text}");
        }
    }
}
