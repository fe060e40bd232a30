//! `numeric`: decimals of 76 digits, of which 20 behind the point where a division made them.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Decimal256Builder};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Decimal256Type, i256};
use datafusion::common::Result;

use super::scalar::fails;
use duru_sql::Fault;

/// Digits of a result that need not be a decimal fraction.
pub(crate) const SCALE: i8 = 20;
pub(crate) const PRECISION: u8 = 76;
pub(crate) const NUMERIC: DataType = DataType::Decimal256(PRECISION, SCALE);

/// How a number's type takes part in arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    /// 16, 32 or 64 bits.
    Int(u8),
    /// With this scale.
    Decimal(i8),
    Float,
}

impl Number {
    pub(crate) fn of(kind: &DataType) -> Option<Self> {
        Some(match kind {
            DataType::Int8 | DataType::Int16 => Self::Int(16),
            DataType::Int32 => Self::Int(32),
            DataType::Int64 | DataType::UInt32 | DataType::UInt64 => Self::Int(64),
            DataType::Decimal32(_, scale)
            | DataType::Decimal64(_, scale)
            | DataType::Decimal128(_, scale)
            | DataType::Decimal256(_, scale) => Self::Decimal(*scale),
            DataType::Float32 | DataType::Float64 => Self::Float,
            _ => return None,
        })
    }

    pub(crate) fn scale(self) -> i8 {
        if let Self::Decimal(scale) = self { scale } else { 0 }
    }
}

pub(crate) fn decimal(scale: i8) -> DataType {
    DataType::Decimal256(PRECISION, scale)
}

/// Any number's column as decimals of 76 digits with its own scale.
pub(crate) fn widened(column: &ArrayRef) -> Result<ArrayRef> {
    let scale = Number::of(column.data_type()).map_or(0, Number::scale);
    Ok(cast(column, &decimal(scale))?)
}

pub(crate) fn values(column: &ArrayRef) -> impl Iterator<Item = Option<i256>> {
    column.as_primitive::<Decimal256Type>().iter()
}

pub(crate) fn power_of_ten(n: u32) -> Result<i256> {
    i256::from_i128(10).checked_pow(n).ok_or_else(too_large)
}

pub(crate) fn too_large() -> datafusion::common::DataFusionError {
    fails(Fault::OutOfRange)
}

/// Divides and rounds half away from zero.
pub(crate) fn divided(dividend: i256, divisor: i256) -> Result<i256> {
    if let (Some(a), Some(b)) = (dividend.to_i128(), divisor.to_i128()) {
        let (Some(quotient), Some(rest)) = (a.checked_div(b), a.checked_rem(b)) else {
            return Err(if b == 0 { fails(Fault::DivisionByZero) } else { too_large() });
        };
        let up = rest.unsigned_abs() >= b.unsigned_abs() - rest.unsigned_abs();
        let sign = if (a < 0) == (b < 0) { 1 } else { -1 };
        return Ok(i256::from_i128(quotient + if up && rest != 0 { sign } else { 0 }));
    }
    let quotient = dividend.checked_div(divisor).ok_or_else(|| fails(Fault::DivisionByZero))?;
    let rest = dividend.checked_rem(divisor).ok_or_else(too_large)?;
    let twice = rest.wrapping_abs().checked_mul(i256::from_i128(2)).ok_or_else(too_large)?;
    if twice < divisor.wrapping_abs() {
        return Ok(quotient);
    }
    let one = if dividend.is_negative() == divisor.is_negative() { i256::ONE } else { i256::MINUS_ONE };
    quotient.checked_add(one).ok_or_else(too_large)
}

/// The same number with another scale, rounded half away from zero.
pub(crate) fn rescaled(value: i256, from: i8, to: i8) -> Result<i256> {
    let by = power_of_ten(u32::from(to.abs_diff(from)))?;
    if to >= from { value.checked_mul(by).ok_or_else(too_large) } else { divided(value, by) }
}

pub(crate) fn builder(rows: usize, scale: i8) -> Result<Decimal256Builder> {
    Ok(Decimal256Builder::with_capacity(rows).with_precision_and_scale(PRECISION, scale)?)
}

/// PostgreSQL's text of it.
pub(crate) fn print(value: i256, scale: i8) -> String {
    let digits = value.wrapping_abs().to_string();
    let sign = if value.is_negative() { "-" } else { "" };
    let Ok(scale @ 1..) = usize::try_from(scale) else { return format!("{sign}{digits}") };
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(a: i128, b: i128) -> i128 {
        divided(i256::from_i128(a), i256::from_i128(b)).unwrap().to_i128().unwrap()
    }

    #[test]
    fn half_goes_away_from_zero() {
        assert_eq!(
            [d(5, 2), d(-5, 2), d(5, -2), d(4, 3), d(-4, 3), d(7, 1), d(5, 3)],
            [3, -3, -3, 1, -1, 7, 2]
        );
        let big = i256::from_i128(i128::MAX).checked_mul(i256::from_i128(10)).unwrap();
        assert_eq!(divided(big, i256::from_i128(20)).unwrap(), i256::from_i128(i128::MAX / 2 + 1));
    }

    #[test]
    fn printed_with_their_scale() {
        let texts = [(12345, 3), (-5, 2), (7, 0), (0, 1)].map(|(v, s)| print(i256::from_i128(v), s));
        assert_eq!(texts, ["12.345", "-0.05", "7", "0.0"]);
    }
}
