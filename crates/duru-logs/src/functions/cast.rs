//! Casts. Arrow's differ from PostgreSQL's in rounding, in what text they read, and in what they print.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray,
    TimestampMicrosecondArray, new_null_array,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Decimal256Type, Float64Type, TimeUnit, TimestampMicrosecondType, UInt8Type,
};
use datafusion::common::Result;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};

use super::clock::{self, Clock};
use super::decimal::{self, Number, too_large, widened};
use super::interval::{INTERVAL, Parts, parts, print as print_interval};
use super::json_text;
use super::scalar::{Call, Function, fails, unsupported};
use crate::columns::{JSON, LEVEL, level_word};
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function {
        name: "pg_to_text",
        returns: text_type,
        run: |call| Ok(Arc::new(print(&call.args[0], call.clock, "true")?)),
    },
    // As the server would send it.
    Function {
        name: "pg_out",
        returns: text_type,
        run: |call| Ok(Arc::new(print(&call.args[0], call.clock, "t")?)),
    },
    Function { name: "pg_to_int2", returns: |_, _| Ok(DataType::Int16), run: integer },
    Function { name: "pg_to_int4", returns: |_, _| Ok(DataType::Int32), run: integer },
    Function { name: "pg_to_int8", returns: |_, _| Ok(DataType::Int64), run: integer },
    Function { name: "pg_to_float8", returns: |_, _| Ok(DataType::Float64), run: float },
    Function { name: "pg_to_numeric", returns: numeric_type, run: numeric },
    Function { name: "pg_to_bool", returns: |_, _| Ok(DataType::Boolean), run: boolean },
    Function { name: "pg_to_timestamptz", returns: |_, clock| Ok(clock.time_type()), run: time },
    Function { name: "pg_to_timestamp", returns: |_, _| Ok(LOCAL), run: time },
    Function { name: "pg_to_date", returns: |_, _| Ok(DataType::Date32), run: date },
    Function { name: "pg_to_json", returns: |_, _| Ok(JSON), run: json },
    Function { name: "pg_to_bytea", returns: |_, _| Ok(DataType::Binary), run: bytes },
    Function { name: "pg_to_interval", returns: |_, _| Ok(INTERVAL), run: interval },
];

pub(super) const LOCAL: DataType = DataType::Timestamp(TimeUnit::Microsecond, None);

fn text_type(args: &[DataType], _: &Clock) -> Result<DataType> {
    match args.first() {
        // How many digits PostgreSQL prints depends on the values.
        Some(DataType::Decimal256(_, scale)) if *scale >= decimal::SCALE => {
            Err(unsupported("the text of a quotient that is not rounded"))
        }
        Some(DataType::List(_) | DataType::Struct(_)) => Err(unsupported("the text of a list")),
        _ => Ok(DataType::Utf8),
    }
}

fn numeric_type(args: &[DataType], _: &Clock) -> Result<DataType> {
    Ok(match args.first().and_then(Number::of) {
        Some(Number::Int(_)) => decimal::decimal(0),
        Some(Number::Decimal(scale)) => decimal::decimal(scale),
        _ => decimal::NUMERIC,
    })
}

/// PostgreSQL's text of each value.
pub(crate) fn print(column: &ArrayRef, clock: &Clock, yes: &str) -> Result<StringArray> {
    let no = if yes == "t" { "f" } else { "false" };
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().clone(),
        DataType::Boolean => {
            column.as_boolean().iter().map(|v| v.map(|v| if v { yes } else { no })).collect()
        }
        kind if *kind == LEVEL => column.as_primitive::<UInt8Type>().iter().map(|v| level_word(v?)).collect(),
        DataType::Float32 | DataType::Float64 => {
            let column = cast(column, &DataType::Float64)?;
            column.as_primitive::<Float64Type>().iter().map(|v| v.map(print_float)).collect()
        }
        DataType::Decimal128(_, _) | DataType::Decimal256(_, _) => {
            let scale = Number::of(column.data_type()).map_or(0, Number::scale);
            decimal::values(&widened(column)?).map(|v| v.map(|v| decimal::print(v, scale))).collect()
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            let zoned = zone.is_some();
            let each = column.as_primitive::<TimestampMicrosecondType>().iter();
            each.map(|v| v.map(|us| print_time(us, zoned.then_some(&clock.zone), ' ')).transpose())
                .collect::<Result<_>>()?
        }
        DataType::Date32 => {
            let each = column.as_primitive::<Date32Type>().iter();
            each.map(|v| v.map(|days| Ok(to_date(days)?.to_string())).transpose()).collect::<Result<_>>()?
        }
        DataType::Duration(_) | DataType::Interval(_) => {
            parts(column)?.into_iter().map(|v| v.map(print_interval)).collect()
        }
        _ => cast(column, &DataType::Utf8)?.as_string::<i32>().clone(),
    })
}

