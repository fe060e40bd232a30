//! As much JSON as lines and spans need, written straight into a string: a
//! busy server tells tens of thousands of things a second.

use std::fmt::Write as _;

/// Writes a text with its quotes. What could steer a terminal or turn the
/// direction of a line is escaped as well: whoever reads a log reads it as it is.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    // Most texts are names.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        out.push_str(text);
        out.push('"');
        return;
    }
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            steering if steers(steering) => {
                let mut units = [0; 2];
                for unit in steering.encode_utf16(&mut units) {
                    // Writing into a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}

/// Writes an id, in so many digits.
pub(crate) fn hex(out: &mut String, id: u128, digits: u32) {
    for place in (0..digits).rev() {
        let digit = (id >> (place * 4)) as u32 & 0xf;
        out.push(char::from_digit(digit, 16).unwrap_or('0'));
    }
}

/// Controls, marks without a width, and what turns the direction of a line.
pub(crate) fn steers(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_json_and_steers_nothing() {
        let evil = "a\"b\\c\r\n\u{1b}]52;c;x\u{7}\u{9b}31m\u{202e}도\u{2028}";
        let mut out = String::new();
        text(&mut out, evil);
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), evil);
        assert!(!out.chars().any(steers), "{out}");
        assert!(out.contains('도'));
    }
}
