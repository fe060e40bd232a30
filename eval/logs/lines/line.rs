//! One line, and the moment it was written at.

use std::collections::BTreeMap;

/// The columns in their order.
pub(super) const COLUMNS: [&str; 21] = [
    "id",
    "created_at",
    "level",
    "log_type",
    "service",
    "environment",
    "service_version",
    "trace_id",
    "user_id",
    "session_id",
    "error_type",
    "message",
    "stack_trace",
    "path",
    "method",
    "action_type",
    "function_name",
    "file_path",
    "duration_ms",
    "deleted",
    "metadata",
];

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
const DAY: i64 = 24 * HOUR;

/// Microseconds since 1970 by the clocks of Seoul.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Moment(i64);

impl Moment {
    /// 2026-03-18, 00:00.
    pub(super) const MIDNIGHT: Self = Self(20_530 * DAY);
    /// 2026-03-18, 14:30.
    pub(super) const NOW: Self = Self(Self::MIDNIGHT.0 + 14 * HOUR + HOUR / 2);

    /// So many days ago at this hour.
    pub(super) const fn days_ago(days: i64, hour: i64) -> Self {
        Self(Self::MIDNIGHT.0 - days * DAY + hour * HOUR)
    }

    pub(super) const fn later(self, microseconds: i64) -> Self {
        Self(self.0 + microseconds)
    }

    pub(super) const fn minutes_later(self, minutes: i64) -> Self {
        self.later(minutes * 60 * SECOND)
    }

    pub(super) fn seconds_later(self, seconds: f64) -> Self {
        self.later(microseconds(seconds))
    }

    pub(super) fn seconds_before(self, seconds: f64) -> Self {
        self.later(-microseconds(seconds))
    }

    pub(super) const fn hour(self) -> i64 {
        self.0.rem_euclid(DAY) / HOUR
    }

    pub(super) const fn to_the_millisecond(self) -> Self {
        Self(self.0 - self.0.rem_euclid(1_000))
    }

    fn iso(self) -> String {
        let (year, month, day) = date(self.0.div_euclid(DAY));
        let of_day = self.0.rem_euclid(DAY);
        let (hour, minute, second) = (of_day / HOUR, of_day / (60 * SECOND) % 60, of_day / SECOND % 60);
        let milliseconds = of_day / 1_000 % 1_000;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}+09:00")
    }
}

/// Whole seconds and their fraction apart, rounded to the even microsecond, as Python's `timedelta` does.
fn microseconds(seconds: f64) -> i64 {
    seconds.trunc() as i64 * SECOND + (seconds.fract() * 1e6).round_ties_even() as i64
}

/// Year, month and day of a number of days since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    // Years that begin in March, so that a leap day is their last.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_based = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_based + 2) / 5 + 1;
    let month = if march_based < 10 { march_based + 3 } else { march_based - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// What a line says; the names are those of the columns.
pub(super) struct Line {
    pub(super) at: Moment,
    pub(super) level: &'static str,
    pub(super) log_type: &'static str,
    pub(super) service: &'static str,
    pub(super) environment: &'static str,
    pub(super) version: &'static str,
    pub(super) trace: Option<String>,
    pub(super) user: Option<String>,
    pub(super) session: Option<String>,
    pub(super) error_type: Option<&'static str>,
    pub(super) message: String,
    pub(super) stack: Option<String>,
    pub(super) path: Option<&'static str>,
    pub(super) method: Option<&'static str>,
    pub(super) action: Option<&'static str>,
    pub(super) function: Option<&'static str>,
    pub(super) file: Option<String>,
    pub(super) milliseconds: Option<f64>,
    pub(super) deleted: bool,
    pub(super) metadata: Metadata,
}

/// Keys and their values, as JSON has them.
#[derive(Default)]
pub(super) struct Metadata(BTreeMap<&'static str, String>);

impl Metadata {
    pub(super) fn text(&mut self, key: &'static str, value: &str) {
        self.0.insert(key, format!("\"{value}\""));
    }

    pub(super) fn plain(&mut self, key: &'static str, value: impl std::fmt::Display) {
        self.0.insert(key, value.to_string());
    }

    /// A number that keeps its point.
    pub(super) fn number(&mut self, key: &'static str, value: f64) {
        self.0.insert(key, format!("{value:?}"));
    }

    fn json(&self) -> String {
        let pairs: Vec<String> = self.0.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{{}}}", pairs.join(", "))
    }
}

impl Line {
    pub(super) fn csv(&self, number: i64, at: Moment) -> String {
        let owned = |text: &Option<String>| text.clone().unwrap_or_default();
        let fixed = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let cells = [
            number.to_string(),
            at.iso(),
            self.level.to_owned(),
            self.log_type.to_owned(),
            self.service.to_owned(),
            self.environment.to_owned(),
            self.version.to_owned(),
            owned(&self.trace),
            owned(&self.user),
            owned(&self.session),
            fixed(self.error_type),
            self.message.clone(),
            owned(&self.stack),
            fixed(self.path),
            fixed(self.method),
            fixed(self.action),
            fixed(self.function),
            owned(&self.file),
            self.milliseconds.map(|number| format!("{number:?}")).unwrap_or_default(),
            if self.deleted { "t" } else { "f" }.to_owned(),
            self.metadata.json(),
        ];
        cells.map(quoted).join(",")
    }
}

fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\r', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}