fn print_float(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() || (1e-4..1e15).contains(&size) {
        return match value {
            v if v == f64::INFINITY => "Infinity".into(),
            v if v == f64::NEG_INFINITY => "-Infinity".into(),
            v => format!("{v}"),
        };
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |e| ("-", e));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// ISO 8601, with the zone's offset if it has one.
pub(crate) fn print_time(us: i64, zone: Option<&TimeZone>, between: char) -> Result<String> {
    let at = clock::zoned(us, zone.unwrap_or(&TimeZone::UTC))?;
    let time = at.datetime();
    let fraction = format!(".{:06}", us.rem_euclid(1_000_000));
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    let mut text = format!(
        "{:04}-{:02}-{:02}{between}{:02}:{:02}:{:02}{fraction}",
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second()
    );
    if zone.is_some() {
        let offset = at.offset().seconds();
        let (sign, offset) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
        text.push_str(&format!("{sign}{:02}", offset / 3600));
        if offset % 3600 != 0 || between == 'T' {
            text.push_str(&format!(":{:02}", offset % 3600 / 60));
        }
    }
    Ok(text)
}

pub(crate) fn to_date(days: i32) -> Result<Date> {
    Date::new(1970, 1, 1)
        .and_then(|date| date.checked_add(jiff::Span::new().try_days(days)?))
        .map_err(|_| fails(Fault::OutOfRange))
}

pub(crate) fn from_date(date: Date) -> i32 {
    let since = jiff::civil::date(1970, 1, 1).duration_until(date);
    i32::try_from(since.as_hours() / 24).unwrap_or(i32::MAX)
}

/// A time as PostgreSQL reads the usual ones, and its offset if it has one.
fn read_time(text: &str) -> Option<(DateTime, Option<Offset>)> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let date: Date = date.parse().ok()?;
    let rest = rest.strip_prefix(['T', 't', ' ']).unwrap_or(rest).trim_start();
    if rest.is_empty() {
        return Some((date.at(0, 0, 0, 0), None));
    }
    let end = rest.find(['+', '-', 'Z', 'z', ' ', 'U', 'u']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(end);
    let mut fields = clock.split(':');
    let hour: i8 = fields.next()?.parse().ok()?;
    let minute: i8 = fields.next()?.parse().ok()?;
    let (second, nanos) = match fields.next() {
        None => (0, 0),
        Some(second) => {
            let (whole, fraction) = second.split_once('.').unwrap_or((second, ""));
            let us: i32 =
                if fraction.is_empty() { 0 } else { format!("{fraction:0<6}").get(..6)?.parse().ok()? };
            (whole.parse::<i8>().ok()?, us * 1000)
        }
    };
    if fields.next().is_some() {
        return None;
    }
    let at = DateTime::new(date.year(), date.month(), date.day(), hour, minute, second, nanos).ok()?;
    let zone = zone.trim();
    let offset = match zone {
        "" => None,
        "Z" | "z" | "UTC" | "utc" => Some(Offset::UTC),
        _ => {
            let (sign, digits) = (zone.chars().next()?, zone.get(1..)?.replace(':', ""));
            let hours: i32 = digits.get(..2)?.parse().ok()?;
            let minutes: i32 = if digits.len() > 2 { digits.get(2..4)?.parse().ok()? } else { 0 };
            let seconds = hours * 3600 + minutes * 60;
            Offset::from_seconds(if sign == '-' { -seconds } else { seconds }).ok()
        }
    };
    Some((at, offset))
}

/// Microseconds of a text; one without offset is in this zone.
pub(crate) fn parse_time(text: &str, zone: &TimeZone) -> Result<i64> {
    let (at, offset) = read_time(text).ok_or_else(|| fails(Fault::NotOfType))?;
    clock::instant(at, &offset.map_or_else(|| zone.clone(), TimeZone::fixed))
}

pub(crate) fn parse_date(text: &str) -> Result<i32> {
    let (at, _) = read_time(text).ok_or_else(|| fails(Fault::NotOfType))?;
    Ok(from_date(at.date()))
}

fn time(call: &Call) -> Result<ArrayRef> {
    let zoned = matches!(call.returns, DataType::Timestamp(_, Some(_)));
    let zone = if zoned { &call.clock.zone } else { &TimeZone::UTC };
    let column = &call.args[0];
    let result: TimestampMicrosecondArray = match column.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond, from) => {
            let each = column.as_primitive::<TimestampMicrosecondType>();
            match (from.is_some(), zoned) {
                (true, true) | (false, false) => each.clone(),
                (true, false) => {
                    each.try_unary(|us| clock::instant(clock::civil(us, &call.clock.zone)?, &TimeZone::UTC))?
                }
                (false, true) => {
                    each.try_unary(|us| clock::instant(clock::civil(us, &TimeZone::UTC)?, zone))?
                }
            }
        }
        DataType::Date32 => {
            let each = column.as_primitive::<Date32Type>().iter();
            each.map(|v| v.map(|days| clock::instant(to_date(days)?.at(0, 0, 0, 0), zone)).transpose())
                .collect::<Result<_>>()?
        }
        DataType::Utf8 => {
            let read = |text: &str| {
                if zoned {
                    parse_time(text, zone)
                } else {
                    Ok(read_time(text)
                        .ok_or_else(|| fails(Fault::NotOfType))
                        .and_then(|(at, _)| clock::instant(at, zone))?)
                }
            };
            column.as_string::<i32>().iter().map(|v| v.map(read).transpose()).collect::<Result<_>>()?
        }
        DataType::Null => return Ok(new_null_array(call.returns, call.rows)),
        kind => return Err(unsupported(format!("a cast of {kind} to a time"))),
    };
    let DataType::Timestamp(_, name) = call.returns else { return Err(fails(Fault::NotOfType)) };
    Ok(Arc::new(result.with_timezone_opt(name.clone())))
}

