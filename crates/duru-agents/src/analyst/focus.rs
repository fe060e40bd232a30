//! What a conversation is about, read from the query that was run.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlparser::ast::{BinaryOperator, Expr, Interval, Value, visit_expressions};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::filters::{Absolute, Relative, TimeRange, Unit};

/// What the next question may lean on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Focus {
    #[serde(default)]
    pub service: Option<String>,
    #[serde(default)]
    pub error_type: Option<String>,
    #[serde(default)]
    pub time_range: Option<TimeRange>,
}

impl Focus {
    /// By the tree of a query that ran: never by its words. What the query
    /// limits to several values is no focus.
    pub fn of_sql(sql: &str) -> Self {
        let Ok(statements) = Parser::parse_sql(&PostgreSqlDialect {}, sql) else { return Self::default() };
        let mut found = Found::default();
        let _: ControlFlow<()> = visit_expressions(&statements, |expr| {
            found.look(expr);
            ControlFlow::Continue(())
        });
        found.focus()
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Default)]
struct Found {
    services: Vec<String>,
    error_types: Vec<String>,
    relative: Vec<Relative>,
    starts: Vec<String>,
    ends: Vec<String>,
}

impl Found {
    fn look(&mut self, expr: &Expr) {
        let Expr::BinaryOp { left, op, right } = expr else { return };
        let Some(column) = column(left) else { return };
        match (column, op) {
            ("service", BinaryOperator::Eq) => self.services.extend(text(right)),
            ("error_type", BinaryOperator::Eq) => self.error_types.extend(text(right)),
            ("created_at", BinaryOperator::Gt | BinaryOperator::GtEq) => match back_from_now(right) {
                Some(relative) => self.relative.push(relative),
                None => self.starts.extend(text(right)),
            },
            ("created_at", BinaryOperator::Lt | BinaryOperator::LtEq) => self.ends.extend(text(right)),
            _ => {}
        }
    }

    fn focus(mut self) -> Focus {
        for words in [&mut self.services, &mut self.error_types, &mut self.starts, &mut self.ends] {
            words.dedup();
        }
        self.relative.dedup();
        let time_range = match (self.relative.as_slice(), self.starts.as_slice(), self.ends.as_slice()) {
            ([relative], [], []) => Some(TimeRange::Relative { relative: *relative }),
            ([], [start], [end]) => {
                Some(TimeRange::Absolute { absolute: Absolute { start: start.clone(), end: end.clone() } })
            }
            _ => None,
        };
        Focus { service: only(self.services), error_type: only(self.error_types), time_range }
    }
}

fn only(mut words: Vec<String>) -> Option<String> {
    let word = words.pop()?;
    words.is_empty().then_some(word)
}

/// The column that an expression is, without its table.
fn column(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Identifier(ident) => Some(&ident.value),
        Expr::CompoundIdentifier(parts) => parts.last().map(|ident| ident.value.as_str()),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => column(inner),
        _ => None,
    }
}

/// The text that an expression is.
fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        Expr::TypedString(typed) => match &typed.value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => text(inner),
        _ => None,
    }
}

/// `NOW() - INTERVAL '3 hours'`.
fn back_from_now(expr: &Expr) -> Option<Relative> {
    match expr {
        Expr::Nested(inner) => back_from_now(inner),
        Expr::BinaryOp { left, op: BinaryOperator::Minus, right } if is_now(left) => interval(right),
        _ => None,
    }
}

fn is_now(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_now(inner),
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            matches!(name.trim_matches('"'), "now" | "current_timestamp")
        }
        _ => false,
    }
}

fn interval(expr: &Expr) -> Option<Relative> {
    let written = match expr {
        Expr::Nested(inner) => return interval(inner),
        Expr::Interval(Interval { value, .. }) => text(value)?,
        Expr::Cast { .. } | Expr::TypedString(_) => text(expr)?,
        _ => return None,
    };
    let (value, word) = written.trim().split_once(' ')?;
    let unit = match word.trim().trim_end_matches('s') {
        "hour" => Unit::Hour,
        "day" => Unit::Day,
        "week" => Unit::Week,
        "month" | "mon" => Unit::Month,
        _ => return None,
    };
    Some(Relative { value: value.parse().ok()?, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_says_what_it_is_about() {
        let focus = Focus::of_sql(
            r#"SELECT count(*) FROM (SELECT * FROM public.logs WHERE deleted = FALSE) AS "logs"
               WHERE (("service" = 'payment-api') AND ("logs"."error_type" = 'Timeout'))
               AND ("created_at" > (NOW() - INTERVAL '3 hours'))"#,
        );
        assert_eq!(focus.service.as_deref(), Some("payment-api"));
        assert_eq!(focus.error_type.as_deref(), Some("Timeout"));
        assert_eq!(focus.time_range.unwrap().to_string(), "last 3 hours");
    }

    #[test]
    fn words_in_texts_and_several_values_are_no_focus() {
        let focus = Focus::of_sql(
            "SELECT * FROM logs WHERE message = 'service = ''x''' OR service = 'a' OR service = 'b'",
        );
        assert!(focus.is_empty(), "{focus:?}");
        let focus = Focus::of_sql(
            "SELECT 1 FROM logs WHERE created_at >= '2026-03-17T00:00:00+09:00'::timestamptz
             AND created_at < TIMESTAMPTZ '2026-03-18T00:00:00+09:00'",
        );
        assert_eq!(
            focus.time_range.unwrap().to_string(),
            "2026-03-17T00:00:00+09:00 to 2026-03-18T00:00:00+09:00"
        );
        assert!(Focus::of_sql("nonsense").is_empty());
    }
}
