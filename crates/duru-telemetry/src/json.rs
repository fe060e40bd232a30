//! As much JSON as lines and spans need, written as the bytes that it is sent as: a
//! busy server tells tens of thousands of things a second.

use std::io::Write as _;

/// Writes a text with its quotes. What could steer a terminal or turn the
/// direction of a line is escaped as well: whoever reads a log reads it as it is.
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    inside(out, text);
    out.push(b'"');
}

/// Writes a text whose quotes are there already.
pub(crate) fn inside(out: &mut Vec<u8>, text: &str) {
    // Most texts are names. Every byte is looked at, which is quicker than to stop at the first odd one.
    let odd = |byte: u8| {
        u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') | u8::from(byte == b'"') | u8::from(byte == b'\\')
    };
    if text.bytes().fold(0, |any, byte| any | odd(byte)) == 0 {
        return out.extend_from_slice(text.as_bytes());
    }
    for char in text.chars() {
        match char {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            steering if steers(steering) => {
                let mut units = [0; 2];
                for unit in steering.encode_utf16(&mut units) {
                    // Writing into memory cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            plain => out.extend_from_slice(plain.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Writes a number.
pub(crate) fn number(out: &mut Vec<u8>, number: u64) {
    // As many digits as the largest one has, two at a time.
    let (mut digits, mut from, mut left) = ([b'0'; 20], 20, number);
    while left >= 10 {
        from -= 2;
        let pair = (left % 100) as usize * 2;
        digits[from..from + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
        left /= 100;
    }
    if left > 0 || number == 0 {
        from -= 1;
        digits[from] = b'0' + left as u8;
    }
    out.extend_from_slice(&digits[from..]);
}

/// The digits of all numbers below 100.
const PAIRS: [u8; 200] = {
    let (mut pairs, mut number) = ([b'0'; 200], 0);
    while number < 100 {
        pairs[number * 2] += (number / 10) as u8;
        pairs[number * 2 + 1] += (number % 10) as u8;
        number += 1;
    }
    pairs
};

/// Writes an id with all of its digits.
pub(crate) fn hex(out: &mut Vec<u8>, id: &[u8]) {
    let start = out.len();
    out.resize(start + id.len() * 2, b'0');
    // It fails only where the room does not fit the digits.
    hex::encode_to_slice(id, &mut out[start..]).unwrap_or_default();
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
        let mut out = Vec::new();
        text(&mut out, evil);
        let out = String::from_utf8(out).unwrap();
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), evil);
        assert!(!out.chars().any(steers), "{out}");
        assert!(out.contains('도'));
    }

    #[test]
    fn ids_have_all_of_their_digits() {
        let mut out = Vec::new();
        hex(&mut out, &0xa0b_u64.to_be_bytes());
        assert_eq!(out, b"0000000000000a0b");
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        for value in [0, 7, 10, 99, 100, 101, 12_345, 1_794_701_002_123_456_789, u64::MAX] {
            let mut out = Vec::new();
            number(&mut out, value);
            assert_eq!(out, value.to_string().as_bytes());
        }
    }
}