fn date(call: &Call) -> Result<ArrayRef> {
    let column = &call.args[0];
    let result: Date32Array = match column.data_type() {
        DataType::Date32 => return Ok(column.clone()),
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            let zone = if zone.is_some() { &call.clock.zone } else { &TimeZone::UTC };
            // Most neighbours are of the same day.
            let mut day: Option<(i64, i64, i32)> = None;
            let each = column.as_primitive::<TimestampMicrosecondType>().iter();
            each.map(|v| {
                v.map(|us| {
                    if let Some((from, to, date)) = day
                        && (from..to).contains(&us)
                    {
                        return Ok(date);
                    }
                    let date = clock::civil(us, zone)?.date();
                    let from = clock::instant(date.at(0, 0, 0, 0), zone)?;
                    let next = date.tomorrow().map_err(|_| fails(Fault::OutOfRange))?;
                    day = Some((from, clock::instant(next.at(0, 0, 0, 0), zone)?, from_date(date)));
                    Ok(from_date(date))
                })
                .transpose()
            })
            .collect::<Result<_>>()?
        }
        DataType::Utf8 => {
            column.as_string::<i32>().iter().map(|v| v.map(parse_date).transpose()).collect::<Result<_>>()?
        }
        DataType::Null => return Ok(new_null_array(call.returns, call.rows)),
        kind => return Err(unsupported(format!("a cast of {kind} to a date"))),
    };
    Ok(Arc::new(result))
}

