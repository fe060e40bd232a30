//! `+ - * / %` with PostgreSQL's result types: no overflow, no division by zero, goes unnoticed.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Float64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::datatypes::{DataType, Float64Type, i256};
use datafusion::arrow::error::ArrowError;
use datafusion::common::Result;

use super::clock::Clock;
use super::decimal::{self, Number, decimal, divided, rescaled, too_large, widened};
use super::scalar::{Call, Function, fails, unsupported};
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function { name: "pg_add", returns: same_scale, run: |call| exact(call, numeric::add) },
    Function { name: "pg_sub", returns: same_scale, run: |call| exact(call, numeric::sub) },
    Function { name: "pg_mul", returns: product, run: multiply },
    Function { name: "pg_div", returns: quotient, run: divide },
    Function { name: "pg_mod", returns: same_scale, run: |call| exact(call, numeric::rem) },
    // Of a sum and a count, for avg: never a division of integers.
    Function { name: "pg_ratio", returns: ratio, run: divide },
    Function { name: "pg_neg", returns: |args, _| kept(args), run: negate },
];

fn numbers(args: &[DataType]) -> Result<(Number, Number)> {
    match args {
        [a, b] => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => Ok((a, b)),
            _ => Err(unsupported(format!("arithmetic of {a} and {b}"))),
        },
        _ => Err(fails(Fault::WrongTypes)),
    }
}

fn kept(args: &[DataType]) -> Result<DataType> {
    match args {
        [DataType::Duration(_)] => Ok(args[0].clone()),
        [kind] if Number::of(kind).is_some() => Ok(kind.clone()),
        _ => Err(unsupported("a minus sign here")),
    }
}

fn int(bits: u8) -> DataType {
    match bits {
        16 => DataType::Int16,
        32 => DataType::Int32,
        _ => DataType::Int64,
    }
}

fn resulting(args: &[DataType], scale: impl Fn(i8, i8) -> i8) -> Result<DataType> {
    Ok(match numbers(args)? {
        (Number::Float, _) | (_, Number::Float) => DataType::Float64,
        (Number::Int(a), Number::Int(b)) => int(a.max(b)),
        (a, b) => decimal(scale(a.scale(), b.scale())),
    })
}

fn same_scale(args: &[DataType], _: &Clock) -> Result<DataType> {
    resulting(args, i8::max)
}

fn product(args: &[DataType], _: &Clock) -> Result<DataType> {
    // More digits than anybody asks for are rounded away.
    resulting(args, |a, b| a.saturating_add(b).min(40.max(a).max(b)))
}

fn quotient(args: &[DataType], _: &Clock) -> Result<DataType> {
    resulting(args, |a, b| decimal::SCALE.max(a).max(b))
}

fn ratio(args: &[DataType], clock: &Clock) -> Result<DataType> {
    match numbers(args)? {
        (Number::Int(_), Number::Int(_)) => Ok(decimal::NUMERIC),
        _ => quotient(args, clock),
    }
}

fn arrow_failed(e: ArrowError) -> datafusion::common::DataFusionError {
    match e {
        ArrowError::DivideByZero => fails(Fault::DivisionByZero),
        ArrowError::ArithmeticOverflow(_) => too_large(),
        e => e.into(),
    }
}

type Kernel = fn(
    &dyn datafusion::arrow::array::Datum,
    &dyn datafusion::arrow::array::Datum,
) -> Result<ArrayRef, ArrowError>;

/// Sums, differences and remainders, where all operands get the result's type.
fn exact(call: &Call, kernel: Kernel) -> Result<ArrayRef> {
    let (a, b) = (call.of_type(0, call.returns)?, call.of_type(1, call.returns)?);
    if call.returns == &DataType::Float64 {
        let zero = |value: Option<f64>| value == Some(0.0);
        let result = kernel(&a, &b).map_err(arrow_failed)?;
        let odd = result.as_primitive::<Float64Type>().iter().any(|v| v.is_some_and(f64::is_nan));
        if odd && b.as_primitive::<Float64Type>().iter().any(zero) {
            return Err(fails(Fault::DivisionByZero));
        }
        return Ok(result);
    }
    let result = kernel(&a, &b).map_err(arrow_failed)?;
    if result.data_type() == call.returns { Ok(result) } else { Ok(cast(&result, call.returns)?) }
}

fn decimals(call: &Call, one: impl Fn((i256, i8), (i256, i8), i8) -> Result<i256>) -> Result<ArrayRef> {
    let scale = Number::of(call.returns).map_or(0, Number::scale);
    let of = |i: usize| Number::of(call.args[i].data_type()).map_or(0, Number::scale);
    let (a, b) = (widened(&call.args[0])?, widened(&call.args[1])?);
    let mut to = decimal::builder(call.rows, scale)?;
    for (x, y) in decimal::values(&a).zip(decimal::values(&b)) {
        to.append_option(match (x, y) {
            (Some(x), Some(y)) => Some(one((x, of(0)), (y, of(1)), scale)?),
            _ => None,
        });
    }
    Ok(Arc::new(to.finish()))
}

fn multiply(call: &Call) -> Result<ArrayRef> {
    if !matches!(call.returns, DataType::Decimal256(_, _)) {
        return exact(call, numeric::mul);
    }
    decimals(call, |(a, a_scale), (b, b_scale), scale| {
        let product = a.checked_mul(b).ok_or_else(too_large)?;
        rescaled(product, a_scale + b_scale, scale)
    })
}

fn divide(call: &Call) -> Result<ArrayRef> {
    match call.returns {
        DataType::Float64 => {
            let (a, b) = (call.of_type(0, call.returns)?, call.of_type(1, call.returns)?);
            let pairs = a.as_primitive::<Float64Type>().iter().zip(b.as_primitive::<Float64Type>());
            let each = pairs.map(|pair| match pair {
                (Some(_), Some(0.0)) => Err(fails(Fault::DivisionByZero)),
                (Some(a), Some(b)) => Ok(Some(a / b)),
                _ => Ok(None),
            });
            Ok(Arc::new(each.collect::<Result<Float64Array>>()?))
        }
        DataType::Decimal256(_, _) => decimals(call, |(a, a_scale), (b, b_scale), scale| {
            // a / 10^a_scale / (b / 10^b_scale) * 10^scale
            divided(rescaled(a, a_scale, scale.saturating_add(b_scale))?, b)
        }),
        _ => exact(call, numeric::div),
    }
}

fn negate(call: &Call) -> Result<ArrayRef> {
    numeric::neg(&call.args[0]).map_err(arrow_failed)
}
