//! The figures of a text: what they count, and whether they are the most or the least of something.

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FigureUnit {
    Percent,
    Won,
    Year,
    Month,
    Day,
    Area,
    /// Anything else, or nothing that is said.
    Plain,
}

/// Whether a figure bounds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    AtMost,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) unit: FigureUnit,
    pub(super) bound: Option<Bound>,
    /// Where it begins and ends in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Figure {
    /// The same number, as people round.
    pub(super) fn equals(&self, other: &Figure) -> bool {
        (self.value - other.value).abs() <= 0.005 * self.value.abs().max(other.value.abs())
    }
}

/// The figures of a text, in lower case or not.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let text = text.to_lowercase();
    let mut found: Vec<Figure> = Vec::new();
    let mut at = 0;
    while let Some((start, end, value)) = number(&text, at) {
        let (value, unit, end) = with_unit(&text, start, end, value);
        at = end;
        // "100분의 5" is five in a hundred.
        if let Some(last) = found.last_mut()
            && last.unit == FigureUnit::Plain
            && (last.value - 100.0).abs() < f64::EPSILON
            && text[last.end..start].trim() == "분의"
        {
            let end = end.max(last.end);
            *last = Figure { value, unit: FigureUnit::Percent, bound: None, start: last.start, end };
        } else {
            found.push(Figure { value, unit, bound: None, start, end });
        }
    }
    for figure in &mut found {
        figure.bound = bound(&text[..figure.start], &text[figure.end..]);
    }
    found
}

/// The next number at or behind a place.
fn number(text: &str, from: usize) -> Option<(usize, usize, f64)> {
    let bytes = text.as_bytes();
    let start = (from..bytes.len()).find(|at| bytes[*at].is_ascii_digit())?;
    let mut end = start;
    while end < bytes.len()
        && (bytes[end].is_ascii_digit()
            || (matches!(bytes[end], b',' | b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
    {
        end += 1;
    }
    // What has two points is a version or a date, and its first part is as good as any.
    let digits = text[start..end].replace(',', "");
    let value = digits.parse().or_else(|_| digits.split('.').next().unwrap_or_default().parse()).ok()?;
    Some((start, end, value))
}

/// Korean sums are written in parts: 3억 1,500만원.
const MYRIADS: [(&str, f64); 4] = [("억", 1e8), ("천만", 1e7), ("백만", 1e6), ("만", 1e4)];

const UNITS: [(&str, FigureUnit); 24] = [
    ("%", FigureUnit::Percent),
    ("％", FigureUnit::Percent),
    ("퍼센트", FigureUnit::Percent),
    ("프로", FigureUnit::Percent),
    ("percent", FigureUnit::Percent),
    ("per cent", FigureUnit::Percent),
    ("원", FigureUnit::Won),
    ("won", FigureUnit::Won),
    ("krw", FigureUnit::Won),
    ("년", FigureUnit::Year),
    ("year", FigureUnit::Year),
    ("개월", FigureUnit::Month),
    ("달", FigureUnit::Month),
    ("month", FigureUnit::Month),
    ("일", FigureUnit::Day),
    ("day", FigureUnit::Day),
    ("㎡", FigureUnit::Area),
    ("m²", FigureUnit::Area),
    ("m2", FigureUnit::Area),
    ("제곱미터", FigureUnit::Area),
    ("square met", FigureUnit::Area),
    ("million won", FigureUnit::Won),
    ("billion won", FigureUnit::Won),
    ("million krw", FigureUnit::Won),
];

fn with_unit(text: &str, start: usize, end: usize, value: f64) -> (f64, FigureUnit, usize) {
    let behind = |end: usize| {
        let rest = &text[end..];
        let trimmed = rest.trim_start_matches([' ', '-']);
        (trimmed, end + rest.len() - trimmed.len())
    };
    let (mut value, mut end, mut is_sum) = (value, end, text[..start].trim_end().ends_with('₩'));
    let (mut rest, mut place) = behind(end);
    if let Some((word, times)) = MYRIADS.iter().find(|(word, _)| rest.starts_with(word)) {
        (value, end, is_sum) = (value * times, place + word.len(), true);
        // The next part of the same sum is smaller.
        if let Some((next, after, part)) = number(text, end)
            && text[end..next].trim().is_empty()
        {
            let (more, unit, after) = with_unit(text, next, after, part);
            if unit == FigureUnit::Won && more < *times {
                return (value + more, FigureUnit::Won, after);
            }
        }
        (rest, place) = behind(end);
    }
    let longest = UNITS.iter().filter(|(word, _)| rest.starts_with(word)).max_by_key(|(word, _)| word.len());
    match longest {
        Some((word, unit)) => {
            let times = match *word {
                "million won" | "million krw" => 1e6,
                "billion won" => 1e9,
                _ => 1.0,
            };
            (value * times, *unit, place + word.len())
        }
        None if is_sum => (value, FigureUnit::Won, end),
        None => (value, FigureUnit::Plain, end),
    }
}

/// Directly behind a figure, or before it, in this order: what says more stands first.
const MOST_BEHIND: [&str; 9] = [
    "이하",
    "이내",
    "까지",
    "를 넘지",
    "을 넘지",
    "를 초과하지",
    "을 초과하지",
    "를 초과할 수 없",
    "at most",
];
const LEAST_BEHIND: [&str; 3] = ["이상", "부터", "at least"];
const MOST_BEFORE: [&str; 12] = [
    "최대",
    "상한",
    "상한은",
    "not exceed",
    "never exceed",
    "up to",
    "at most",
    "no more than",
    "not more than",
    "maximum of",
    "cap of",
    "cap",
];
const LEAST_BEFORE: [&str; 5] = ["최소", "at least", "no less than", "not less than", "minimum of"];

fn bound(before: &str, behind: &str) -> Option<Bound> {
    let behind = behind.trim_start();
    let begins = |words: &[&str]| words.iter().any(|word| behind.starts_with(word));
    let before = before.trim_end().trim_end_matches(['₩', '(', '~']).trim_end();
    let before = before.strip_suffix(" a").unwrap_or(before).trim_end();
    let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
    if begins(&MOST_BEHIND) || ends(&MOST_BEFORE) {
        Some(Bound::AtMost)
    } else if begins(&LEAST_BEHIND) || ends(&LEAST_BEFORE) {
        Some(Bound::AtLeast)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(f64, FigureUnit, Option<Bound>)> {
        figures(text).into_iter().map(|figure| (figure.value, figure.unit, figure.bound)).collect()
    }

    #[test]
    fn figures_have_units_and_bounds() {
        use Bound::*;
        use FigureUnit::*;
        assert_eq!(read("보증금은 100분의 5를 넘지 못한다"), [(5.0, Percent, Some(AtMost))]);
        assert_eq!(read("3억 1,500만원까지"), [(3.15e8, Won, Some(AtMost))]);
        assert_eq!(read("2억 원 이상, 12개월"), [(2e8, Won, Some(AtLeast)), (12.0, Month, None)]);
        assert_eq!(
            read("must not exceed 5% of ₩315,000,000"),
            [(5.0, Percent, Some(AtMost)), (3.15e8, Won, None)]
        );
        assert_eq!(
            read("제7조, 24건, 4.20 %"),
            [(7.0, Plain, None), (24.0, Plain, None), (4.2, Percent, None)]
        );
    }
}
