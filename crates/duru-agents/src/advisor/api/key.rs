//! The service's key, which nobody sees.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All but what an address takes as it is.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// As it goes into an address: the service hands keys out both plain and
/// already encoded.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key {
    plain: String,
    encoded: String,
}

impl Key {
    pub(super) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let encoded = if is_encoded(text) { text.to_owned() } else { encode(text) };
        Some(Self { plain: text.to_owned(), encoded })
    }

    pub(super) fn encoded(&self) -> &str {
        &self.encoded
    }

    pub(super) fn plain(&self) -> &str {
        &self.plain
    }

    /// The text without the key, without control characters, and short.
    pub(super) fn hide(&self, text: &str) -> String {
        let text = text.replace(&self.plain, "***").replace(&self.encoded, "***");
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(***)")
    }
}

fn is_encoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let escape =
        |at: usize| bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let mut percents = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%').peekable();
    percents.peek().is_some() && percents.all(|(at, _)| escape(at))
}

/// As it may stand in the query of an address.
pub(super) fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_encoded_once_and_never_shown() {
        let key = Key::new("abc+/=def\n").unwrap();
        assert_eq!(key.encoded(), "abc%2B%2F%3Ddef");
        assert_eq!(Key::new("abc%2B%2F%3Ddef").unwrap().encoded(), "abc%2B%2F%3Ddef");
        assert_eq!(format!("{key:?}"), "Key(***)");
        assert_eq!(key.hide("x abc+/=def y abc%2B%2F%3Ddef\n"), "x *** y *** ");
        assert!(Key::new(" ").is_none() && Key::new("키").is_none());
    }
}
