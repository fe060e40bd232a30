//! Shares and lengths of time as people write them: 4.2%, 5프로, 석 달, 1년 반, eighteen months.

/// A number of hundredths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// 0.042 is 4.2 %.
    pub value: f64,
    pub start: usize,
    pub end: usize,
}

/// A number of months or years.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    pub months: u32,
    /// Whether it was said in years.
    pub years: bool,
    pub start: usize,
    pub end: usize,
}

const HUNDREDTHS: &[&str] = &["퍼센트", "프로", "퍼", "percent", "per cent", "pct", "%", "％"];
/// What counts months and years; longer words before their beginnings.
const UNITS: &[(&str, u32)] = &[
    ("개월", 1),
    ("달", 1),
    ("months", 1),
    ("month", 1),
    ("년", 12),
    ("years", 12),
    ("year", 12),
    ("yrs", 12),
    ("yr", 12),
    ("해", 12),
];
/// Numbers in words, as they stand before months and years.
const SPOKEN: &[(&str, u32)] = &[
    ("열두", 12),
    ("열한", 11),
    ("다섯", 5),
    ("여섯", 6),
    ("일곱", 7),
    ("여덟", 8),
    ("아홉", 9),
    ("한", 1),
    ("두", 2),
    ("세", 3),
    ("석", 3),
    ("네", 4),
    ("넉", 4),
    ("열", 10),
    ("일", 1),
    ("이", 2),
    ("삼", 3),
    ("사", 4),
    ("오", 5),
    ("육", 6),
    ("십", 10),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("eighteen", 18),
    ("twenty", 20),
    ("thirty", 30),
];

/// The shares of a text, in order. What is written in digits only, and lies between 0 and 100.
pub fn shares(text: &str) -> Vec<Share> {
    let mut found = Vec::new();
    for (start, end, number) in numbers(text) {
        let spaces = text[end..].len() - text[end..].trim_start_matches(' ').len();
        let rest = &text[end + spaces..];
        let Some(word) = HUNDREDTHS.iter().find(|word| rest.starts_with(**word)) else { continue };
        if number > 0.0 && number < 100.0 {
            found.push(Share { value: number / 100.0, start, end: end + spaces + word.len() });
        }
    }
    found
}

/// The lengths of time in months and years of a text, in order. "2024년" and "3월" say when, not how long.
pub fn terms(text: &str) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut push = |term: Term| {
        if !found.iter().any(|known| known.start < term.end && term.start < known.end) {
            found.push(term);
        }
    };
    for (start, end, number) in numbers(text) {
        if let Some((unit, stop)) = unit(text, end)
            && number > 0.0
            && number <= 600.0
            && !(unit == 12 && number > 100.0)
        {
            push(half(text, (number * f64::from(unit)).round() as u32, unit == 12, start, stop));
        }
    }
    for (at, _) in text.char_indices() {
        let before = text[..at].chars().next_back();
        if before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        if let Some(rest) = text[at..].strip_prefix("반년") {
            push(Term { months: 6, years: false, start: at, end: text.len() - rest.len() });
        }
        let word =
            SPOKEN.iter().filter(|(word, _)| text[at..].starts_with(word)).max_by_key(|(word, _)| word.len());
        if let Some((word, number)) = word
            && let Some((unit, stop)) = unit(text, at + word.len())
            && (!is_sino(word) || ["년", "개월"].iter().any(|unit| text[at + word.len()..].starts_with(unit)))
        {
            push(half(text, number * unit, unit == 12, at, stop));
        }
    }
    found.sort_by_key(|term| term.start);
    found
}

/// 이 달 is this month and 오해 a misunderstanding: such a number stands right before 년 or 개월 only.
fn is_sino(word: &str) -> bool {
    ["일", "이", "삼", "사", "오", "육", "십"].contains(&word)
}

/// 1년 반: and half a year.
fn half(text: &str, months: u32, years: bool, start: usize, end: usize) -> Term {
    let rest = text[end..].trim_start_matches(' ');
    if years && rest.starts_with('반') && !rest.starts_with("반전세") {
        let end = text.len() - rest.len() + '반'.len_utf8();
        return Term { months: months + 6, years, start, end };
    }
    Term { months, years, start, end }
}

/// The unit right behind a number, and where it ends.
fn unit(text: &str, end: usize) -> Option<(u32, usize)> {
    let spaces = text[end..].len() - text[end..].trim_start_matches([' ', '-']).len();
    let rest = &text[end + spaces..];
    let (word, months) = UNITS.iter().find(|(word, _)| rest.starts_with(word))?;
    // 해외, 달러, 년생: other words.
    let after = &rest[word.len()..];
    let other = match *word {
        "해" => !after.is_empty() && !after.starts_with([' ', '를', '동', '에', '간', '만', '치']),
        "달" => after.starts_with('러'),
        "년" => after.starts_with(['생', '식']),
        _ => after.starts_with(|c: char| c.is_ascii_alphabetic()),
    };
    (!other).then_some((*months, end + spaces + word.len()))
}

/// The numbers in digits of a text: where each begins and ends, and its value.
fn numbers(text: &str) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && !bytes[at].is_ascii_digit() {
            at += 1;
        }
        if at >= bytes.len() {
            return None;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        {
            at += 1;
        }
        Some((start, at, text[start..at].replace(',', "").parse().unwrap_or(f64::NAN)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_as_people_write_them() {
        let values =
            |text| shares(text).into_iter().map(|share| (share.value * 1e5).round()).collect::<Vec<_>>();
        assert_eq!(values("금리 4.2%에 LTV 70 %"), [4200.0, 70000.0]);
        assert_eq!(values("5프로면 얼마, 3.7퍼는? 4.8 percent"), [5000.0, 3700.0, 4800.0]);
        assert_eq!(values("3억에 20년"), [0.0; 0]);
        assert_eq!(values("120%"), [0.0; 0]);
    }

    #[test]
    fn lengths_of_time_are_told_from_dates() {
        let months = |text| terms(text).into_iter().map(|term| term.months).collect::<Vec<_>>();
        assert_eq!(months("30년 말고 25년"), [360, 300]);
        assert_eq!(months("석 달치, 두달, 6개월, 반년"), [3, 2, 6, 6]);
        assert_eq!(months("1년 반 살았고 18개월"), [18, 18]);
        assert_eq!(months("2024년 3월에 전입"), [0; 0]);
        assert_eq!(months("a 10 month contract, two years, 25-year loan"), [10, 24, 300]);
        assert_eq!(months("500 달러, 1990년생, 두 해외 도시, 이 달, 오해"), [0; 0]);
    }
}
