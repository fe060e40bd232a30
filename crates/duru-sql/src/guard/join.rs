//! How many rows a FROM clause may give, and whether large parts of it are
//! joined by nothing.

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, Visit, Visitor};

use super::endless::conjuncts;
use super::from::From;
use super::refusal::{Refusal, Rule};
use super::scope::Scope;
use super::size::LARGE;
use super::walk::Result;

/// A guess at the rows, unless large relations stand side by side.
pub(super) fn rows(scope: &Scope<'_>, sources: &From) -> Result<u64> {
    let count = scope.relations.len();
    let mut joined: Vec<usize> = (0..count).collect();
    let mut narrow = vec![false; count];
    let mut pieces = Vec::new();
    for condition in &sources.conditions {
        conjuncts(condition, &mut pieces);
    }
    for piece in pieces {
        let named = mentioned(piece, scope);
        let by_id = named.ids && matches!(piece, Expr::BinaryOp { op: BinaryOperator::Eq, .. });
        for pair in named.relations.windows(2) {
            unite(&mut joined, pair[0], pair[1]);
            narrow[pair[0]] |= by_id;
            narrow[pair[1]] |= by_id;
        }
    }
    for &(left, right, by_id) in &sources.links {
        unite(&mut joined, left, right);
        narrow[left] |= by_id;
        narrow[right] |= by_id;
    }
    for (index, relation) in scope.relations.iter().enumerate() {
        if relation.lateral && index > 0 {
            unite(&mut joined, index, index - 1);
        }
    }
    let mut all: u64 = 1;
    let mut large = 0;
    for root in 0..count {
        let members: Vec<usize> = (0..count).filter(|&index| find(&joined, index) == root).collect();
        let most = members.iter().map(|&index| scope.relations[index].shape.rows).max().unwrap_or(1);
        large += usize::from(most > LARGE && !members.is_empty());
        let mut rows: u64 = 1;
        for &index in &members {
            let relation = scope.relations[index].shape.rows.max(1);
            let factor = if rows == 1 {
                relation
            } else if narrow[index] {
                relation.min(10)
            } else {
                relation.div_ceil(100)
            };
            rows = rows.saturating_mul(factor);
        }
        all = all.saturating_mul(rows.max(most));
    }
    if large > 1 {
        return Err(Refusal::new(Rule::CrossJoin, ""));
    }
    Ok(all)
}

fn find(joined: &[usize], mut index: usize) -> usize {
    while joined[index] != index {
        index = joined[index];
    }
    index
}

fn unite(joined: &mut [usize], left: usize, right: usize) {
    let (left, right) = (find(joined, left), find(joined, right));
    joined[left.max(right)] = left.min(right);
}

struct Mentioned<'s> {
    scope: &'s Scope<'s>,
    relations: Vec<usize>,
    /// A column that tells rows apart is among them.
    ids: bool,
}

fn mentioned<'s>(expr: &Expr, scope: &'s Scope<'s>) -> Mentioned<'s> {
    let mut found = Mentioned { scope, relations: Vec::new(), ids: false };
    // It never breaks off.
    let _: ControlFlow<()> = expr.visit(&mut found);
    found.relations.sort_unstable();
    found.relations.dedup();
    found
}

impl Visitor for Mentioned<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let relations = &self.scope.relations;
        let (index, column) = match expr {
            Expr::Identifier(ident) => {
                let name = &ident.value;
                let index = relations.iter().position(|relation| relation.shape.column(name).is_some());
                (index, name)
            }
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [relation, column] => {
                    let name = Some(relation.value.as_str());
                    (relations.iter().position(|relation| relation.name.as_deref() == name), &column.value)
                }
                _ => return ControlFlow::Continue(()),
            },
            _ => return ControlFlow::Continue(()),
        };
        self.relations.extend(index);
        self.ids |= index.is_some_and(|index| relations[index].shape.is_key(column));
        ControlFlow::Continue(())
    }
}
