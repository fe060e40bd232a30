//! `generate_series`, as a list that is unnested.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int32Builder, Int64Builder, ListBuilder, TimestampMicrosecondBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, TimeUnit, TimestampMicrosecondType};
use datafusion::common::Result;
use jiff::ToSpan;
use jiff::tz::TimeZone;

use super::clock::{self, Clock};
use super::interval::{Parts, parts};
use super::scalar::{Call, Function, fails, unsupported};
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[Function { name: "pg_series", returns: list, run: series }];

/// More than anybody reads, and little enough to keep.
const MOST: usize = 1_000_000;

fn list(args: &[DataType], _: &Clock) -> Result<DataType> {
    let element = match args {
        [DataType::Int64, ..] | [_, DataType::Int64, ..] => DataType::Int64,
        [DataType::Int32 | DataType::Int16, ..] => DataType::Int32,
        [kind @ DataType::Timestamp(TimeUnit::Microsecond, _), _, _] => kind.clone(),
        _ => return Err(unsupported("generate_series of these types")),
    };
    Ok(DataType::List(Arc::new(Field::new("item", element, true))))
}

fn full() -> datafusion::common::DataFusionError {
    fails(Fault::TooComplex)
}

fn series(call: &Call) -> Result<ArrayRef> {
    let DataType::List(field) = call.returns else { return Err(fails(Fault::WrongTypes)) };
    match field.data_type() {
        DataType::Timestamp(_, zone) => times(call, zone.clone()),
        kind => ints(call, kind == &DataType::Int64),
    }
}

fn ints(call: &Call, wide: bool) -> Result<ArrayRef> {
    let (from, to) = (call.int(0)?, call.int(1)?);
    let step = if call.args.len() > 2 { Some(call.int(2)?) } else { None };
    let mut narrow = ListBuilder::new(Int32Builder::new());
    let mut long = ListBuilder::new(Int64Builder::new());
    for i in 0..call.rows {
        let step = step.as_ref().map_or(Some(1), |step| step.is_valid(i).then(|| step.value(i)));
        let mut values = Vec::new();
        if let (true, true, Some(step)) = (from.is_valid(i), to.is_valid(i), step) {
            if step == 0 {
                return Err(fails(Fault::BadValue));
            }
            let (mut at, to) = (from.value(i), to.value(i));
            while if step > 0 { at <= to } else { at >= to } {
                if values.len() == MOST {
                    return Err(full());
                }
                values.push(at);
                let Some(next) = at.checked_add(step) else { break };
                at = next;
            }
        }
        if wide {
            long.append_value(values.into_iter().map(Some));
        } else {
            narrow.append_value(values.into_iter().map(|v| i32::try_from(v).ok()));
        }
    }
    Ok(if wide { Arc::new(long.finish()) } else { Arc::new(narrow.finish()) })
}

fn times(call: &Call, label: Option<Arc<str>>) -> Result<ArrayRef> {
    let utc = TimeZone::UTC;
    let zone = if label.is_some() { &call.clock.zone } else { &utc };
    let column = |i: usize| call.args[i].as_primitive_opt::<TimestampMicrosecondType>();
    let (Some(from), Some(to)) = (column(0), column(1)) else {
        return Err(unsupported("generate_series of these types"));
    };
    let steps = parts(&call.args[2])?;
    let mut lists = ListBuilder::new(TimestampMicrosecondBuilder::new().with_timezone_opt(label));
    for (i, step) in steps.into_iter().enumerate() {
        let mut values = Vec::new();
        if let (true, true, Some(step)) = (from.is_valid(i), to.is_valid(i), step) {
            let forward = step.key() > 0;
            if step.key() == 0 {
                return Err(fails(Fault::BadValue));
            }
            let (mut at, to) = (from.value(i), to.value(i));
            while if forward { at <= to } else { at >= to } {
                if values.len() == MOST {
                    return Err(full());
                }
                values.push(at);
                at = plus(at, step, zone)?;
            }
        }
        lists.append_value(values.into_iter().map(Some));
    }
    Ok(Arc::new(lists.finish()))
}

/// Months and days by the calendar of the zone.
fn plus(at: i64, step: Parts, zone: &TimeZone) -> Result<i64> {
    let mut at = at;
    if step.months != 0 || step.days != 0 {
        let span = i64::from(step.months).months().days(i64::from(step.days));
        let moved = clock::civil(at, zone)?.checked_add(span).map_err(|_| fails(Fault::OutOfRange))?;
        at = clock::instant(moved, zone)?;
    }
    at.checked_add(step.us).ok_or_else(|| fails(Fault::OutOfRange))
}
