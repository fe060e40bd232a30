//! Functions of numbers.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Decimal256Type, Float64Type, i256};
use datafusion::common::Result;

use super::clock::Clock;
use super::decimal::{self, Number, decimal, divided, power_of_ten, rescaled, too_large, widened};
use super::scalar::{Call, Function, fails, unsupported};
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    // A float, and a value of what it was computed from: of decimals and integers
    // PostgreSQL computes a decimal.
    Function { name: "pg_moment", returns: moment, run: |call| Ok(cast(&call.args[0], call.returns)?) },
    Function {
        name: "pg_round",
        returns: digits,
        run: |call| whole(call, f64::round_ties_even, Cut::Nearest),
    },
    Function { name: "pg_trunc", returns: digits, run: |call| whole(call, f64::trunc, Cut::TowardsZero) },
    Function { name: "pg_floor", returns: unscaled, run: |call| whole(call, f64::floor, Cut::Down) },
    Function { name: "pg_ceil", returns: unscaled, run: |call| whole(call, f64::ceil, Cut::Up) },
    Function { name: "pg_abs", returns: |args, _| number(args).map(|_| args[0].clone()), run: absolute },
    Function { name: "pg_sqrt", returns: real, run: |call| float(call, |x| (x >= 0.0).then(|| x.sqrt())) },
    Function { name: "pg_exp", returns: real, run: |call| float(call, |x| Some(x.exp())) },
    Function { name: "pg_ln", returns: real, run: |call| float(call, |x| (x > 0.0).then(|| x.ln())) },
    Function { name: "pg_log", returns: real, run: |call| float(call, |x| (x > 0.0).then(|| x.log10())) },
];

#[derive(Clone, Copy)]
enum Cut {
    Nearest,
    TowardsZero,
    Down,
    Up,
}

fn number(args: &[DataType]) -> Result<Number> {
    args.first()
        .and_then(Number::of)
        .ok_or_else(|| unsupported("this function of something that is no number"))
}

/// `round(x)` and `round(x, n)`; the latter of decimals only, as in PostgreSQL.
fn digits(args: &[DataType], _: &Clock) -> Result<DataType> {
    match (number(args)?, args.len()) {
        (Number::Float | Number::Int(_), 1) => Ok(DataType::Float64),
        (Number::Decimal(_), 1) => Ok(decimal(0)),
        (Number::Float, _) => Err(fails(Fault::WrongTypes)),
        (n, _) => Ok(decimal(n.scale().max(4))),
    }
}

fn moment(args: &[DataType], _: &Clock) -> Result<DataType> {
    match args.get(1).and_then(Number::of) {
        Some(Number::Float) => Ok(DataType::Float64),
        Some(_) => Ok(decimal::NUMERIC),
        None => Err(unsupported("this aggregate of something that is no number")),
    }
}

fn unscaled(args: &[DataType], _: &Clock) -> Result<DataType> {
    Ok(if matches!(number(args)?, Number::Decimal(_)) { decimal(0) } else { DataType::Float64 })
}

/// Of decimals a decimal, else a float.
fn real(args: &[DataType], _: &Clock) -> Result<DataType> {
    Ok(if matches!(number(args)?, Number::Decimal(_)) { decimal::NUMERIC } else { DataType::Float64 })
}

fn whole(call: &Call, of_float: fn(f64) -> f64, cut: Cut) -> Result<ArrayRef> {
    let DataType::Decimal256(_, to) = call.returns else {
        let from = call.of_type(0, &DataType::Float64)?;
        return Ok(Arc::new(from.as_primitive::<Float64Type>().unary::<_, Float64Type>(of_float)));
    };
    let from = widened(&call.args[0])?;
    let scale = Number::of(call.args[0].data_type()).map_or(0, Number::scale);
    let places = if call.args.len() > 1 { Some(call.int(1)?) } else { None };
    let mut result = decimal::builder(call.rows, *to)?;
    for (i, value) in decimal::values(&from).enumerate() {
        let places = match &places {
            Some(places) if places.is_null(i) => None,
            Some(places) => Some(i8::try_from(places.value(i).clamp(-40, 40)).unwrap_or(0)),
            None => Some(0),
        };
        result.append_option(match (value, places) {
            (Some(value), Some(places)) => Some(cut_to(value, scale, places, cut, *to)?),
            _ => None,
        });
    }
    Ok(Arc::new(result.finish()))
}

fn cut_to(value: i256, scale: i8, places: i8, cut: Cut, to: i8) -> Result<i256> {
    if places >= scale {
        return rescaled(value, scale, to);
    }
    let unit = power_of_ten(u32::from(scale.abs_diff(places)))?;
    let (quotient, rest) =
        (value.checked_div(unit).ok_or_else(too_large)?, value.checked_rem(unit).ok_or_else(too_large)?);
    let kept = match cut {
        Cut::Nearest => divided(value, unit)?,
        Cut::TowardsZero => quotient,
        Cut::Down if rest.is_negative() => quotient.checked_sub(i256::ONE).ok_or_else(too_large)?,
        Cut::Up if rest > i256::ZERO => quotient.checked_add(i256::ONE).ok_or_else(too_large)?,
        Cut::Down | Cut::Up => quotient,
    };
    rescaled(kept, places, to)
}

fn absolute(call: &Call) -> Result<ArrayRef> {
    let wide = match number(&[call.args[0].data_type().clone()])? {
        Number::Float => {
            let from = call.of_type(0, &DataType::Float64)?;
            let result: ArrayRef =
                Arc::new(from.as_primitive::<Float64Type>().unary::<_, Float64Type>(f64::abs));
            return Ok(cast(&result, call.returns)?);
        }
        _ => widened(&call.args[0])?,
    };
    let scale = Number::of(wide.data_type()).map_or(0, Number::scale);
    let result = wide.as_primitive::<Decimal256Type>().unary::<_, Decimal256Type>(i256::wrapping_abs);
    let result: ArrayRef = Arc::new(result.with_precision_and_scale(decimal::PRECISION, scale)?);
    Ok(cast(&result, call.returns)?)
}

fn float(call: &Call, of: fn(f64) -> Option<f64>) -> Result<ArrayRef> {
    let from = call.of_type(0, &DataType::Float64)?;
    let each = from.as_primitive::<Float64Type>().iter().map(|value| match value {
        Some(value) => of(value).map(Some).ok_or_else(|| fails(Fault::BadValue)),
        None => Ok(None),
    });
    let result: ArrayRef = Arc::new(each.collect::<Result<Float64Array>>()?);
    Ok(cast(&result, call.returns)?)
}
