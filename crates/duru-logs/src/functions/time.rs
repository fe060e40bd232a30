//! Functions of times and intervals.

use std::cell::Cell;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, DurationMicrosecondArray, Float64Array, Int32Array, Int64Array,
    IntervalMonthDayNanoArray, TimestampMicrosecondArray, new_null_array,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Float64Type, TimeUnit, TimestampMicrosecondType, i256,
};
use datafusion::common::Result;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};

use super::cast::{LOCAL, from_date, to_date};
use super::clock::{self, Clock};
use super::decimal::{self, Number};
use super::interval::{DURATION, INTERVAL, Parts, parts};
use super::scalar::{Call, Function, fails, unsupported};
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function { name: "pg_now", returns: |_, clock| Ok(clock.time_type()), run: now },
    Function { name: "pg_date_trunc", returns: truncated_type, run: truncate },
    Function { name: "pg_extract", returns: |_, _| Ok(decimal::decimal(0)), run: extract },
    // Fields that have a fraction.
    Function { name: "pg_extract_fraction", returns: |_, _| Ok(decimal::decimal(6)), run: extract },
    Function { name: "pg_date_part", returns: |_, _| Ok(DataType::Float64), run: date_part },
    Function { name: "pg_date_bin", returns: |args, _| second_time(args, 1), run: bin },
    Function { name: "pg_timezone", returns: other_time, run: at_time_zone },
    Function { name: "pg_age", returns: |_, _| Ok(INTERVAL), run: age },
    Function { name: "pg_make_interval", returns: |_, _| Ok(INTERVAL), run: make_interval },
    Function { name: "pg_interval_key", returns: |_, _| Ok(DataType::Int64), run: key },
    Function { name: "pg_interval_mul", returns: scaled_type, run: |call| scale(call, |a, b| a * b) },
    Function { name: "pg_interval_div", returns: scaled_type, run: |call| scale(call, |a, b| a / b) },
    Function { name: "pg_from_epoch", returns: |_, clock| Ok(clock.time_type()), run: from_epoch },
    Function { name: "pg_days_between", returns: |_, _| Ok(DataType::Int32), run: days_between },
    Function { name: "pg_add_days", returns: |_, _| Ok(DataType::Date32), run: add_days },
];

fn now(call: &Call) -> Result<ArrayRef> {
    let times = TimestampMicrosecondArray::from(vec![call.clock.now; call.rows]);
    Ok(Arc::new(times.with_timezone(call.clock.zone_name.as_str())))
}

fn second_time(args: &[DataType], i: usize) -> Result<DataType> {
    match args.get(i) {
        Some(kind @ DataType::Timestamp(TimeUnit::Microsecond, _)) => Ok(kind.clone()),
        _ => Err(unsupported("this function of something that is no time")),
    }
}

fn truncated_type(args: &[DataType], clock: &Clock) -> Result<DataType> {
    match args.get(1) {
        // A date counts as a time at its midnight.
        Some(DataType::Date32) => Ok(clock.time_type()),
        Some(DataType::Duration(_) | DataType::Interval(_)) => Ok(INTERVAL),
        _ => second_time(args, 1),
    }
}

fn other_time(args: &[DataType], clock: &Clock) -> Result<DataType> {
    match second_time(args, 1)? {
        DataType::Timestamp(_, Some(_)) => Ok(LOCAL),
        _ => Ok(clock.time_type()),
    }
}

