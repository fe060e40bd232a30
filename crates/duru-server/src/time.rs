//! Times as clients read and write them.

/// `2026-11-15T00:03:18.619000+00:00`, from milliseconds since 1970.
pub(crate) fn iso(ms: u64) -> String {
    let (days, in_day) = (ms / 86_400_000, ms % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, micros) = (in_day / 1000 % 60, in_day % 1000 * 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}+00:00")
}

/// Year, month and day of a day since 1970. Howard Hinnant's way: years begin in
/// March, so that the leap day is the last one.
pub(crate) fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_look_like_python_s() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000000+00:00");
        assert_eq!(iso(951_782_399_999), "2000-02-28T23:59:59.999000+00:00");
        assert_eq!(iso(951_782_400_000), "2000-02-29T00:00:00.000000+00:00");
        assert_eq!(iso(1_794_701_002_091), "2026-11-15T00:03:22.091000+00:00");
        assert_eq!(iso(4_107_542_400_000), "2100-03-01T00:00:00.000000+00:00");
    }
}
