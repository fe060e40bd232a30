//! Names, values and units as SQL writes them.

use duru_language::Unit;
use duru_language::time::Length;

use crate::analyst::frame::Compare;

pub(super) fn ident(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
        && !RESERVED.contains(&name);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Words that PostgreSQL does not take as a name of a column without quotation marks.
const RESERVED: &[&str] = &[
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "both",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "cross",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_user",
    "default",
    "desc",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "full",
    "grant",
    "group",
    "having",
    "in",
    "inner",
    "intersect",
    "into",
    "is",
    "join",
    "lateral",
    "left",
    "like",
    "limit",
    "natural",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "outer",
    "primary",
    "references",
    "returning",
    "right",
    "select",
    "session_user",
    "some",
    "table",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "user",
    "using",
    "when",
    "where",
    "window",
    "with",
];

pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "''"))
}

/// A pattern in which the text stands for itself.
pub(super) fn pattern(text: &str, before: &str, after: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    literal(&format!("{before}{text}{after}"))
}

pub(super) fn interval(length: Length) -> String {
    let (amount, word) = match length.unit {
        Unit::Quarter => (length.amount * 3, "month"),
        unit => (length.amount, unit_word(unit)),
    };
    let plural = if amount == 1 { "" } else { "s" };
    format!("INTERVAL '{amount} {word}{plural}'")
}

pub(super) fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Millisecond => "millisecond",
        Unit::Second => "second",
        Unit::Minute => "minute",
        Unit::Hour => "hour",
        Unit::Week => "week",
        Unit::Month => "month",
        Unit::Quarter => "quarter",
        Unit::Year => "year",
        _ => "day",
    }
}

pub(super) fn operator(compare: Compare) -> &'static str {
    match compare {
        Compare::More => ">",
        Compare::AtLeast => ">=",
        Compare::Less => "<",
        Compare::AtMost => "<=",
        Compare::Equal => "=",
    }
}

pub(super) fn direction(descending: bool) -> &'static str {
    if descending { " DESC" } else { "" }
}
