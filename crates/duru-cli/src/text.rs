//! Text from outside on its way to a terminal.

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
    match c {
        '\u{300}'..='\u{36f}'
        | '\u{1160}'..='\u{11ff}'
        | '\u{200b}'..='\u{200d}'
        | '\u{d7b0}'..='\u{d7ff}'
        | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{33ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
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

/// Milliseconds since 1970 as a date and time of UTC.
pub(crate) fn time(ms: u64) -> String {
    let (days, seconds) = (ms / 86_400_000, ms / 1000 % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

/// Days since 1970 as a date. Counted from March on, so that the leap day is a year's last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
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
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(time(0), "1970-01-01 00:00:00Z");
        assert_eq!(time(951_782_399_000), "2000-02-28 23:59:59Z");
        assert_eq!(time(951_825_600_000), "2000-02-29 12:00:00Z");
        assert_eq!(time(1_798_761_599_999), "2026-12-31 23:59:59Z");
    }
}