fn integer(call: &Call) -> Result<ArrayRef> {
    let column = &call.args[0];
    let result: Int64Array = match column.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => {
            let text = json_scalar(column)?;
            let read = |text: &str| text.trim().parse::<i64>().map_err(|_| fails(Fault::NotOfType));
            text.iter().map(|v| v.map(read).transpose()).collect::<Result<_>>()?
        }
        DataType::Float32 | DataType::Float64 => {
            let column = cast(column, &DataType::Float64)?;
            let each = column.as_primitive::<Float64Type>().iter();
            let round = |v: f64| {
                let v = v.round_ties_even();
                if v.abs() < 9.2e18 { Ok(v as i64) } else { Err(too_large()) }
            };
            each.map(|v| v.map(round).transpose()).collect::<Result<_>>()?
        }
        DataType::Decimal128(_, _) | DataType::Decimal256(_, _) => {
            let scale = Number::of(column.data_type()).map_or(0, Number::scale);
            let round = |v| {
                let v = decimal::rescaled(v, scale, 0)?.to_i128().ok_or_else(too_large)?;
                i64::try_from(v).map_err(|_| too_large())
            };
            decimal::values(&widened(column)?).map(|v| v.map(round).transpose()).collect::<Result<_>>()?
        }
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Boolean
        | DataType::UInt32
        | DataType::UInt64
        | DataType::Null => call.int(0)?,
        kind => return Err(unsupported(format!("a cast of {kind} to an integer"))),
    };
    let result: ArrayRef = Arc::new(result);
    let narrow = cast(&result, call.returns)?;
    // Arrow makes null of what does not fit.
    if narrow.null_count() > result.null_count() { Err(too_large()) } else { Ok(narrow) }
}

/// Text as it is; of JSON, what a number or a string says.
fn json_scalar(column: &ArrayRef) -> Result<StringArray> {
    if column.data_type() != &JSON {
        return Ok(column.as_string::<i32>().clone());
    }
    let each = column.as_string::<i64>().iter().map(|v| match v {
        // Casting JSON null, or JSON that is no number, fails in PostgreSQL, too.
        Some(v) if v.starts_with(['n', '"', '{', '[']) => Err(fails(Fault::BadJson)),
        v => Ok(v.map(str::to_owned)),
    });
    each.collect()
}

fn float(call: &Call) -> Result<ArrayRef> {
    let column = &call.args[0];
    if matches!(column.data_type(), DataType::Utf8 | DataType::LargeUtf8) {
        let read = |text: &str| text.trim().parse::<f64>().map_err(|_| fails(Fault::NotOfType));
        let each =
            json_scalar(column)?.iter().map(|v| v.map(read).transpose()).collect::<Result<Float64Array>>()?;
        return Ok(Arc::new(each));
    }
    if Number::of(column.data_type()).is_none() && column.data_type() != &DataType::Null {
        return Err(unsupported(format!("a cast of {} to a number", column.data_type())));
    }
    Ok(cast(column, &DataType::Float64)?)
}

fn numeric(call: &Call) -> Result<ArrayRef> {
    let column = &call.args[0];
    let DataType::Decimal256(_, to) = call.returns else { return Err(fails(Fault::NotOfType)) };
    let (column, scale) = match column.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => {
            let texts = json_scalar(column)?;
            let mut result = decimal::builder(call.rows, *to)?;
            for text in &texts {
                result.append_option(text.map(|text| read_decimal(text.trim(), *to)).transpose()?);
            }
            return Ok(Arc::new(result.finish()));
        }
        DataType::Float32 | DataType::Float64 => {
            let each = cast(column, &DataType::Float64)?;
            let mut result = decimal::builder(call.rows, *to)?;
            for value in each.as_primitive::<Float64Type>() {
                // As PostgreSQL: by its 15 digits.
                let text = value.map(|v| format!("{}", format!("{v:.14e}").parse::<f64>().unwrap_or(v)));
                result.append_option(text.map(|text| read_decimal(&text, *to)).transpose()?);
            }
            return Ok(Arc::new(result.finish()));
        }
        DataType::Null => return Ok(new_null_array(call.returns, call.rows)),
        kind => match Number::of(kind) {
            Some(number) => (widened(column)?, number.scale()),
            None => return Err(unsupported(format!("a cast of {kind} to a number"))),
        },
    };
    let mut result = decimal::builder(call.rows, *to)?;
    for value in column.as_primitive::<Decimal256Type>() {
        result.append_option(value.map(|v| decimal::rescaled(v, scale, *to)).transpose()?);
    }
    Ok(Arc::new(result.finish()))
}

