//! Text from outside on its way to a terminal.

use duru_sql::MachineZone;
use jiff::Timestamp;
use unicode_width::UnicodeWidthChar as _;

/// The text without anything that a terminal would obey: control characters,
/// and those that turn the direction of writing around.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\n' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
            c if is_obeyed(c) => None,
            c => Some(c),
        })
        .collect()
}

/// The same of a text of several lines, which stay lines.
pub(crate) fn clean_lines(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}

/// JSON without anything that a terminal would obey. It can only be within its texts, where it may be written so.
pub(crate) fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if c != '\n' && is_obeyed(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => text.push(c),
        }
    }
    text
}

/// Control characters, those that turn the direction of writing around, and those that nobody sees.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

/// How many columns a text takes: Hangul and its neighbours take two each.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// How many columns a character takes: none where it joins the one before it, as the vowels and finals of a syllable
/// do that is written in its parts.
pub(crate) fn columns(c: char) -> usize {
    // Controls have no width that anybody could know; they are shown as something.
    c.width().unwrap_or(1)
}

/// The text, filled up with spaces to so many columns.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The text in at most so many columns.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut taken = 1;
    for c in text.chars() {
        taken += columns(c);
        if taken > most {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

/// Milliseconds since 1970 as the clocks of this machine show it, with their zone.
pub(crate) fn time(ms: u64) -> String {
    time_in(ms, &MachineZone::get().name)
}

fn time_in(ms: u64, zone: &str) -> String {
    let at = i64::try_from(ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let at = at.and_then(|at| at.in_tz(zone).ok());
    at.map_or_else(|| ms.to_string(), |at| at.strftime("%Y-%m-%d %H:%M:%S %Z").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_gone() {
        assert_eq!(clean("a\u{1b}[31mb\u{7}\r\u{9b}2Jc"), "a[31mb2Jc");
        assert_eq!(clean("두\n줄\u{202e}"), "두 줄");
        // OSC 52 would write to the clipboard.
        assert_eq!(clean("\u{1b}]52;c;aGk=\u{7}\u{61c}\u{2028}x\u{e0041}"), "]52;c;aGk= x");
        assert_eq!(clean_lines("a\r\nb\u{1b}c\n"), "a\nbc");
    }

    #[test]
    fn json_means_the_same_and_is_obeyed_by_no_terminal() {
        let value = serde_json::json!({ "a": "\u{9b}2J\u{202e}\u{7f}\u{e0041}두루\n", "b": "\u{2028}" });
        let text = escaped(&format!("{value}\n"));
        assert!(
            text.contains("\\u009b2J\\u202e\\u007f\\udb40\\udc41두루") && text.contains("\\u2028"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn hangul_takes_two_columns() {
        assert_eq!(width("두루 ok"), 7);
        assert_eq!(pad("두루", 6), "두루  ");
        assert_eq!(shorten("두루두루", 5), "두루…");
        assert_eq!(shorten("abc", 3), "abc");
        // A syllable in its parts is as wide as one; marks and joiners take nothing, rules and dots one.
        assert_eq!((width("\u{1112}\u{1161}\u{11ab}"), width("한")), (2, 2));
        assert_eq!((width("e\u{301}\u{200d}\u{fe0f}"), width("─…"), width("漢ｱＡ🦀")), (1, 2, 7));
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(time_in(0, "UTC"), "1970-01-01 00:00:00 UTC");
        assert_eq!(time_in(951_825_600_000, "UTC"), "2000-02-29 12:00:00 UTC");
        assert_eq!(time_in(1_798_761_599_999, "Asia/Seoul"), "2027-01-01 08:59:59 KST");
        assert_eq!(time_in(u64::MAX, "UTC"), u64::MAX.to_string());
    }
}