/// A column of times and the zone in which they count.
fn times<'a>(call: &'a Call, i: usize) -> Result<(TimestampMicrosecondArray, &'a TimeZone)> {
    static UTC: TimeZone = TimeZone::UTC;
    let column = match call.args[i].data_type() {
        DataType::Date32 => {
            let each = call.args[i].as_primitive::<Date32Type>().iter();
            let at = |days: i32| clock::instant(to_date(days)?.at(0, 0, 0, 0), &call.clock.zone);
            let column: TimestampMicrosecondArray =
                each.map(|v| v.map(at).transpose()).collect::<Result<_>>()?;
            return Ok((column, &call.clock.zone));
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => &call.args[i],
        kind => return Err(unsupported(format!("{kind} as a time"))),
    };
    let zone = match column.data_type() {
        DataType::Timestamp(_, Some(_)) => &call.clock.zone,
        _ => &UTC,
    };
    Ok((column.as_primitive::<TimestampMicrosecondType>().clone(), zone))
}

fn labelled(call: &Call, times: TimestampMicrosecondArray) -> ArrayRef {
    let zone = if let DataType::Timestamp(_, zone) = call.returns { zone.clone() } else { None };
    Arc::new(times.with_timezone_opt(zone))
}

/// The beginning of the unit that a time is in, and the beginning of the next one.
fn unit(field: &str, at: DateTime) -> Result<(DateTime, DateTime)> {
    let day = at.date();
    let first_of = |year: i16, month: i8| jiff::civil::Date::new(year, month, 1).map(|d| d.at(0, 0, 0, 0));
    let hour = at.hour();
    let year = |n: i16| first_of(at.year().div_euclid(n) * n, 1);
    // Centuries begin with the year 1.
    let from_one = |n: i16| first_of((at.year() - 1).div_euclid(n) * n + 1, 1);
    let (from, span): (Result<DateTime, jiff::Error>, Span) = match field {
        "second" => (Ok(day.at(hour, at.minute(), at.second(), 0)), 1.second()),
        "minute" => (Ok(day.at(hour, at.minute(), 0, 0)), 1.minute()),
        "hour" => (Ok(day.at(hour, 0, 0, 0)), 1.hour()),
        "day" => (Ok(day.at(0, 0, 0, 0)), 1.day()),
        "week" => {
            let back = i64::from(day.weekday().to_monday_zero_offset());
            (day.checked_sub(back.days()).map(|d| d.at(0, 0, 0, 0)), 1.week())
        }
        "month" => (first_of(at.year(), at.month()), 1.month()),
        "quarter" => (first_of(at.year(), (at.month() - 1) / 3 * 3 + 1), 3.months()),
        "year" => (year(1), 1.year()),
        "decade" => (year(10), 10.years()),
        "century" => (from_one(100), 100.years()),
        "millennium" => (from_one(1000), 1000.years()),
        _ => return Err(unsupported(format!("the unit {field:?} here"))),
    };
    let from = from.map_err(|_| fails(Fault::OutOfRange))?;
    let to = from.checked_add(span).map_err(|_| fails(Fault::OutOfRange))?;
    Ok((from, to))
}

/// PostgreSQL's names for one unit.
fn unit_name(word: &str) -> String {
    let word = word.trim().to_ascii_lowercase();
    match word.as_str() {
        "millennia" | "mil" | "mils" => "millennium",
        "centuries" | "cent" | "c" => "century",
        "decades" | "dec" | "decs" => "decade",
        "years" | "y" | "yr" | "yrs" => "year",
        "months" | "mon" | "mons" => "month",
        "weeks" | "w" => "week",
        "days" | "d" => "day",
        "hours" | "h" | "hr" | "hrs" => "hour",
        "minutes" | "m" | "min" | "mins" => "minute",
        "seconds" | "s" | "sec" | "secs" => "second",
        "ms" | "msec" | "msecs" | "millisecond" => "milliseconds",
        "us" | "usec" | "usecs" | "microsecond" => "microseconds",
        other => other,
    }
    .to_owned()
}

fn truncate(call: &Call) -> Result<ArrayRef> {
    let Some(field) = call.constant_text(0)? else { return Ok(new_null_array(call.returns, call.rows)) };
    let field = unit_name(&field);
    if call.returns == &INTERVAL {
        return truncate_interval(call, &field);
    }
    let (column, own) = times(call, 1)?;
    let given = match call.args.get(2) {
        Some(_) => call.constant_text(2)?.map(|name| clock::zone(&name)).transpose()?,
        None => None,
    };
    let zone = given.as_ref().unwrap_or(own);
    let fraction = match field.as_str() {
        "milliseconds" => Some(1000),
        "microseconds" => Some(1),
        _ => None,
    };
    if let Some(step) = fraction {
        let result = column.unary::<_, TimestampMicrosecondType>(|us| us - us.rem_euclid(step));
        return Ok(labelled(call, result));
    }
    // Neighbours are mostly in the same unit.
    let last: Cell<Option<(i64, i64)>> = Cell::new(None);
    let result: TimestampMicrosecondArray = column.try_unary(|us| {
        if let Some((from, to)) = last.get()
            && (from..to).contains(&us)
        {
            return Ok::<_, datafusion::common::DataFusionError>(from);
        }
        let (from, to) = unit(&field, clock::civil(us, zone)?)?;
        let (from, to) = (clock::instant(from, zone)?, clock::instant(to, zone)?);
        // Where the clock was put back, an hour is there twice.
        last.set((from..to).contains(&us).then_some((from, to)));
        Ok(from)
    })?;
    Ok(labelled(call, result))
}

fn truncate_interval(call: &Call, field: &str) -> Result<ArrayRef> {
    let cut = |p: Parts| -> Result<Parts> {
        let us = |unit: i64| Parts { us: p.us - p.us % unit, ..p };
        Ok(match field {
            "second" => us(1_000_000),
            "minute" => us(60_000_000),
            "hour" => us(3_600_000_000),
            "day" => Parts { us: 0, ..p },
            "month" => Parts { days: 0, us: 0, ..p },
            "year" => Parts { months: p.months - p.months % 12, days: 0, us: 0 },
            _ => return Err(unsupported(format!("the unit {field:?} of an interval"))),
        })
    };
    let each = parts(&call.args[1])?.into_iter().map(|v| v.map(|p| cut(p).map(Parts::to_arrow)).transpose());
    Ok(Arc::new(each.collect::<Result<IntervalMonthDayNanoArray>>()?))
}

/// A field in millionths.
fn time_field(field: &str, us: i64, zone: &TimeZone, zoned: bool) -> Result<i128> {
    const ONE: i128 = 1_000_000;
    let full = clock::zoned(us, zone)?;
    let at = full.datetime();
    let second = i128::from(at.second()) * ONE + i128::from(us.rem_euclid(1_000_000));
    let year = i128::from(at.year());
    let whole = match field {
        "epoch" => return Ok(i128::from(us)),
        "second" => return Ok(second),
        "milliseconds" => return Ok(second * 1000),
        "microseconds" => return Ok(second * ONE),
        "minute" => i128::from(at.minute()),
        "hour" => i128::from(at.hour()),
        "day" => i128::from(at.day()),
        "dow" => i128::from(at.weekday().to_sunday_zero_offset()),
        "isodow" => i128::from(at.weekday().to_monday_one_offset()),
        "doy" => i128::from(at.date().day_of_year()),
        "week" => i128::from(at.date().iso_week_date().week()),
        "isoyear" => i128::from(at.date().iso_week_date().year()),
        "month" => i128::from(at.month()),
        "quarter" => i128::from((at.month() - 1) / 3 + 1),
        "year" => year,
        "decade" => year.div_euclid(10),
        "century" => (year - 1).div_euclid(100) + 1,
        "millennium" => (year - 1).div_euclid(1000) + 1,
        "timezone" if zoned => i128::from(full.offset().seconds()),
        _ => return Err(unsupported(format!("the field {field:?} of a time"))),
    };
    Ok(whole * ONE)
}

fn interval_field(field: &str, p: Parts) -> Result<i128> {
    const ONE: i128 = 1_000_000;
    let us = i128::from(p.us);
    let whole = match field {
        // A month has 30 days there, a year 365.25.
        "epoch" => {
            let (years, months) = (i128::from(p.months / 12), i128::from(p.months % 12));
            let days = i128::from(p.days) + months * 30;
            return Ok((days * 86_400 + years * 31_557_600) * ONE + us);
        }
        "second" => return Ok(us % (60 * ONE)),
        "milliseconds" => return Ok(us % (60 * ONE) * 1000),
        "microseconds" => return Ok(us % (60 * ONE) * ONE),
        "minute" => us / (60 * ONE) % 60,
        "hour" => us / (3600 * ONE),
        "day" => i128::from(p.days),
        "month" => i128::from(p.months % 12),
        "quarter" => i128::from(p.months % 12 / 3 + 1),
        "year" => i128::from(p.months / 12),
        _ => return Err(unsupported(format!("the field {field:?} of an interval"))),
    };
    Ok(whole * ONE)
}

fn fields(call: &Call) -> Result<Vec<Option<i128>>> {
    let Some(field) = call.constant_text(0)? else { return Ok(vec![None; call.rows]) };
    let field = unit_name(&field);
    match call.args[1].data_type() {
        DataType::Duration(_) | DataType::Interval(_) => {
            let each = parts(&call.args[1])?.into_iter();
            each.map(|v| v.map(|p| interval_field(&field, p)).transpose()).collect()
        }
        DataType::Null => Ok(vec![None; call.rows]),
        kind => {
            let zoned = matches!(kind, DataType::Timestamp(_, Some(_)));
            let (column, zone) = times(call, 1)?;
            column.iter().map(|v| v.map(|us| time_field(&field, us, zone, zoned)).transpose()).collect()
        }
    }
}

fn extract(call: &Call) -> Result<ArrayRef> {
    let DataType::Decimal256(_, scale) = call.returns else { return Err(fails(Fault::WrongTypes)) };
    let mut result = decimal::builder(call.rows, *scale)?;
    for value in fields(call)? {
        result.append_option(value.map(|v| decimal::rescaled(i256::from_i128(v), 6, *scale)).transpose()?);
    }
    Ok(Arc::new(result.finish()))
}

fn date_part(call: &Call) -> Result<ArrayRef> {
    let each = fields(call)?.into_iter().map(|v| v.map(|v| v as f64 / 1e6));
    Ok(Arc::new(each.collect::<Float64Array>()))
}

fn bin(call: &Call) -> Result<ArrayRef> {
    let (width, (column, _), (origin, _)) = (parts(&call.args[0])?, times(call, 1)?, times(call, 2)?);
    let each = column.iter().enumerate().map(|(i, us)| {
        let (Some(us), Some(width)) = (us, width[i]) else { return Ok(None) };
        if origin.is_null(i) {
            return Ok(None);
        }
        if width.months != 0 {
            return Err(fails(Fault::BadValue));
        }
        let (step, origin) = (width.key(), origin.value(i));
        if step <= 0 {
            return Err(fails(Fault::BadValue));
        }
        Ok(Some(us - (us - origin).rem_euclid(step)))
    });
    Ok(labelled(call, each.collect::<Result<TimestampMicrosecondArray>>()?))
}

fn at_time_zone(call: &Call) -> Result<ArrayRef> {
    let Some(name) = call.constant_text(0)? else { return Ok(new_null_array(call.returns, call.rows)) };
    let zone = clock::zone(&name)?;
    let column = call.args[1].as_primitive::<TimestampMicrosecondType>();
    let to_local = call.returns == &LOCAL;
    let result: TimestampMicrosecondArray = column.try_unary(|us| {
        if to_local {
            clock::instant(clock::civil(us, &zone)?, &TimeZone::UTC)
        } else {
            clock::instant(clock::civil(us, &TimeZone::UTC)?, &zone)
        }
    })?;
    Ok(labelled(call, result))
}

/// Years, months, days as on a calendar, and the rest.
fn age(call: &Call) -> Result<ArrayRef> {
    let (to, zone) = times(call, 0)?;
    let (from, _) = times(call, 1)?;
    let each = to.iter().zip(from.iter()).map(|pair| {
        let (Some(to), Some(from)) = pair else { return Ok(None) };
        let (sign, a, b) = if to >= from { (1, from, to) } else { (-1, to, from) };
        let (a, b) = (clock::civil(a, zone)?, clock::civil(b, zone)?);
        let span = b.since((jiff::Unit::Year, a)).map_err(|_| fails(Fault::OutOfRange))?;
        let months = i32::from(span.get_years()) * 12 + span.get_months();
        let time = i64::from(span.get_hours()) * 3_600_000_000
            + span.get_minutes() * 60_000_000
            + span.get_seconds() * 1_000_000
            + span.get_milliseconds() * 1000
            + span.get_microseconds();
        let parts = Parts { months: sign * months, days: sign * span.get_days(), us: i64::from(sign) * time };
        Ok(Some(parts.to_arrow()))
    });
    Ok(Arc::new(each.collect::<Result<IntervalMonthDayNanoArray>>()?))
}

/// Years, months, weeks, days, hours, minutes, seconds.
fn make_interval(call: &Call) -> Result<ArrayRef> {
    let ints = (0..6).map(|i| call.int(i)).collect::<Result<Vec<_>>>()?;
    let seconds = cast(&call.args[6], &DataType::Float64)?;
    let seconds = seconds.as_primitive::<Float64Type>();
    let each = (0..call.rows).map(|i| {
        if ints.iter().any(|column| column.is_null(i)) || seconds.is_null(i) {
            return Ok(None);
        }
        let [years, months, weeks, days, hours, minutes] =
            [0, 1, 2, 3, 4, 5].map(|n: usize| ints[n].value(i));
        let small = |n: i64| i32::try_from(n).map_err(|_| fails(Fault::OutOfRange));
        let parts = Parts {
            months: small(years * 12 + months)?,
            days: small(weeks * 7 + days)?,
            us: (hours * 3600 + minutes * 60) * 1_000_000 + (seconds.value(i) * 1e6).round() as i64,
        };
        Ok(Some(parts.to_arrow()))
    });
    Ok(Arc::new(each.collect::<Result<IntervalMonthDayNanoArray>>()?))
}

fn key(call: &Call) -> Result<ArrayRef> {
    Ok(Arc::new(parts(&call.args[0])?.into_iter().map(|v| v.map(Parts::key)).collect::<Int64Array>()))
}

fn scaled_type(args: &[DataType], _: &Clock) -> Result<DataType> {
    match args {
        [DataType::Duration(_), by] if Number::of(by).is_some() => Ok(DURATION),
        [DataType::Interval(_), by] if Number::of(by).is_some() => Ok(INTERVAL),
        _ => Err(unsupported("this arithmetic with intervals")),
    }
}

fn scale(call: &Call, by: fn(f64, f64) -> f64) -> Result<ArrayRef> {
    let factors = cast(&call.args[1], &DataType::Float64)?;
    let factors = factors.as_primitive::<Float64Type>();
    let mut results = Vec::with_capacity(call.rows);
    for (i, value) in parts(&call.args[0])?.into_iter().enumerate() {
        let (Some(value), true) = (value, factors.is_valid(i)) else {
            results.push(None);
            continue;
        };
        let factor = factors.value(i);
        let months = by(f64::from(value.months), factor);
        let days = by(f64::from(value.days), factor);
        let us = by(value.us as f64, factor);
        if !us.is_finite() || !days.is_finite() {
            return Err(fails(Fault::DivisionByZero));
        }
        if months.fract() != 0.0 {
            return Err(unsupported("fractions of months"));
        }
        let rest = (days.fract() * 86_400e6).round();
        results.push(Some(Parts {
            months: months as i32,
            days: days as i32,
            us: (us + rest).round() as i64,
        }));
    }
    if call.returns == &DURATION {
        return Ok(Arc::new(
            results.into_iter().map(|v| v.map(Parts::key)).collect::<DurationMicrosecondArray>(),
        ));
    }
    let each = results.into_iter().map(|v| v.map(Parts::to_arrow));
    Ok(Arc::new(each.collect::<IntervalMonthDayNanoArray>()))
}

fn from_epoch(call: &Call) -> Result<ArrayRef> {
    if Number::of(call.args[0].data_type()).is_none() {
        return Err(unsupported("to_timestamp of text"));
    }
    let seconds = cast(&call.args[0], &DataType::Float64)?;
    let each = seconds.as_primitive::<Float64Type>().iter().map(|v| v.map(|s| (s * 1e6).round() as i64));
    Ok(labelled(call, each.collect::<TimestampMicrosecondArray>()))
}

fn days_between(call: &Call) -> Result<ArrayRef> {
    let (a, b) = (call.args[0].as_primitive::<Date32Type>(), call.args[1].as_primitive::<Date32Type>());
    Ok(Arc::new(a.iter().zip(b.iter()).map(|(a, b)| Some(a? - b?)).collect::<Int32Array>()))
}

fn add_days(call: &Call) -> Result<ArrayRef> {
    let (dates, days) = (call.args[0].as_primitive::<Date32Type>(), call.int(1)?);
    let each = dates.iter().zip(days.iter()).map(|pair| {
        let (Some(date), Some(days)) = pair else { return Ok(None) };
        let sum = i32::try_from(i64::from(date) + days).map_err(|_| fails(Fault::OutOfRange))?;
        Ok(Some(from_date(to_date(sum)?)))
    });
    Ok(Arc::new(each.collect::<Result<Date32Array>>()?))
}
