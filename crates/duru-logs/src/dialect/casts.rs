//! Casts as calls of our own functions.

use sqlparser::ast::{
    Array, ArrayElemTypeDef, DataType, ExactNumberInfo, Expr, Interval, TimezoneInfo, Value, ValueWithSpan,
};

use super::build::{call, literal, number, text};

pub(super) fn rewrite(e: Expr, kind: &DataType) -> Result<Expr, String> {
    let name = match kind {
        DataType::Text
        | DataType::Varchar(None)
        | DataType::CharacterVarying(None)
        | DataType::String(None) => "pg_to_text",
        DataType::Varchar(Some(length)) | DataType::CharacterVarying(Some(length)) => {
            let sqlparser::ast::CharacterLength::IntegerLength { length, .. } = length else {
                return Err(format!("the type {kind}"));
            };
            let length = i64::try_from(*length).unwrap_or(i64::MAX);
            return Ok(call("pg_left", vec![call("pg_to_text", vec![e]), number(length)]));
        }
        DataType::SmallInt(_) | DataType::Int2(_) => "pg_to_int2",
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) => "pg_to_int4",
        DataType::BigInt(_) | DataType::Int8(_) => "pg_to_int8",
        DataType::DoublePrecision | DataType::Double(_) | DataType::Float8 | DataType::Float(_) => {
            "pg_to_float8"
        }
        DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info) => {
            let e = call("pg_to_numeric", vec![e]);
            return Ok(match info {
                ExactNumberInfo::None => e,
                ExactNumberInfo::Precision(_) => call("pg_round", vec![e, number(0)]),
                ExactNumberInfo::PrecisionAndScale(_, scale) => call("pg_round", vec![e, number(*scale)]),
            });
        }
        DataType::Boolean | DataType::Bool => "pg_to_bool",
        DataType::Date => "pg_to_date",
        DataType::Timestamp(None, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => "pg_to_timestamp",
        DataType::Timestamp(None, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz) => "pg_to_timestamptz",
        DataType::JSON | DataType::JSONB => "pg_to_json",
        DataType::Bytea => "pg_to_bytea",
        DataType::Interval { .. } => {
            return Ok(match literal(&e) {
                Some(text) => interval(text),
                None => call("pg_to_interval", vec![e]),
            });
        }
        DataType::Array(ArrayElemTypeDef::SquareBracket(of, None)) => return list(&e, of),
        kind => return Err(format!("the type {kind}")),
    };
    Ok(call(name, vec![e]))
}

pub(super) fn interval(words: &str) -> Expr {
    Expr::Interval(Interval {
        value: Box::new(text(words)),
        leading_field: None,
        leading_precision: None,
        last_field: None,
        fractional_seconds_precision: None,
    })
}

/// `'{a,b}'::text[]`, or a list whose elements are cast.
fn list(e: &Expr, of: &DataType) -> Result<Expr, String> {
    let elem = match (e, literal(e)) {
        (Expr::Array(array), _) => array.elem.clone(),
        (_, Some(written)) => {
            let inner = written.trim().strip_prefix('{').and_then(|w| w.strip_suffix('}'));
            match inner {
                Some("") => return Err("empty lists".into()),
                Some(inner) if !inner.contains(['"', '\\', '{']) => {
                    inner.split(',').map(|word| text(word.trim())).collect()
                }
                _ => return Err("this list".into()),
            }
        }
        _ => return Err("casts to lists".into()),
    };
    let elem = elem.into_iter().map(|e| rewrite(e, of)).collect::<Result<_, _>>()?;
    Ok(Expr::Array(Array { elem, named: true }))
}

/// Other ways to write text, as plain text.
pub(super) fn plain(value: &mut ValueWithSpan) -> Result<(), String> {
    let text = match &value.value {
        Value::EscapedStringLiteral(text)
        | Value::UnicodeStringLiteral(text)
        | Value::NationalStringLiteral(text) => text.clone(),
        Value::DollarQuotedString(text) => text.value.clone(),
        Value::Number(..) | Value::SingleQuotedString(_) | Value::Boolean(_) | Value::Null => return Ok(()),
        other => return Err(format!("the literal {other}")),
    };
    value.value = Value::SingleQuotedString(text);
    Ok(())
}
