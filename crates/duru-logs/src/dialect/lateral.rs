//! `LATERAL (SELECT … WHERE t.x = outer.y ORDER BY … LIMIT n)`: the first rows for each row
//! of what stands before. DataFusion can't plan it; numbered within each `x` and joined on
//! it, the same rows come out.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator as Op, Distinct, Expr, FunctionArguments, GroupByExpr, Ident, Join, JoinConstraint,
    JoinOperator, LimitClause, OrderBy, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr,
    TableFactor, Value, WindowSpec, WindowType, visit_expressions,
};

use super::aggregates;
use super::build::{binary, chain, function, ident};
use super::names;

const WHAT: &str = "this LATERAL query with LIMIT";

pub(super) fn rewrite(select: &mut Select) -> Result<(), String> {
    // FROM a, LATERAL (…) is FROM a CROSS JOIN LATERAL (…).
    if let [first, second] = select.from.as_mut_slice()
        && limited(&second.relation)
    {
        let relation = second.relation.clone();
        let mut joins = std::mem::take(&mut second.joins);
        first.joins.push(Join {
            relation,
            global: false,
            join_operator: JoinOperator::CrossJoin(JoinConstraint::None),
        });
        first.joins.append(&mut joins);
        select.from.truncate(1);
    }
    if !select.from.iter().any(|from| from.joins.iter().any(|join| limited(&join.relation))) {
        return Ok(());
    }
    if select
        .projection
        .iter()
        .any(|item| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)))
    {
        return Err(format!("* beside {WHAT}"));
    }
    for from in &mut select.from {
        let mut before = vec![alias(&from.relation)];
        for join in &mut from.joins {
            if limited(&join.relation) {
                one(join, &before)?;
            }
            before.push(alias(&join.relation));
        }
    }
    Ok(())
}

fn limited(factor: &TableFactor) -> bool {
    matches!(factor, TableFactor::Derived { lateral: true, subquery, .. }
        if subquery.limit_clause.is_some() || subquery.fetch.is_some())
}

/// By which name other relations speak of it.
fn alias(factor: &TableFactor) -> Option<String> {
    let name = match factor {
        TableFactor::Table { alias: Some(alias), .. }
        | TableFactor::Derived { alias: Some(alias), .. }
        | TableFactor::UNNEST { alias: Some(alias), .. }
        | TableFactor::Function { alias: Some(alias), .. } => alias.name.clone(),
        TableFactor::Table { name, .. } => name.0.last()?.as_ident()?.clone(),
        _ => return None,
    };
    Some(folded(&name))
}

fn folded(name: &Ident) -> String {
    if name.quote_style.is_some() { name.value.clone() } else { name.value.to_lowercase() }
}

fn one(join: &mut Join, before: &[Option<String>]) -> Result<(), String> {
    let refused = || WHAT.to_owned();
    let TableFactor::Derived { lateral, subquery, alias: Some(own), .. } = &mut join.relation else {
        return Err(refused());
    };
    if !own.columns.is_empty() {
        return Err(refused());
    }
    let own = own.name.clone();
    let most = most(subquery)?;
    let order = order(subquery)?;
    let SetExpr::Select(inner) = subquery.body.as_mut() else { return Err(refused()) };
    plain(inner)?;
    // What the query's own relations are called hides what stands outside.
    let mine: Vec<_> = inner
        .from
        .iter()
        .flat_map(|from| std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)))
        .map(alias)
        .collect();
    let outside = |e: &Expr| {
        speaks_of(e, |name| {
            before.iter().flatten().any(|other| other == name)
                && !mine.iter().flatten().any(|own| own == name)
        })
    };
    if inner.projection.iter().any(|item| match item {
        SelectItem::UnnamedExpr(e) | SelectItem::ExprWithAlias { expr: e, .. } => outside(e),
        _ => false,
    }) || order.iter().any(|by| outside(&by.expr))
    {
        return Err(refused());
    }
    let order = order.into_iter().map(|by| resolved(by, &inner.projection)).collect::<Result<Vec<_>, _>>()?;
    let (mut keys, mut rest) = (Vec::new(), Vec::new());
    for condition in inner.selection.take().map(conjuncts).unwrap_or_default() {
        match condition {
            Expr::BinaryOp { left, op: Op::Eq, right } if outside(&left) != outside(&right) => {
                keys.push(if outside(&left) { (*right, *left) } else { (*left, *right) });
            }
            e if outside(&e) => return Err(refused()),
            e => rest.push(e),
        }
    }
    // The outer side must speak of nothing that is inside, not even by a bare name.
    if keys.iter().any(|(_, outer)| bare(outer)) {
        return Err(refused());
    }
    inner.selection = chain(Op::And, rest);
    let row = "duru_row".to_owned();
    let mut on = Vec::new();
    for (i, (inside, outer)) in keys.iter().enumerate() {
        let key = format!("duru_key_{i}");
        inner.projection.push(SelectItem::ExprWithAlias { expr: inside.clone(), alias: ident(&key) });
        on.push(binary(outer.clone(), Op::Eq, Expr::CompoundIdentifier(vec![own.clone(), ident(&key)])));
    }
    let mut number = function("row_number", vec![]);
    number.over = Some(WindowType::WindowSpec(WindowSpec {
        window_name: None,
        partition_by: keys.into_iter().map(|(inside, _)| inside).collect(),
        order_by: order,
        window_frame: None,
    }));
    inner.projection.push(SelectItem::ExprWithAlias { expr: Expr::Function(number), alias: ident(&row) });
    on.push(binary(Expr::CompoundIdentifier(vec![own, ident(&row)]), Op::LtEq, most));
    *lateral = false;
    condition(&mut join.join_operator, on)
}

