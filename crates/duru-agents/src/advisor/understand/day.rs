//! Days as people write them: 2026년 4월 20일, 3월10일, 9 march 2026, june 30.

use std::sync::LazyLock;

use regex::Regex;

use super::words::is_taken_back;

/// A day that a text says, with its year where that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) year: Option<i16>,
    pub(crate) month: i8,
    pub(crate) day: i8,
}

impl Day {
    /// On the calendar; without a year, of one that has a 29 February.
    pub(crate) fn date(self) -> Option<jiff::civil::Date> {
        jiff::civil::Date::new(self.year.unwrap_or(2024), self.month, self.day).ok()
    }
}

const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses each")]
static DAYS: LazyLock<Regex> = LazyLock::new(|| {
    let month = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?";
    Regex::new(&format!(
        r"(?:([0-9]{{4}})\s*년\s*)?([0-9]{{1,2}})\s*월\s*([0-9]{{1,2}})\s*일|([0-9]{{4}})[-./]([0-9]{{1,2}})[-./]([0-9]{{1,2}})|\b([0-9]{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{month}(?:,?\s+([0-9]{{4}}))?|\b{month}\s+([0-9]{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+([0-9]{{4}}))?"
    ))
    .unwrap()
});

/// The days of a text, in order, without what is taken back.
pub(crate) fn days(text: &str) -> Vec<Day> {
    let text = text.to_lowercase();
    let found = DAYS.captures_iter(&text).filter_map(|found| {
        let whole = found.get(0)?;
        let before = text[..whole.start()].trim_end();
        if before.ends_with(" not") || before == "not" || is_taken_back(&text[whole.end()..]) {
            return None;
        }
        let number = |at: usize| found.get(at).and_then(|part| part.as_str().parse::<i16>().ok());
        let named = |at: usize| {
            let name = found.get(at)?.as_str();
            i8::try_from(MONTHS.iter().position(|month| *month == name)? + 1).ok()
        };
        let small = |at: usize| number(at).and_then(|number| i8::try_from(number).ok());
        let (year, month, day) = if found.get(2).is_some() {
            (number(1), small(2)?, small(3)?)
        } else if found.get(4).is_some() {
            (number(4), small(5)?, small(6)?)
        } else if found.get(7).is_some() {
            (number(9), named(8)?, small(7)?)
        } else {
            (number(12), named(10)?, small(11)?)
        };
        let one = Day { year, month, day };
        one.date().map(|_| one)
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_people_write_them() {
        let day = |year, month, day| Day { year, month, day };
        assert_eq!(days("2027년 1월 5일에 끝나요"), [day(Some(2027), 1, 5)]);
        assert_eq!(days("8월3일에 보냈어요"), [day(None, 8, 3)]);
        assert_eq!(days("on 4 May 2026, or may 6th"), [day(Some(2026), 5, 4), day(None, 5, 6)]);
        assert_eq!(days("ends 2026-11-30"), [day(Some(2026), 11, 30)]);
        assert_eq!(days("it's 12 august not august 21"), [day(None, 8, 12)]);
        assert_eq!(days("2월 31일, 30 million, 3개월, may i"), []);
    }
}
