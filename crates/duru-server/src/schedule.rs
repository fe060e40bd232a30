//! Schedules: when something is to be done again and again.

use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// The longest time between two dates of a schedule is that between two leap
/// days around 2100: eight years. One that has no date until then never has one.
const DAYS: usize = 366 * 9;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// A cron expression of five fields, in a time zone, or of six, of which the last
/// is the second. Every field is a set of numbers, kept as bits.
#[derive(Debug, Clone)]
pub(crate) struct Schedule {
    seconds: u64,
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Where both kinds of day are given, either will do, as in every cron.
    either_day: bool,
    /// Of an hour that comes twice when clocks are set back, only a schedule for
    /// every hour means both.
    every_hour: bool,
    zone: TimeZone,
}

impl Schedule {
    /// Reads an expression such as `*/5 9-17 * * mon-fri`, or `@daily`.
    pub(crate) fn parse(text: &str, zone: Option<&str>) -> Result<Self, String> {
        let zone = match zone.filter(|zone| !zone.is_empty()) {
            None => TimeZone::UTC,
            Some(name) => DateTimeParser::new()
                .parse_time_zone(name)
                .map_err(|_| format!("Invalid timezone: '{name}'. Use a name such as 'Asia/Seoul'."))?,
        };
        let refused = |reason: &str| {
            format!(
                "Invalid cron schedule: '{text}'. Reason: {reason} Ensure the schedule uses the standard cron \
                 format (minute hour day_of_month month day_of_week). Example: '*/5 * * * *' for every 5 minutes."
            )
        };
        let fields: Vec<&str> = written_out(text.trim()).split_whitespace().collect();
        let (minute, hour, day, month, weekday, second) = match fields[..] {
            [minute, hour, day, month, weekday] => (minute, hour, day, month, weekday, "0"),
            [minute, hour, day, month, weekday, second] => (minute, hour, day, month, weekday, second),
            _ => return Err(refused("It has neither five fields nor six.")),
        };
        let set = |text: &str, name: &str, field: Field<'_>| {
            field.parse(text).ok_or_else(|| refused(&format!("The {name} '{text}' can't be read.")))
        };
        let weekdays =
            set(weekday, "day of the week", Field { least: 0, most: 6, also: 7, names: &WEEKDAYS })?;
        let schedule = Self {
            seconds: set(second, "second", Field::numbers(0, 59))?,
            minutes: set(minute, "minute", Field::numbers(0, 59))?,
            hours: set(hour, "hour", Field::numbers(0, 23))?,
            days: set(day, "day of the month", Field::numbers(1, 31))?,
            months: set(month, "month", Field { names: &MONTHS, ..Field::numbers(1, 12) })?,
            // Sunday is 0 and 7.
            weekdays: (weekdays | weekdays >> 7) & 0x7f,
            either_day: is_given(day) && is_given(weekday),
            every_hour: !is_given(hour),
            zone,
        };
        match schedule.after(0) {
            Some(_) => Ok(schedule),
            None => Err(refused("There is no such day.")),
        }
    }

    /// The first date after a time, both in milliseconds since 1970.
    pub(crate) fn after(&self, ms: u64) -> Option<u64> {
        let now = Timestamp::from_millisecond(i64::try_from(ms).ok()?).ok()?;
        let mut date = now.to_zoned(self.zone.clone()).date();
        for _ in 0..DAYS {
            if self.has(date)
                && let Some(found) = self.on(date, now)
            {
                return u64::try_from(found.as_millisecond()).ok();
            }
            date = date.tomorrow().ok()?;
        }
        None
    }

    fn has(&self, date: Date) -> bool {
        let day = is_in(self.days, date.day());
        let weekday = is_in(self.weekdays, date.weekday().to_sunday_zero_offset());
        let day = if self.either_day { day || weekday } else { day && weekday };
        day && is_in(self.months, date.month())
    }

    /// The first time on a day that comes after `now`. A time that does not exist
    /// because clocks are set forward comes as much later.
    fn on(&self, date: Date, now: Timestamp) -> Option<Timestamp> {
        let mut found: Option<Timestamp> = None;
        for hour in (0..24).filter(|hour| is_in(self.hours, *hour)) {
            for minute in (0..60).filter(|minute| is_in(self.minutes, *minute)) {
                let times = self.zone.to_ambiguous_timestamp(date.at(hour, minute, 0, 0));
                let second = self.every_hour && matches!(times.offset(), AmbiguousOffset::Fold { .. });
                let second = if second { times.later().ok() } else { None };
                let both = times.compatible().ok().into_iter().chain(second);
                found = both.filter_map(|minute| self.within(minute, now)).chain(found).min();
            }
        }
        found
    }
}

impl Schedule {
    /// The first time within a minute that comes after `now`.
    fn within(&self, minute: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let seconds = (0..60).filter(|second| is_in(self.seconds, *second));
        seconds
            .filter_map(|second| minute.checked_add(SignedDuration::from_secs(second.into())).ok())
            .find(|time| *time > now)
    }
}

/// A time as clients write it; one that names no zone means UTC.
pub(crate) fn instant(text: &str) -> Option<u64> {
    let utc = |text: &str| {
        text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    };
    let time = text.parse::<Timestamp>().ok().or_else(|| utc(text))?;
    u64::try_from(time.as_millisecond()).ok()
}

fn written_out(text: &str) -> &str {
    match text {
        "@hourly" => "0 * * * *",
        "@daily" | "@midnight" => "0 0 * * *",
        "@weekly" => "0 0 * * 0",
        "@monthly" => "0 0 1 * *",
        "@yearly" | "@annually" => "0 0 1 1 *",
        other => other,
    }
}

fn is_given(field: &str) -> bool {
    !field.starts_with(['*', '?'])
}

