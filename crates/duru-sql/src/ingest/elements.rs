//! The elements of a JSON array, one at a time, without the rest in memory.

use std::io::{self, BufRead};

/// One element's bytes, or how it ended otherwise.
pub(super) enum Element {
    Bytes(Vec<u8>),
    TooLong,
    End,
}

/// Reads elements; what follows the array is not looked at. Whether they are JSON is for others to find out; only
/// strings and brackets matter for where one ends.
pub(super) struct Elements<R> {
    input: R,
    limit: usize,
    begun: bool,
    ended: bool,
}

impl<R: BufRead> Elements<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, begun: false, ended: false }
    }

    pub(super) fn next(&mut self) -> io::Result<Element> {
        if self.ended {
            return Ok(Element::End);
        }
        let mut element = Vec::new();
        let (mut depth, mut in_string, mut escaped, mut too_long) = (0_u32, false, false, false);
        loop {
            let Some(byte) = self.byte()? else {
                return Ok(if element.is_empty() { Element::End } else { Element::Bytes(element) });
            };
            let outside = depth == 0 && !in_string;
            if outside && element.is_empty() && !too_long {
                match byte {
                    b'[' if !self.begun => {
                        self.begun = true;
                        continue;
                    }
                    b',' => continue,
                    b']' => return Ok(Element::End),
                    byte if byte.is_ascii_whitespace() => continue,
                    _ => {}
                }
            } else if outside && matches!(byte, b',' | b']') {
                self.ended = byte == b']';
                return Ok(match too_long {
                    true => Element::TooLong,
                    false => Element::Bytes(element),
                });
            }
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
            if element.len() < self.limit {
                element.push(byte);
            } else {
                too_long = true;
            }
        }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.input.fill_buf()?.first().copied();
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, limit: usize) -> Vec<String> {
        let mut elements = Elements::new(text.as_bytes(), limit);
        let mut all = Vec::new();
        loop {
            match elements.next().unwrap() {
                Element::Bytes(bytes) => all.push(String::from_utf8(bytes).unwrap().trim().to_owned()),
                Element::TooLong => all.push("…".into()),
                Element::End => return all,
            }
        }
    }

    #[test]
    fn elements_end_where_they_should() {
        let text = r#" [ {"a": "]},\"{"}, 1 ,[1,[2]] , "x" ] ignored"#;
        assert_eq!(all(text, 100), [r#"{"a": "]},\"{"}"#, "1", "[1,[2]]", r#""x""#]);
        assert_eq!(all("[]", 100), [""; 0]);
        assert_eq!(all(r#"[{"a":"long long long"},2]"#, 10), ["…", "2"]);
        assert_eq!(all(r#"[{"a":1},{"b":"#, 100), [r#"{"a":1}"#, r#"{"b":"#], "cut off");
    }
}
