//! Whether an expression aggregates the rows of its own query.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Query, Visit, Visitor};

use super::functions::{self, Use};

#[derive(Default)]
struct Looking {
    subqueries: usize,
}

impl Visitor for Looking {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.subqueries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.subqueries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) if self.subqueries == 0 && function.over.is_none() => {
                let name = function.name.0.last().map(ToString::to_string).unwrap_or_default();
                match functions::find(&name.to_ascii_lowercase()) {
                    Some(Use::Aggregate | Use::Gather) => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

pub(super) fn has(expr: &Expr) -> bool {
    expr.visit(&mut Looking::default()).is_break()
}