fn is_in(set: u64, number: i8) -> bool {
    u32::try_from(number).is_ok_and(|number| set & (1 << number) != 0)
}

/// What a field may hold.
struct Field<'a> {
    least: u32,
    most: u32,
    /// A larger number that may be named.
    also: u32,
    /// Words for the numbers from the least on.
    names: &'a [&'a str],
}

impl Field<'_> {
    fn numbers(least: u32, most: u32) -> Self {
        Self { least, most, also: most, names: &[] }
    }

    /// `*`, `3`, `1-5`, `*/15`, `10-30/5`, and several of them with commas.
    fn parse(&self, text: &str) -> Option<u64> {
        text.split(',').try_fold(0, |set, part| Some(set | self.part(part)?))
    }

    fn part(&self, part: &str) -> Option<u64> {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(number(step)?)),
            None => (part, None),
        };
        let (first, last) = match range.split_once('-') {
            _ if range == "*" || range == "?" => (self.least, self.most),
            Some((first, last)) => (self.value(first)?, self.value(last)?),
            None => {
                let first = self.value(range)?;
                (first, if step.is_some() { self.most.max(first) } else { first })
            }
        };
        let step = step.unwrap_or(1);
        if first > last || step == 0 {
            return None;
        }
        let numbers = (first..=last).step_by(usize::try_from(step).ok()?);
        Some(numbers.fold(0, |set, number| set | 1 << number))
    }

    fn value(&self, text: &str) -> Option<u32> {
        let named = self.names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let value = match named {
            Some(at) => self.least + u32::try_from(at).ok()?,
            None => number(text)?,
        };
        (self.least..=self.also).contains(&value).then_some(value)
    }
}

/// Digits only: Rust's own numbers may have a sign.
fn number(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::iso;

    #[track_caller]
    fn check(text: &str, zone: &str, from: &str, expected: &[&str]) {
        let schedule = Schedule::parse(text, Some(zone)).expect("it can be read");
        let mut at = instant(from).expect("a time");
        for expected in expected {
            at = schedule.after(at).expect("there is a next date");
            assert_eq!(&iso(at)[..expected.len()], *expected, "{text}");
        }
    }

    #[test]
    fn dates_follow_each_other() {
        let now = "2026-11-15T00:06:02.5Z";
        check("*/5 * * * *", "", now, &["2026-11-15T00:10", "2026-11-15T00:15"]);
        check("0 0 1 1 *", "", now, &["2027-01-01T00:00", "2028-01-01T00:00"]);
        check("0 0 29 2 *", "", "2096-03-01T00:00:00Z", &["2104-02-29T00:00"]);
        check(
            "15,45 9-10 * * mon-FRI",
            "",
            now,
            &["2026-11-16T09:15", "2026-11-16T09:45", "2026-11-16T10:15"],
        );
        check("30 8 * * 7", "", now, &["2026-11-15T08:30", "2026-11-22T08:30"]);
        check("0 12 13 * fri", "", now, &["2026-11-20T12:00", "2026-11-27T12:00", "2026-12-04T12:00"]);
        check("0 0/12 * jun *", "", now, &["2027-06-01T00:00", "2027-06-01T12:00"]);
        check("@monthly", "", now, &["2026-12-01T00:00"]);
        check("6 0 * * *", "", "2026-11-15T00:06:00Z", &["2026-11-16T00:06"]);
    }

    #[test]
    fn a_sixth_field_is_the_second() {
        let now = "2026-11-15T00:06:02.5Z";
        check(
            "* * * * * */20",
            "",
            now,
            &["2026-11-15T00:06:20", "2026-11-15T00:06:40", "2026-11-15T00:07:00"],
        );
        check("0 9 * * * 30", "Asia/Seoul", now, &["2026-11-16T00:00:30", "2026-11-17T00:00:30"]);
        check("59 23 31 12 * 58,59", "", now, &["2026-12-31T23:59:58", "2026-12-31T23:59:59"]);
    }

    #[test]
    fn time_zones_count() {
        let now = "2026-11-15T00:06:02Z";
        check("0 9 * * *", "Asia/Seoul", now, &["2026-11-16T00:00", "2026-11-17T00:00"]);
        check("0 9 * * *", "+05:30", now, &["2026-11-15T03:30"]);
        // Clocks go from 02:00 to 03:00 on March 29, and from 03:00 to 02:00 on October 25.
        check(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00:00Z",
            &["2026-03-29T01:30", "2026-03-30T00:30"],
        );
        check(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00:00Z",
            &["2026-10-25T00:30", "2026-10-26T01:30"],
        );
        check(
            "30 * * * *",
            "Europe/Berlin",
            "2026-10-25T00:00:00Z",
            &["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"],
        );
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        let wrong = [
            "nope",
            "",
            "* * * *",
            "* * * * * 60",
            "* * * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "*/0 * * * *",
            "5-1 * * * *",
            "-1 * * * *",
            "+1 * * * *",
            "1,,2 * * * *",
            "0 0 30 2 *",
            "a-b * * * *",
            "* * * mon *",
            "*/99999999999 * * * *",
        ];
        for text in wrong {
            assert!(Schedule::parse(text, None).is_err(), "{text:?}");
        }
        assert!(Schedule::parse("* * * * *", Some("Atlantis")).is_err());
    }

    #[test]
    fn times_without_a_zone_are_utc() {
        for text in
            ["2026-11-15T00:03:22.091Z", "2026-11-15T00:03:22.091000+00:00", "2026-11-15T00:03:22.091"]
        {
            assert_eq!(instant(text), Some(1_794_701_002_091), "{text}");
        }
        assert_eq!(instant("2026-11-15T09:03:22.091+09:00"), Some(1_794_701_002_091));
        assert_eq!(instant("soon"), None);
    }
}
