//! Which types columns of files have: texts are looked at as a whole before they become anything else.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::arrow::error::ArrowError;
use duru_sql::Kind;

const MOMENT: DataType = DataType::Timestamp(TimeUnit::Microsecond, None);

type Fits = fn(&str) -> bool;

/// A column of texts as what all of its values are.
pub(super) fn of_texts(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let texts = column.as_string::<i32>();
    let all = |fits: Fits| texts.iter().flatten().all(|text| fits(text.trim()));
    if texts.null_count() == texts.len() {
        return Ok(column.clone());
    }
    let candidates: [(Fits, DataType); 5] = [
        (is_whole, DataType::Int64),
        (is_number, DataType::Float64),
        (is_flag, DataType::Boolean),
        (is_day, DataType::Date32),
        (is_moment, MOMENT),
    ];
    for (fits, kind) in candidates {
        if all(fits) {
            let read = cast(column, &kind)?;
            // What can't be read would be missing without a word.
            if read.null_count() == column.null_count() {
                return Ok(read);
            }
        }
    }
    Ok(column.clone())
}

/// `007` is a code, not seven.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading = digits.len() > 1 && digits.starts_with('0');
    !digits.is_empty() && !leading && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let leading = whole.len() > 1 && whole.starts_with('0');
    let figures = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !leading
        && figures(whole)
        && figures(part.split(['e', 'E']).next().unwrap_or_default())
        && text.parse::<f64>().is_ok()
}

fn is_flag(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

fn shaped(text: &str, shape: &str) -> bool {
    let fits = |(is, shape): (u8, u8)| if shape == b'0' { is.is_ascii_digit() } else { is == shape };
    text.len() >= shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

fn is_day(text: &str) -> bool {
    text.len() == 10 && shaped(text, "0000-00-00")
}

fn is_moment(text: &str) -> bool {
    shaped(text, "0000-00-00T00:00") || shaped(text, "0000-00-00 00:00")
}

/// A column as the engine has it; none if there is no form for it.
pub(super) fn usual(column: &ArrayRef) -> Result<Option<ArrayRef>, ArrowError> {
    let wanted = match column.data_type() {
        DataType::Utf8
        | DataType::Int64
        | DataType::Float64
        | DataType::Boolean
        | DataType::Date32
        | DataType::Decimal128(_, _)
        | DataType::Null => return Ok(Some(column.clone())),
        DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8,
        DataType::Dictionary(_, of) if matches!(**of, DataType::Utf8 | DataType::LargeUtf8) => DataType::Utf8,
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64 => DataType::Int64,
        DataType::Float16 | DataType::Float32 => DataType::Float64,
        DataType::Date64 => DataType::Date32,
        DataType::Timestamp(_, None) => MOMENT,
        DataType::Timestamp(_, Some(_)) => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        _ => return Ok(None),
    };
    cast(column, &wanted).map(Some)
}

pub(super) fn kind(data_type: &DataType) -> Kind {
    match data_type {
        DataType::Int64 => Kind::Bigint,
        DataType::Float64 => Kind::Double,
        DataType::Decimal128(_, _) => Kind::Numeric,
        DataType::Boolean => Kind::Boolean,
        DataType::Date32 => Kind::Date,
        DataType::Timestamp(_, None) => Kind::LocalTimestamp,
        DataType::Timestamp(_, Some(_)) => Kind::Timestamp,
        _ => Kind::Text,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::StringArray;

    use super::*;

    fn of(values: &[Option<&str>]) -> Kind {
        let column: ArrayRef = Arc::new(StringArray::from(values.to_vec()));
        kind(of_texts(&column).unwrap().data_type())
    }

    #[test]
    fn texts_become_what_all_of_them_are() {
        assert_eq!(of(&[Some("1"), None, Some("-20")]), Kind::Bigint);
        assert_eq!(of(&[Some("1"), Some("2.5")]), Kind::Double);
        assert_eq!(of(&[Some("00123"), Some("45678")]), Kind::Text, "codes keep their zeros");
        assert_eq!(of(&[Some("true"), Some("FALSE")]), Kind::Boolean);
        assert_eq!(of(&[Some("2026-01-02")]), Kind::Date);
        assert_eq!(of(&[Some("2026-01-02 10:00:00")]), Kind::LocalTimestamp);
        assert_eq!(of(&[Some("2026-13-45")]), Kind::Text, "no such day");
        assert_eq!(of(&[Some("1"), Some("none")]), Kind::Text);
        assert_eq!(of(&[None]), Kind::Text);
    }
}