fn read_decimal(text: &str, scale: i8) -> Result<datafusion::arrow::datatypes::i256> {
    use datafusion::arrow::datatypes::i256;
    let bad = || fails(Fault::NotOfType);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i8>().map_err(|_| bad())?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.trim_start_matches(['-', '+']).is_empty() && fraction.is_empty() {
        return Err(bad());
    }
    let digits =
        i256::from_string(&format!("{}{fraction}", whole.trim_start_matches('+'))).ok_or_else(bad)?;
    let places =
        i8::try_from(fraction.len()).map_err(|_| too_large())?.checked_sub(exponent).ok_or_else(too_large)?;
    decimal::rescaled(digits, places, scale)
}

fn boolean(call: &Call) -> Result<ArrayRef> {
    let column = &call.args[0];
    let result: BooleanArray = match column.data_type() {
        DataType::Boolean => return Ok(column.clone()),
        DataType::Utf8 => {
            let read = |text: &str| read_bool(text).ok_or_else(|| fails(Fault::NotOfType));
            column.as_string::<i32>().iter().map(|v| v.map(read).transpose()).collect::<Result<_>>()?
        }
        DataType::Int32 => call.int(0)?.iter().map(|v| v.map(|v| v != 0)).collect(),
        kind if *kind == JSON => {
            let read = |text: &str| match text {
                "true" => Ok(true),
                "false" => Ok(false),
                _ => Err(fails(Fault::BadJson)),
            };
            column.as_string::<i64>().iter().map(|v| v.map(read).transpose()).collect::<Result<_>>()?
        }
        DataType::Null => return Ok(new_null_array(call.returns, call.rows)),
        kind => return Err(unsupported(format!("a cast of {kind} to boolean"))),
    };
    Ok(Arc::new(result))
}

pub(crate) fn read_bool(text: &str) -> Option<bool> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "1" | "on" => Some(true),
        "0" | "of" | "off" => Some(false),
        "" => None,
        _ if "true".starts_with(&text) || "yes".starts_with(&text) => Some(true),
        _ if "false".starts_with(&text) || "no".starts_with(&text) => Some(false),
        _ => None,
    }
}

fn json(call: &Call) -> Result<ArrayRef> {
    let column = &call.args[0];
    if column.data_type() == &JSON {
        return Ok(column.clone());
    }
    let each = call.text(0)?;
    let read = |text: &str| json_text::normal(text).ok_or_else(|| fails(Fault::BadJson));
    let result = each.iter().map(|v| v.map(read).transpose());
    Ok(Arc::new(result.collect::<Result<datafusion::arrow::array::LargeStringArray>>()?))
}

fn bytes(call: &Call) -> Result<ArrayRef> {
    let each = call.text(0)?;
    if each.iter().flatten().any(|text| text.contains('\\')) {
        return Err(unsupported("bytes from a text with a backslash"));
    }
    Ok(Arc::new(each.iter().map(|v| v.map(str::as_bytes)).collect::<BinaryArray>()))
}

fn interval(call: &Call) -> Result<ArrayRef> {
    let values = parts(&call.args[0])?.into_iter().map(|v| v.map(Parts::to_arrow));
    Ok(Arc::new(values.collect::<datafusion::arrow::array::IntervalMonthDayNanoArray>()))
}
