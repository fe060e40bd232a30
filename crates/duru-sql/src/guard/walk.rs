//! The walk over a query's tree: it refuses what is not allowed, rewrites what
//! is, and guesses how large the result may become. Every node is matched; one
//! that is not known here is refused.

use sqlparser::ast::{Expr, Spanned, Value};

use super::guard::Guard;
use super::refusal::{Refusal, Rule};
use super::size::Size;

pub(super) type Result<T> = std::result::Result<T, Refusal>;

/// Of queries and expressions in each other.
const DEPTH: usize = 64;
const RELATIONS: usize = 24;
const SET_OPERATIONS: usize = 16;
/// Of the text that `repeat`, `lpad` and the like make, all calls together.
const GROWTH: u64 = 4_096;

#[derive(Debug)]
pub(super) struct Walk<'g> {
    pub(super) guard: &'g Guard,
    depth: usize,
    relations: usize,
    set_operations: usize,
    grown: u64,
    /// How many recursive parts we are in.
    pub(super) recursive: usize,
    /// How often a recursive query named itself.
    pub(super) itself: usize,
    /// How many array brackets we are in.
    pub(super) arrays: usize,
    pub(super) soft_delete_added: bool,
}

impl<'g> Walk<'g> {
    pub(super) fn new(guard: &'g Guard) -> Self {
        Self {
            guard,
            depth: 0,
            relations: 0,
            set_operations: 0,
            grown: 0,
            recursive: 0,
            itself: 0,
            arrays: 0,
            soft_delete_added: false,
        }
    }

    /// One level further down.
    pub(super) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH {
            return Err(Refusal::new(Rule::TooDeep, format!("> {DEPTH}")));
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    pub(super) fn count_relation(&mut self) -> Result<()> {
        self.relations += 1;
        let most = self.guard.extra.max_tables.unwrap_or(RELATIONS).min(RELATIONS);
        if self.relations > most {
            return Err(Refusal::new(Rule::TooManyTables, format!("> {most}")));
        }
        Ok(())
    }

    pub(super) fn count_set_operation(&mut self) -> Result<()> {
        self.set_operations += 1;
        if self.set_operations > SET_OPERATIONS {
            return Err(Refusal::new(Rule::TooManyTables, format!("> {SET_OPERATIONS}")));
        }
        Ok(())
    }

    /// A call that makes so much text of its own accord.
    pub(super) fn grow(&mut self, size: Size, expr: &Expr) -> Result<()> {
        self.grown = self.grown.saturating_add(size.plain).saturating_add(size.gathered);
        if self.grown > GROWTH {
            return Err(Refusal::new(Rule::TooLarge, expr.to_string()).at(expr.span()));
        }
        Ok(())
    }
}

/// A construct that is never allowed, if it is there.
pub(super) fn absent(present: bool, what: &str) -> Result<()> {
    if present { Err(Refusal::new(Rule::Construct, what)) } else { Ok(()) }
}

/// The number that an expression of constants stands for.
pub(super) fn constant(expr: &Expr) -> Option<f64> {
    use sqlparser::ast::{BinaryOperator as Op, UnaryOperator};
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            Value::SingleQuotedString(text) => text.trim().parse().ok(),
            _ => None,
        },
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => constant(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => constant(expr).map(|number| -number),
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => constant(expr),
        Expr::BinaryOp { left, op, right } => {
            let (left, right) = (constant(left)?, constant(right)?);
            match op {
                Op::Plus => Some(left + right),
                Op::Minus => Some(left - right),
                Op::Multiply => Some(left * right),
                Op::Divide => Some(left / right),
                Op::PGExp => Some(left.powf(right)),
                Op::PGBitwiseShiftLeft => Some(left * right.exp2()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The text of a string constant.
pub(super) fn string(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => string(inner),
        Expr::TypedString(typed) => match &typed.value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        Expr::Interval(interval) => string(&interval.value),
        _ => None,
    }
}
