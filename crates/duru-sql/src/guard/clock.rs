//! A clock that stands still: for measuring, and for answers that can be had again.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use sqlparser::ast::{DataType, Expr, TimezoneInfo, TypedString, Value};

/// The moment that `now()` and its relatives stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    now: Timestamp,
    zone: TimeZone,
}

impl Clock {
    pub fn new(now: Timestamp, zone: TimeZone) -> Self {
        Self { now, zone }
    }

    /// What one of the clock's functions gives.
    pub(super) fn moment(&self, function: &str) -> Expr {
        let zoned = self.now.to_zoned(self.zone.clone());
        let (kind, text) = match function {
            "current_date" => (DataType::Date, zoned.date().to_string()),
            "localtimestamp" => (DataType::Timestamp(None, TimezoneInfo::None), plain(zoned.datetime())),
            "localtime" => (DataType::Time(None, TimezoneInfo::None), zoned.time().to_string()),
            "current_time" => (
                DataType::Time(None, TimezoneInfo::WithTimeZone),
                zoned.strftime("%H:%M:%S%.f%:z").to_string(),
            ),
            _ => (
                DataType::Timestamp(None, TimezoneInfo::Tz),
                zoned.strftime("%Y-%m-%d %H:%M:%S%.f%:z").to_string(),
            ),
        };
        typed(kind, text)
    }

    /// What a word such as 'today' stands for, if it is one of the clock's.
    pub(super) fn word(&self, word: &str, data_type: &DataType) -> Option<Expr> {
        let zoned = self.now.to_zoned(self.zone.clone());
        let midnight = |days: i64| zoned.date().checked_add(days.days()).ok().map(|date| date.at(0, 0, 0, 0));
        let local = match word.trim().to_ascii_lowercase().as_str() {
            "now" => zoned.datetime(),
            "today" => midnight(0)?,
            "tomorrow" => midnight(1)?,
            "yesterday" => midnight(-1)?,
            _ => return None,
        };
        let text = match data_type {
            DataType::Date => local.date().to_string(),
            DataType::Timestamp(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => plain(local),
            DataType::Timestamp(_, TimezoneInfo::Tz | TimezoneInfo::WithTimeZone) => {
                let zoned = local.to_zoned(self.zone.clone()).ok()?;
                zoned.strftime("%Y-%m-%d %H:%M:%S%.f%:z").to_string()
            }
            _ => return None,
        };
        Some(typed(data_type.clone(), text))
    }
}

fn plain(moment: DateTime) -> String {
    moment.strftime("%Y-%m-%d %H:%M:%S%.f").to_string()
}

fn typed(data_type: DataType, text: String) -> Expr {
    Expr::TypedString(TypedString {
        data_type,
        value: Value::SingleQuotedString(text).into(),
        uses_odbc_syntax: false,
    })
}
