//! How much room text takes, and how it is written in XML.

/// The size of the letters of names.
pub(super) const SIZE: f64 = 13.0;

/// About how wide a text is in a common font without serifs, for letters of
/// this size. A little too much rather than too little.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// By class of character: fonts differ, but not in this.
fn em(c: char) -> f64 {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.32,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '·' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.98,
        'A'..='Z' => 0.74,
        '\u{20}'..='\u{7e}' => 0.62,
        // Hangul, Chinese characters, kana, full-width forms, pictures.
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{1f000}'.. => 1.04,
        _ => 0.7,
    }
}

/// The text in at most this width.
pub(super) fn shorten(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut taken = width("…", size);
    let fits = |c: &char| {
        taken += em(*c) * size;
        taken <= most
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push('…');
    short
}

/// Text inside an element or an attribute of XML.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no way to write these, and no name of a node has them.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A time as a person reads it.
pub(super) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
        _ => format!("{} h {} min", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_is_wider_than_latin() {
        assert!(width("검색", SIZE) > 2.0 * SIZE);
        assert!(width("il", SIZE) < width("mw", SIZE) / 2.0);
        assert!(width(&shorten(&"긴 이름 ".repeat(40), SIZE, 200.0), SIZE) <= 200.0);
    }

    #[test]
    fn times_are_short() {
        let times = [0, 999, 1_250, 61_000, 3_660_000].map(duration);
        assert_eq!(times, ["0 ms", "999 ms", "1.2 s", "1 min 1 s", "1 h 1 min"]);
    }

    #[test]
    fn xml_takes_any_text() {
        assert_eq!(xml("a<b>&\"'\u{1b}"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
    }
}
