//! What a terminal sends, as keys.

use super::line::Way;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// Text that was typed or pasted.
    Text(String),
    Enter,
    /// A line break within the text.
    Break,
    Go(Way),
    Delete(Way),
    Up,
    Down,
    PutBack,
    /// Ctrl-C.
    Stop,
    /// Ctrl-D.
    End,
    /// Ctrl-L.
    Clear,
}

/// Bytes that came in, as keys; what is not whole yet waits for the rest.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    waiting: Vec<u8>,
}

const PASTE: &[u8] = b"\x1b[200~";
const PASTED: &[u8] = b"\x1b[201~";

impl Decoder {
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.waiting.extend_from_slice(bytes);
        let mut keys: Vec<Key> = Vec::new();
        while let Some((length, key)) = next(&self.waiting) {
            self.waiting.drain(..length);
            match (key, keys.last_mut()) {
                (Some(Key::Text(more)), Some(Key::Text(text))) => text.push_str(&more),
                (Some(key), _) => keys.push(key),
                (None, _) => {}
            }
        }
        keys
    }
}

/// How many bytes the next key takes, and which it is, if it is one of ours. None until all of it is there.
fn next(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let first = *bytes.first()?;
    if bytes.starts_with(PASTE) {
        let rest = &bytes[PASTE.len()..];
        let end = rest.windows(PASTED.len()).position(|part| part == PASTED)?;
        let text = String::from_utf8_lossy(&rest[..end]).into_owned();
        return Some((PASTE.len() + end + PASTED.len(), Some(Key::Text(text))));
    }
    match first {
        0x1b => escape(bytes),
        0x00..=0x1f | 0x7f => Some((1, control(first))),
        _ => {
            let length = match first {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            let letter = bytes.get(..length)?;
            Some(match std::str::from_utf8(letter) {
                Ok(text) => (length, Some(Key::Text(text.to_owned()))),
                Err(_) => (1, None),
            })
        }
    }
}

fn control(byte: u8) -> Option<Key> {
    Some(match byte {
        b'\r' => Key::Enter,
        b'\n' => Key::Break,
        0x01 => Key::Go(Way::Home),
        0x02 => Key::Go(Way::Left),
        0x03 => Key::Stop,
        0x04 => Key::End,
        0x05 => Key::Go(Way::End),
        0x06 => Key::Go(Way::Right),
        0x08 | 0x7f => Key::Delete(Way::Left),
        0x0b => Key::Delete(Way::End),
        0x0c => Key::Clear,
        0x0e => Key::Down,
        0x10 => Key::Up,
        0x15 => Key::Delete(Way::Home),
        0x17 => Key::Delete(Way::WordLeft),
        0x19 => Key::PutBack,
        _ => return None,
    })
}

/// Arrows and the like: `ESC [ numbers letter`, `ESC O letter`, and letters with Alt.
fn escape(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    match *bytes.get(1)? {
        b'[' => {
            let end = bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte))? + 2;
            let numbers = std::str::from_utf8(&bytes[2..end]).unwrap_or_default();
            Some((end + 1, arrow(numbers, bytes[end])))
        }
        b'O' => Some((3, arrow("", *bytes.get(2)?))),
        other => Some((
            2,
            match other {
                b'\r' | b'\n' => Some(Key::Break),
                b'b' => Some(Key::Go(Way::WordLeft)),
                b'f' => Some(Key::Go(Way::WordRight)),
                b'd' => Some(Key::Delete(Way::WordRight)),
                0x7f | 0x08 => Some(Key::Delete(Way::WordLeft)),
                _ => None,
            },
        )),
    }
}

fn arrow(numbers: &str, letter: u8) -> Option<Key> {
    let (first, held) = numbers.split_once(';').unwrap_or((numbers, ""));
    // With Ctrl or Alt held, by words.
    let by_word = matches!(held, "3" | "5");
    Some(match (letter, first) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', _) => Key::Go(if by_word { Way::WordRight } else { Way::Right }),
        (b'D', _) => Key::Go(if by_word { Way::WordLeft } else { Way::Left }),
        (b'H', _) | (b'~', "1" | "7") => Key::Go(Way::Home),
        (b'F', _) | (b'~', "4" | "8") => Key::Go(Way::End),
        (b'~', "3") => Key::Delete(if by_word { Way::WordRight } else { Way::Right }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_may_come_in_pieces() {
        let mut decoder = Decoder::default();
        let bytes = "두루".as_bytes();
        assert_eq!(decoder.take(&bytes[..4]), [Key::Text("두".into())]);
        assert_eq!(decoder.take(&bytes[4..]), [Key::Text("루".into())]);
        assert_eq!(decoder.take(b"\x1b["), []);
        assert_eq!(
            decoder.take(b"D\x1b[1;5C\x1bOH"),
            [Key::Go(Way::Left), Key::Go(Way::WordRight), Key::Go(Way::Home)]
        );
    }

    #[test]
    fn a_paste_is_text_with_its_line_breaks() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.take("\u{1b}[200~하나\r둘".as_bytes()), []);
        assert_eq!(decoder.take(b"\x03\x1b[201~\r"), [Key::Text("하나\r둘\u{3}".into()), Key::Enter]);
    }

    #[test]
    fn what_is_not_known_is_skipped() {
        assert_eq!(
            Decoder::default().take(b"\x1b[15~\xffa\x1bz\x7f"),
            [Key::Text("a".into()), Key::Delete(Way::Left)]
        );
    }
}
