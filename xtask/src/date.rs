//! Days and moments as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// The day, for a file's name.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// A moment in RFC 3339, counted in seconds from the first of January 1970.
pub(crate) fn moment(seconds: u64) -> String {
    let second = seconds % 86_400;
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{}T{hour:02}:{minute:02}:{:02}Z", date(seconds / 86_400), second % 60)
}

/// The date of a day counted from the first of January 1970, in the calendar's cycles of 400 years.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March here, so that the odd day comes last.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year_of_era + next_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_772), "2026-11-15");
        assert_eq!(moment(1_000_000_000), "2001-09-09T01:46:40Z");
    }
}
