//! The types that a query may cast to.

use sqlparser::ast::{
    ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, ObjectNamePart, TimezoneInfo,
};

use super::refusal::{Refusal, Rule};

/// Types that our grammar has no word for.
const NAMED: &[&str] = &[
    "cidr",
    "daterange",
    "inet",
    "int2",
    "int4",
    "int4range",
    "int8",
    "int8range",
    "jsonpath",
    "macaddr",
    "numrange",
    "timestamptz",
    "timetz",
    "tsrange",
    "tstzrange",
    "float4",
    "float8",
    "bool",
    "bpchar",
];

/// Refuses what is no plain type. `known` are the types of the catalog's own columns.
pub(super) fn check(data_type: &mut DataType, known: &[String]) -> Result<(), Refusal> {
    match data_type {
        DataType::Character(length)
        | DataType::Char(length)
        | DataType::CharacterVarying(length)
        | DataType::CharVarying(length)
        | DataType::Varchar(length) => match length {
            None => Ok(()),
            Some(CharacterLength::IntegerLength { length, unit: None }) if *length <= 10_000 => Ok(()),
            Some(_) => Err(refused(data_type)),
        },
        DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info) | DataType::Float(info) => {
            match info {
                ExactNumberInfo::None => Ok(()),
                ExactNumberInfo::Precision(precision) if *precision <= 100 => Ok(()),
                ExactNumberInfo::PrecisionAndScale(precision, scale)
                    if *precision <= 100 && (0..=100).contains(scale) =>
                {
                    Ok(())
                }
                _ => Err(refused(data_type)),
            }
        }
        DataType::Int2(None)
        | DataType::SmallInt(None)
        | DataType::Int(None)
        | DataType::Int4(None)
        | DataType::Int8(None)
        | DataType::Integer(None)
        | DataType::BigInt(None)
        | DataType::Float4
        | DataType::Float8
        | DataType::Real
        | DataType::DoublePrecision
        | DataType::Bool
        | DataType::Boolean
        | DataType::Date
        | DataType::JSON
        | DataType::JSONB
        | DataType::Text
        | DataType::Uuid
        | DataType::Bytea
        | DataType::TsVector
        | DataType::TsQuery => Ok(()),
        DataType::Time(precision, zone) | DataType::Timestamp(precision, zone) => {
            match zone {
                TimezoneInfo::None
                | TimezoneInfo::WithTimeZone
                | TimezoneInfo::WithoutTimeZone
                | TimezoneInfo::Tz => {}
            }
            if precision.is_none_or(|precision| precision <= 6) { Ok(()) } else { Err(refused(data_type)) }
        }
        DataType::Interval { fields: _, precision } => {
            if precision.is_none_or(|precision| precision <= 6) {
                Ok(())
            } else {
                Err(refused(data_type))
            }
        }
        DataType::Array(ArrayElemTypeDef::SquareBracket(element, None)) => check(element, known),
        DataType::Custom(name, modifiers) if modifiers.is_empty() => {
            let word = match name.0.as_slice() {
                [ObjectNamePart::Identifier(ident)] if ident.quote_style.is_none_or(|quote| quote == '"') => {
                    super::names::fold(ident)
                }
                _ => return Err(refused(data_type)),
            };
            if !NAMED.contains(&word.as_str()) && !known.contains(&word) {
                return Err(refused(data_type));
            }
            name.0 = vec![ObjectNamePart::Identifier(sqlparser::ast::Ident::with_quote('"', word))];
            Ok(())
        }
        // The grammar knows many more, of other databases or for other uses. None
        // of them is needed to read logs, and `reg*` types look into the catalog.
        other => Err(refused(other)),
    }
}

fn refused(data_type: &DataType) -> Refusal {
    Refusal::new(Rule::Type, data_type.to_string())
}
