//! Constants: every form of a string becomes the plain one.

use std::ops::ControlFlow;

use sqlparser::ast::{Value, ValueWithSpan, VisitMut, VisitorMut};

use super::refusal::{Refusal, Rule};
use super::size::{FLAG, NUMBER, Size};
use super::walk::Result;

/// Checks a constant and makes it plain.
pub(super) fn check(value: &mut ValueWithSpan) -> Result<Size> {
    let span = value.span;
    let refuse = |rule, shown: &Value| Err(Refusal::new(rule, shown.to_string()).at(span));
    let text = match &value.value {
        Value::Number(digits, long) => {
            let plain = digits.len() <= 40
                && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
            let exponent =
                digits.to_ascii_lowercase().split_once('e').map_or(Some(0), |(_, e)| e.parse().ok());
            return match exponent {
                Some(exponent) if plain && !*long && (-60..=60).contains(&exponent) => Ok(NUMBER),
                _ => refuse(Rule::Literal, &value.value),
            };
        }
        Value::Boolean(_) | Value::Null => return Ok(FLAG),
        Value::SingleQuotedString(text) => text,
        Value::EscapedStringLiteral(text) => text,
        Value::DollarQuotedString(dollar) => &dollar.value,
        Value::Placeholder(_) => return refuse(Rule::Placeholder, &value.value),
        Value::TripleSingleQuotedString(_)
        | Value::TripleDoubleQuotedString(_)
        | Value::UnicodeStringLiteral(_)
        | Value::SingleQuotedByteStringLiteral(_)
        | Value::DoubleQuotedByteStringLiteral(_)
        | Value::TripleSingleQuotedByteStringLiteral(_)
        | Value::TripleDoubleQuotedByteStringLiteral(_)
        | Value::SingleQuotedRawStringLiteral(_)
        | Value::DoubleQuotedRawStringLiteral(_)
        | Value::TripleSingleQuotedRawStringLiteral(_)
        | Value::TripleDoubleQuotedRawStringLiteral(_)
        | Value::NationalStringLiteral(_)
        | Value::QuoteDelimitedStringLiteral(_)
        | Value::NationalQuoteDelimitedStringLiteral(_)
        | Value::HexStringLiteral(_)
        | Value::DoubleQuotedString(_) => return refuse(Rule::Literal, &value.value),
    };
    if text.contains('\0') {
        return refuse(Rule::BadCharacter, &Value::Null);
    }
    let text = text.clone();
    // Constants count more than our guesses at columns: their size is certain.
    let size = Size::plain(text.len() as u64 * 5 / 2);
    value.value = Value::SingleQuotedString(text);
    Ok(size)
}

/// Doubles the quotes in all strings. The grammar's own printer leaves quotes
/// alone that follow a backslash or another quote, which ends the string early.
pub(super) fn double_quotes(tree: &mut impl VisitMut) {
    struct Doubling;
    impl VisitorMut for Doubling {
        type Break = ();
        fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
            if let Value::SingleQuotedString(text) = &mut value.value
                && text.contains('\'')
            {
                *text = text.replace('\'', "''");
            }
            ControlFlow::Continue(())
        }
    }
    // It never breaks off.
    let _: ControlFlow<()> = tree.visit(&mut Doubling);
}