/// Joins on these, and on what was written.
fn condition(join: &mut JoinOperator, mut on: Vec<Expr>) -> Result<(), String> {
    let refused = || WHAT.to_owned();
    let (left, written) = match join {
        JoinOperator::CrossJoin(_) => (false, None),
        JoinOperator::Join(JoinConstraint::On(e)) | JoinOperator::Inner(JoinConstraint::On(e)) => {
            (false, Some(e.clone()))
        }
        JoinOperator::Left(JoinConstraint::On(e)) | JoinOperator::LeftOuter(JoinConstraint::On(e)) => {
            (true, Some(e.clone()))
        }
        _ => return Err(refused()),
    };
    on.extend(written);
    let constraint = JoinConstraint::On(chain(Op::And, on).ok_or_else(refused)?);
    *join = if left { JoinOperator::LeftOuter(constraint) } else { JoinOperator::Inner(constraint) };
    Ok(())
}

/// The constant after LIMIT.
fn most(query: &mut Query) -> Result<Expr, String> {
    match query.limit_clause.take() {
        Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, limit_by })
            if limit_by.is_empty()
                && query.fetch.is_none()
                && query.with.is_none()
                && matches!(&limit, Expr::Value(v) if matches!(v.value, Value::Number(..))) =>
        {
            Ok(limit)
        }
        _ => Err(WHAT.to_owned()),
    }
}

fn order(query: &mut Query) -> Result<Vec<OrderByExpr>, String> {
    match query.order_by.take() {
        None => Ok(Vec::new()),
        Some(OrderBy { kind: OrderByKind::Expressions(by), interpolate: None }) => Ok(by),
        Some(_) => Err(WHAT.to_owned()),
    }
}

/// Nothing that counts or numbers rows by itself: it would see other rows.
fn plain(select: &Select) -> Result<(), String> {
    let grouped = match &select.group_by {
        GroupByExpr::Expressions(by, with) => !by.is_empty() || !with.is_empty(),
        GroupByExpr::All(_) => true,
    };
    let distinct = !matches!(select.distinct, None | Some(Distinct::All));
    let counts = visit_expressions(&select.projection, |e| match e {
        Expr::Function(f)
            if f.over.is_some()
                || aggregates::is(&names::of_function(&f.name))
                || matches!(f.args, FunctionArguments::Subquery(_)) =>
        {
            ControlFlow::Break(())
        }
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    if grouped || distinct || select.having.is_some() || counts.is_break() {
        return Err(WHAT.to_owned());
    }
    Ok(())
}

fn speaks_of(e: &Expr, outside: impl Fn(&str) -> bool) -> bool {
    let found = visit_expressions(e, |e| match e {
        Expr::CompoundIdentifier(parts) if parts.len() > 1 && outside(&folded(&parts[parts.len() - 2])) => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}

fn bare(e: &Expr) -> bool {
    let found = visit_expressions(e, |e| match e {
        Expr::Identifier(_) | Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}

fn conjuncts(e: Expr) -> Vec<Expr> {
    match e {
        Expr::BinaryOp { left, op: Op::And, right } => {
            conjuncts(*left).into_iter().chain(conjuncts(*right)).collect()
        }
        Expr::Nested(e) => conjuncts(*e),
        e => vec![e],
    }
}

/// ORDER BY may name or number what is selected; within a window it can't.
fn resolved(mut by: OrderByExpr, projection: &[SelectItem]) -> Result<OrderByExpr, String> {
    let item = match &by.expr {
        Expr::Identifier(name) => projection.iter().find(
            |item| matches!(item, SelectItem::ExprWithAlias { alias, .. } if folded(alias) == folded(name)),
        ),
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => {
                let place = digits.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                Some(place.and_then(|i| projection.get(i)).ok_or(WHAT)?)
            }
            _ => None,
        },
        _ => None,
    };
    match item {
        None => Ok(by),
        Some(SelectItem::UnnamedExpr(e) | SelectItem::ExprWithAlias { expr: e, .. }) => {
            by.expr = e.clone();
            Ok(by)
        }
        Some(_) => Err(WHAT.to_owned()),
    }
}
