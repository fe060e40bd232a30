//! Which conditions of a query the files can check for themselves.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, lit};

use crate::columns::UTC;

/// The condition as the files understand it: theirs are times in UTC. None if it
/// is not made of columns and constants alone.
pub(super) fn for_files(filter: &Expr) -> Option<Expr> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
            Operator::And | Operator::Or => {
                let (left, right) = (for_files(left)?, for_files(right)?);
                Some(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), *op, Box::new(right))))
            }
            Operator::Eq
            | Operator::NotEq
            | Operator::Lt
            | Operator::LtEq
            | Operator::Gt
            | Operator::GtEq => {
                let (left, right) = (operand(left)?, operand(right)?);
                Some(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), *op, Box::new(right))))
            }
            _ => None,
        },
        Expr::InList(InList { expr, list, negated }) => {
            let expr = Box::new(operand(expr)?);
            let list = list.iter().map(operand).collect::<Option<_>>()?;
            Some(Expr::InList(InList { expr, list, negated: *negated }))
        }
        Expr::IsNull(e) => Some(Expr::IsNull(Box::new(operand(e)?))),
        Expr::IsNotNull(e) => Some(Expr::IsNotNull(Box::new(operand(e)?))),
        Expr::Not(e) => Some(Expr::Not(Box::new(for_files(e)?))),
        Expr::Column(_) => Some(filter.clone()),
        _ => None,
    }
}

fn operand(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Column(_) => Some(e.clone()),
        Expr::Literal(ScalarValue::TimestampMicrosecond(time, Some(_)), _) => {
            Some(lit(ScalarValue::TimestampMicrosecond(*time, Some(UTC.into()))))
        }
        Expr::Literal(_, _) => Some(e.clone()),
        _ => None,
    }
}

/// The times that rows may have for all conditions to hold, both included.
pub(super) fn times(filters: &[Expr]) -> (i64, i64) {
    let mut range = (i64::MIN, i64::MAX);
    for filter in filters.iter().flat_map(|filter| split_conjunction(filter)) {
        let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { continue };
        let (time, op) = match (left.as_ref(), right.as_ref()) {
            (Expr::Column(column), Expr::Literal(ScalarValue::TimestampMicrosecond(Some(time), _), _))
                if column.name == "created_at" =>
            {
                (*time, *op)
            }
            (Expr::Literal(ScalarValue::TimestampMicrosecond(Some(time), _), _), Expr::Column(column))
                if column.name == "created_at" =>
            {
                let Some(op) = op.swap() else { continue };
                (*time, op)
            }
            _ => continue,
        };
        match op {
            Operator::Gt | Operator::GtEq => range.0 = range.0.max(time),
            Operator::Lt | Operator::LtEq => range.1 = range.1.min(time),
            Operator::Eq => range = (range.0.max(time), range.1.min(time)),
            _ => {}
        }
    }
    range
}
