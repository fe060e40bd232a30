//! Time as one query sees it: when now is, and in which zone days begin.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::scalar::fails;
use crate::columns::time_in;
use duru_sql::Fault;

#[derive(Debug, Clone)]
pub(crate) struct Clock {
    /// Microseconds since 1970.
    pub(crate) now: i64,
    pub(crate) zone: TimeZone,
    pub(crate) zone_name: String,
}

impl Clock {
    pub(crate) fn new(now: Timestamp, zone: &str) -> Option<Self> {
        let zone_name = zone.to_owned();
        Some(Self { now: now.as_microsecond(), zone: TimeZone::get(zone).ok()?, zone_name })
    }

    /// The type of times with time zone in this query.
    pub(crate) fn time_type(&self) -> DataType {
        time_in(&self.zone_name)
    }
}

pub(crate) fn zoned(us: i64, zone: &TimeZone) -> Result<Zoned> {
    let time = Timestamp::from_microsecond(us).map_err(|_| fails(Fault::OutOfRange))?;
    Ok(time.to_zoned(zone.clone()))
}

pub(crate) fn civil(us: i64, zone: &TimeZone) -> Result<DateTime> {
    Ok(zoned(us, zone)?.datetime())
}

/// As PostgreSQL: a time that was twice is the second, one that was not is later.
pub(crate) fn instant(at: DateTime, zone: &TimeZone) -> Result<i64> {
    let time = zone.to_ambiguous_timestamp(at).later().map_err(|_| fails(Fault::OutOfRange))?;
    Ok(time.as_microsecond())
}

/// A zone by its name, or by an offset such as `+09`.
pub(crate) fn zone(name: &str) -> Result<TimeZone> {
    let name = match name.to_ascii_lowercase().as_str() {
        "utc" | "z" | "gmt" => "UTC".to_owned(),
        "kst" => "Asia/Seoul".to_owned(),
        _ => name.to_owned(),
    };
    // POSIX's sign of bare offsets is the opposite of everybody's: refused.
    if name.starts_with(['+', '-']) || name.bytes().any(|b| b.is_ascii_digit()) {
        return Err(super::unsupported("time zones written as offsets"));
    }
    TimeZone::get(&name).map_err(|_| fails(Fault::BadValue))
}
