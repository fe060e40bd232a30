//! One way to write what people write in several.

use unicode_normalization::UnicodeNormalization as _;

/// Composed syllables, characters of ordinary width, small letters, and a space for every dot between words.
///
/// ```
/// assert_eq!(duru_search::text::normalise("ＬＴＶ　７０％ 시ㆍ도지사"), "ltv 70% 시 도지사");
/// ```
pub fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for c in text.nfc() {
        match c {
            // The full-width forms lie in the order of ASCII.
            '\u{FF01}'..='\u{FF5E}' => {
                let ascii = char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c);
                normal.extend(ascii.to_lowercase());
            }
            '\u{3000}' | '\u{00A0}' | 'ㆍ' | '·' | '・' | '•' | '‧' => normal.push(' '),
            // Invisible, and between the letters of a word.
            '\u{200B}'..='\u{200F}' | '\u{FEFF}' | '\u{00AD}' => {}
            '‘' | '’' => normal.push('\''),
            '“' | '”' => normal.push('"'),
            _ => normal.extend(c.to_lowercase()),
        }
    }
    normal
}

/// Normal text without anything between its letters and digits: what people write together or apart is the same. Only
/// Latin words stay apart, each from the next.
pub fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in normalise(text).chars() {
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        let latin = c.is_ascii_alphabetic() && out.ends_with(|last: char| last.is_ascii_alphabetic());
        if gap && latin {
            out.push(' ');
        }
        gap = false;
        out.push(c);
    }
    out
}

/// Whether a squeezed text has a squeezed word: a Latin one whole, in one of its forms, for a fee is no feedback.
pub fn holds(text: &str, word: &str) -> bool {
    if !word.chars().all(|c| c.is_ascii_alphabetic()) {
        return text.contains(word);
    }
    text.match_indices(word).any(|(at, _)| {
        let begins = !text[..at].ends_with(|before: char| before.is_ascii_alphabetic());
        let after = &text[at + word.len()..];
        let rest = after.find(|c: char| !c.is_ascii_alphabetic()).map_or(after, |end| &after[..end]);
        begins && matches!(rest, "" | "s" | "es" | "d" | "ed" | "ing" | "er" | "ers")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_the_same() {
        let apart: String = "전세금".nfd().collect();
        assert_ne!(apart, "전세금");
        assert_eq!(normalise(&apart), "전세금");
        assert_eq!(normalise("전\u{200b}세"), "전세");
        assert_eq!(squeezed("부동산 거래 · 신고"), "부동산거래신고");
        assert_eq!(squeezed("LTV와 DSR, the loan's limit"), "ltv와dsr the loan s limit");
        let text = squeezed("Feedback on brokers: 중개보수(fee) 3,000원");
        assert!(holds(&text, "fee") && holds(&text, "broker") && holds(&text, "중개보수"));
        assert!(!holds(&squeezed("feedback on brokers"), "fee"));
    }
}
