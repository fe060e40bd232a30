//! Rust source with what is not code blanked out, byte for byte, so that offsets and lines stay true.
//!
//! A few dozen lines instead of a parser: the checks look for single words, and tidy must stay quick to build.

use super::files::is_word;

/// Blanks comments and what stands inside literals; the quotes stay.
pub(super) fn code_only(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (blank_from, blank_to, next) = if rest.starts_with(b"//") {
            let end = at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            (at, end, end)
        } else if rest.starts_with(b"/*") {
            let end = at + block_comment_length(rest);
            (at, end, end)
        } else if let Some(hashes) = raw_string_hashes(bytes, at) {
            let inside = at + hashes + 2;
            let close = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
            let end = find(&bytes[inside..], &close).map_or(bytes.len(), |found| inside + found);
            (inside, end, (end + close.len()).min(bytes.len()))
        } else if rest[0] == b'"' {
            let end = at + 1 + quoted_length(&rest[1..], b'"');
            (at + 1, end, (end + 1).min(bytes.len()))
        } else if rest[0] == b'\'' && is_char_literal(&source[at + 1..]) {
            let end = at + 1 + quoted_length(&rest[1..], b'\'');
            (at + 1, end, (end + 1).min(bytes.len()))
        } else {
            (at, at, at + source[at..].chars().next().map_or(1, char::len_utf8))
        };
        blank(&mut out[blank_from..blank_to]);
        at = next;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Blanks, in source that [`code_only`] has been through, every item under `#[cfg(test)]`.
pub(super) fn without_tests(code: &str) -> String {
    let mut out = code.as_bytes().to_vec();
    if code.contains("#![cfg(test)]") {
        blank(&mut out);
    }
    for attribute in ["#[cfg(test)]", "#[cfg(all(test,"] {
        for (start, _) in code.match_indices(attribute) {
            let end = start + item_length(&code.as_bytes()[start..]);
            blank(&mut out[start..end]);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Block comments nest.
fn block_comment_length(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (at, depth) = (at + 2, depth + 1),
            Some(b"*/") => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The number of hashes if a raw string (`r"`, `r#"`, also behind `b` or `c`) starts with the `r` at this place.
fn raw_string_hashes(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes[at] != b'r' {
        return None;
    }
    let before = bytes[..at].iter().rev();
    let mut before = before.skip_while(|byte| matches!(byte, b'b' | b'c'));
    if before.next().is_some_and(|byte| is_word(*byte)) {
        return None;
    }
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    (bytes.get(at + 1 + hashes) == Some(&b'"')).then_some(hashes)
}

fn quoted_length(bytes: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// A quote opens a character, not a lifetime, if a backslash follows or the next character is followed by a quote.
fn is_char_literal(after_quote: &str) -> bool {
    let mut chars = after_quote.chars();
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

/// Up to the end of the item's braces, or to its semicolon if that comes first.
fn item_length(bytes: &[u8]) -> usize {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b';' => {}
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked() {
        let check = |source: &str, expected: &str| {
            let masked = code_only(source);
            assert_eq!(masked.len(), source.len(), "{source}");
            assert_eq!(masked.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{source}");
        };
        check("a // b\nc", "a c");
        check("a /* b /* c */ d */ e", "a e");
        check(r#"f("b \" c", d)"#, r#"f(" ", d)"#);
        check("x = r#\"b \" c\"#; d", "x = r#\" \"#; d");
        check("x = br\"b\\\"; d", "x = br\" \"; d");
        check("r#type + for\"b\"", "r#type + for\" \"");
        check("&'a str, 'b', '\\'', b'\"', '두', c", "&'a str, ' ', ' ', b' ', ' ', c");
        check("a \"unclosed", "a \"");
    }

    #[test]
    fn test_items_are_blanked() {
        let check = |code: &str, expected: &str| {
            assert_eq!(without_tests(code).split_whitespace().collect::<Vec<_>>().join(" "), expected);
        };
        check("a #[cfg(test)] mod tests { fn x() { y } } b", "a b");
        check("a #[cfg(test)] mod tests; b { }", "a b { }");
        check("#![cfg(test)]\nmod a { }", "");
        check("a #[cfg(all(test, unix))] fn x() { y } b", "a b");
        check("#[cfg(unix)] mod a { b }", "#[cfg(unix)] mod a { b }");
    }
}
