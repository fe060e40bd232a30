//! Keys of providers, which nobody sees.

use std::fmt;

/// A provider's key. It can be sent, and nothing else: it has no `Display`, no
/// `Serialize`, and its `Debug` says only that it is there.
///
/// ```
/// let key = duru_llm::Key::new("sk-very-secret").unwrap();
/// assert_eq!(format!("{key:?}"), "Key(***)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// So much of a key is enough to recognise it, as providers do when they write
/// `sk-abc…****` into their errors.
const RECOGNISABLE: usize = 6;

/// The most of a provider's own words that an error repeats.
const MOST_WORDS: usize = 300;

impl Key {
    /// The key in `text`, or `None` if it is blank or cannot be sent in a header.
    pub fn new(text: impl AsRef<str>) -> Option<Key> {
        // A file or a shell often leaves a line end behind the key.
        let text = text.as_ref().trim();
        let sendable = text.bytes().all(|byte| byte.is_ascii_graphic());
        (sendable && !text.is_empty()).then(|| Key(text.to_owned()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(***)")
    }
}

/// What a provider said, fit for an error: without the key or any word that
/// begins like it, without control characters, and short.
pub(crate) fn clean(text: &str, key: Option<&Key>) -> String {
    let mut text = text.to_owned();
    if let Some(key) = key {
        text = text.replace(key.expose(), "***");
        // A short key has no part that is not the whole.
        if let Some(start) = key.expose().get(..RECOGNISABLE).filter(|_| key.expose().len() > RECOGNISABLE) {
            text = without_words_from(&text, start);
        }
    }
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().map(printable).take(MOST_WORDS).collect();
    if text.chars().nth(MOST_WORDS).is_some() {
        short.push('…');
    }
    short.trim().to_owned()
}

fn without_words_from(text: &str, start: &str) -> String {
    let mut rest = text;
    let mut out = String::with_capacity(text.len());
    while let Some((before, found)) = rest.split_once(start) {
        out.push_str(before);
        out.push_str("***");
        let end = found.find(|c: char| c.is_whitespace() || "\"'`,;<>(){}".contains(c));
        rest = end.and_then(|end| found.get(end..)).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_cannot_be_sent_is_none() {
        assert_eq!(Key::new("  "), None);
        assert_eq!(Key::new("sk-a\nb"), None);
        assert_eq!(Key::new("sk-한글"), None);
        assert_eq!(Key::new("sk-a\n").unwrap().expose(), "sk-a");
    }

    #[test]
    fn neither_a_key_nor_its_beginning_survives() {
        let key = Key::new("sk-proj-0123456789abcdef");
        let said =
            "Incorrect API key provided: sk-proj-0123****cdef. See (sk-proj-0123456789abcdef)\u{1b}[31m";
        let cleaned = clean(said, key.as_ref());
        assert_eq!(cleaned, "Incorrect API key provided: *** See (***) [31m");
        assert_eq!(clean(&"가".repeat(400), key.as_ref()).chars().count(), 301);
    }
}
