//! Whether a recursive query comes to an end, as far as its text shows.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, Select, SetExpr, TableFactor, Visit, Visitor,
};

/// Whether the recursive part has a bound: a comparison of what it counts with
/// something else, or a join that only goes where rows are.
pub(super) fn ends(part: &SetExpr, name: &str) -> bool {
    let SetExpr::Select(select) = part else { return false };
    let Some(alias) = alias_of(select, name) else { return false };
    let mut conditions = Vec::new();
    if let Some(selection) = &select.selection {
        conjuncts(selection, &mut conditions);
    }
    let steps = Steps::of(select);
    let bounded = conditions.iter().any(|condition| bounds(condition, &alias, steps));
    bounded || joined(select, &alias)
}

/// What a condition says, piece by piece.
pub(super) fn conjuncts<'e>(condition: &'e Expr, into: &mut Vec<&'e Expr>) {
    let mut rest = condition;
    loop {
        match rest {
            Expr::Nested(inner) => rest = inner,
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                conjuncts(right, into);
                rest = left;
            }
            other => return into.push(other),
        }
    }
}

fn alias_of(select: &Select, name: &str) -> Option<String> {
    let factors = select
        .from
        .iter()
        .flat_map(|from| std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)));
    factors
        .filter_map(|factor| match factor {
            TableFactor::Table { name: table, alias, .. } if table.to_string() == format!("\"{name}\"") => {
                Some(alias.as_ref().map_or(name.to_owned(), |alias| alias.name.value.clone()))
            }
            _ => None,
        })
        .next()
}

/// Which ways what the recursion gives may move.
#[derive(Clone, Copy, Default)]
struct Steps {
    up: bool,
    down: bool,
}

impl Steps {
    fn of(select: &Select) -> Self {
        let mut steps = Self::default();
        // It never breaks off.
        let _: ControlFlow<()> = select.projection.iter().try_for_each(|item| item.visit(&mut steps));
        steps
    }
}

impl Visitor for Steps {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { op: BinaryOperator::Plus | BinaryOperator::Multiply, .. } => self.up = true,
            Expr::BinaryOp { op: BinaryOperator::Minus | BinaryOperator::Divide, .. } => self.down = true,
            Expr::UnaryOp { op: sqlparser::ast::UnaryOperator::Minus, .. } => self.down = true,
            // Either way, for all that is known.
            Expr::Function(_) | Expr::Subquery(_) => (self.up, self.down) = (true, true),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn bounds(condition: &Expr, alias: &str, steps: Steps) -> bool {
    match condition {
        Expr::BinaryOp { left, op, right } => {
            let (ours, theirs) = (names(left, alias), names(right, alias));
            // A constant condition, such as 1 < 2, ends nothing; nor does a bound
            // from which the steps lead away.
            let moves = match op {
                BinaryOperator::Lt | BinaryOperator::LtEq if ours => steps.up,
                BinaryOperator::Gt | BinaryOperator::GtEq if ours => steps.down,
                BinaryOperator::Lt | BinaryOperator::LtEq => steps.down,
                BinaryOperator::Gt | BinaryOperator::GtEq => steps.up,
                BinaryOperator::Eq | BinaryOperator::NotEq => steps.up || steps.down,
                _ => false,
            };
            moves && ours != theirs
        }
        Expr::Between { expr, negated: false, low, high } => {
            let moves = steps.up || steps.down;
            moves && names(expr, alias) && !names(low, alias) && !names(high, alias)
        }
        Expr::InList { expr, negated: false, .. } | Expr::InSubquery { expr, negated: false, .. } => {
            (steps.up || steps.down) && names(expr, alias)
        }
        _ => false,
    }
}

fn joined(select: &Select, alias: &str) -> bool {
    let many = select.from.len() > 1 && select.selection.as_ref().is_some_and(|on| names(on, alias));
    many || select.from.iter().flat_map(|from| &from.joins).any(|join| match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(on)) | JoinOperator::Inner(JoinConstraint::On(on)) => {
            names(on, alias)
        }
        JoinOperator::Join(JoinConstraint::Using(_)) | JoinOperator::Inner(JoinConstraint::Using(_)) => true,
        _ => false,
    })
}

/// Whether an expression names a column: of this relation, or one without a relation's name.
fn names(expr: &Expr, alias: &str) -> bool {
    struct Looking<'a>(&'a str);
    impl Visitor for Looking<'_> {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) => ControlFlow::Break(()),
                Expr::CompoundIdentifier(parts) if parts.first().is_some_and(|part| part.value == self.0) => {
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    expr.visit(&mut Looking(alias)).is_break()
}
