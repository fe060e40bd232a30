//! Arithmetic and comparison, by the types of both sides.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator};
use sqlparser::ast::BinaryOperator as Op;

use super::typed::{Calls, Class, untyped};
use crate::functions::unsupported;

#[derive(Debug)]
pub(crate) struct Operators(Calls);

impl Operators {
    pub(crate) fn new(functions: &[std::sync::Arc<datafusion::logical_expr::ScalarUDF>]) -> Self {
        Self(Calls::new(functions))
    }

    pub(crate) fn calls(&self) -> Calls {
        self.0.clone()
    }

    fn arithmetic(&self, op: &Op, left: Expr, right: Expr, schema: &DFSchema) -> Result<Expr> {
        let (left, right) = self.resolved(left, right, schema)?;
        let (a, b) = (left.get_type(schema)?, right.get_type(schema)?);
        let name = match op {
            Op::Plus => "pg_add",
            Op::Minus => "pg_sub",
            Op::Multiply => "pg_mul",
            Op::Divide => "pg_div",
            _ => "pg_mod",
        };
        let native = |op: Operator, left: Expr, right: Expr| {
            Ok(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))))
        };
        let sign = if *op == Op::Plus { Operator::Plus } else { Operator::Minus };
        match (Class::of(&a), op, Class::of(&b)) {
            (Class::Number | Class::Null, _, Class::Number) | (Class::Number, _, Class::Null) => {
                self.0.call(name, vec![left, right])
            }
            (Class::Time, Op::Minus, Class::Time) | (Class::LocalTime, Op::Minus, Class::LocalTime) => {
                native(sign, left, right)
            }
            (Class::Date, Op::Minus, Class::Date) => self.0.call("pg_days_between", vec![left, right]),
            (Class::Date, Op::Plus, Class::Number) => self.0.call("pg_add_days", vec![left, right]),
            (Class::Date, Op::Minus, Class::Number) => {
                let right = self.0.call("pg_neg", vec![right])?;
                self.0.call("pg_add_days", vec![left, right])
            }
            (Class::Time | Class::LocalTime, Op::Plus | Op::Minus, Class::Interval) => {
                native(sign, left, right)
            }
            (Class::Date, Op::Plus | Op::Minus, Class::Interval) => {
                native(sign, self.0.call("pg_to_timestamp", vec![left])?, right)
            }
            (Class::Interval, Op::Plus, Class::Time | Class::LocalTime) => native(sign, right, left),
            (Class::Interval, Op::Plus | Op::Minus, Class::Interval) => {
                let same = a == b;
                let whole = |e: Expr| if same { Ok(e) } else { self.0.call("pg_to_interval", vec![e]) };
                native(sign, whole(left)?, whole(right)?)
            }
            (Class::Interval, Op::Multiply, Class::Number) => {
                self.0.call("pg_interval_mul", vec![left, right])
            }
            (Class::Number, Op::Multiply, Class::Interval) => {
                self.0.call("pg_interval_mul", vec![right, left])
            }
            (Class::Interval, Op::Divide, Class::Number) => self.0.call("pg_interval_div", vec![left, right]),
            // A time without zone counts in the asker's.
            (Class::Time, Op::Minus, Class::LocalTime | Class::Date) => {
                native(sign, left, self.0.call("pg_to_timestamptz", vec![right])?)
            }
            (Class::LocalTime | Class::Date, Op::Minus, Class::Time) => {
                native(sign, self.0.call("pg_to_timestamptz", vec![left])?, right)
            }
            (Class::LocalTime, Op::Minus, Class::Date) => {
                native(sign, left, self.0.call("pg_to_timestamp", vec![right])?)
            }
            _ => Err(unsupported(format!("{op} of {a} and {b}"))),
        }
    }

    /// Both sides with literals read as the other side's type.
    fn resolved(&self, left: Expr, right: Expr, schema: &DFSchema) -> Result<(Expr, Expr)> {
        let read = |e: &Expr, beside: &Expr| -> Result<Option<Expr>> {
            let (Some(text), None) = (untyped(e), untyped(beside)) else { return Ok(None) };
            self.0.literal(text, &beside.get_type(schema)?).map(Some)
        };
        let (new_left, new_right) = (read(&left, &right)?, read(&right, &left)?);
        Ok((new_left.unwrap_or(left), new_right.unwrap_or(right)))
    }

    fn comparison(&self, op: &Op, left: Expr, right: Expr, schema: &DFSchema) -> Result<Expr> {
        let (left, right) = self.resolved(left, right, schema)?;
        let (a, b) = (left.get_type(schema)?, right.get_type(schema)?);
        let call = |name: &str, e: Expr| self.0.call(name, vec![e]);
        let (left, right) = match (Class::of(&a), Class::of(&b)) {
            (Class::Interval, Class::Interval) => {
                (call("pg_interval_key", left)?, call("pg_interval_key", right)?)
            }
            (Class::Json, Class::Json) if !matches!(op, Op::Eq | Op::NotEq) => {
                return Err(unsupported("an order of JSON values"));
            }
            // As `jsonb`, 1 is equal to 1.0.
            (Class::Json, Class::Json) => (call("pg_json_key", left)?, call("pg_json_key", right)?),
            (x, y) if x == y => (left, right),
            (Class::Null, _) | (_, Class::Null) => (left, right),
            (Class::Time, Class::LocalTime | Class::Date) => (left, call("pg_to_timestamptz", right)?),
            (Class::LocalTime | Class::Date, Class::Time) => (call("pg_to_timestamptz", left)?, right),
            (Class::LocalTime, Class::Date) => (left, call("pg_to_timestamp", right)?),
            (Class::Date, Class::LocalTime) => (call("pg_to_timestamp", left)?, right),
            _ => return Err(unsupported(format!("{op} of {} and {}", named(&a), named(&b)))),
        };
        let op = match op {
            Op::Eq => Operator::Eq,
            Op::NotEq => Operator::NotEq,
            Op::Lt => Operator::Lt,
            Op::LtEq => Operator::LtEq,
            Op::Gt => Operator::Gt,
            _ => Operator::GtEq,
        };
        Ok(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))))
    }
}

/// What people call a type.
pub(super) fn named(kind: &DataType) -> String {
    match Class::of(kind) {
        Class::Number => "a number".into(),
        Class::Text => "text".into(),
        Class::Boolean => "a boolean".into(),
        Class::Time | Class::LocalTime => "a time".into(),
        Class::Date => "a date".into(),
        Class::Interval => "an interval".into(),
        Class::Json => "JSON".into(),
        Class::Level => "a level".into(),
        Class::Null => "null".into(),
        Class::Other => kind.to_string(),
    }
}

impl ExprPlanner for Operators {
    fn plan_binary_op(&self, e: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let RawBinaryExpr { op, left, right } = e;
        let planned = match op {
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => {
                self.arithmetic(&op, left, right, schema)?
            }
            Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => {
                self.comparison(&op, left, right, schema)?
            }
            _ => return Ok(PlannerResult::Original(RawBinaryExpr { op, left, right })),
        };
        Ok(PlannerResult::Planned(planned))
    }
}
