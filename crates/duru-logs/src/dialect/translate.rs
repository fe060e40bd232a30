//! From a query's text to the tree that DataFusion plans.

use std::ops::ControlFlow;

use duru_sql::{Error, Fault};
use sqlparser::ast::{
    Expr, Fetch, LimitClause, ObjectName, Query, Select, SelectItem, SetExpr, Statement, VisitMut, VisitorMut,
};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::{build, expr, from, lateral, names, recursion};

/// Separates a column's name from what makes it unique.
const UNIQUE: char = '\u{1}';

/// A column's name as PostgreSQL gives it.
pub(crate) fn shown_name(name: &str) -> &str {
    name.split(UNIQUE).next().unwrap_or(name)
}

/// The statement to plan, or why this can't be asked here.
pub(crate) fn translate(sql: &str) -> Result<Statement, Error> {
    let unreadable = || Error::Query { fault: Fault::Syntax };
    let mut statements = Parser::parse_sql(&PostgreSqlDialect {}, sql).map_err(|_| unreadable())?;
    let (Some(Statement::Query(mut query)), true) = (statements.pop(), statements.is_empty()) else {
        return Err(unreadable());
    };
    for pass in [&mut Reserved as &mut dyn Pass, &mut Structure, &mut Expressions] {
        pass.over(&mut query).map_err(|what| Error::Unsupported { what })?;
    }
    Ok(Statement::Query(query))
}

trait Pass {
    fn over(&mut self, query: &mut Query) -> Result<(), String>;
}

impl<V: VisitorMut<Break = String>> Pass for V {
    fn over(&mut self, query: &mut Query) -> Result<(), String> {
        match query.visit(self) {
            ControlFlow::Break(reason) => Err(reason),
            ControlFlow::Continue(()) => Ok(()),
        }
    }
}

fn flow(result: Result<(), String>) -> ControlFlow<String> {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(reason) => ControlFlow::Break(reason),
    }
}

/// Our own functions are for the rewrite alone.
struct Reserved;

impl VisitorMut for Reserved {
    type Break = String;

    fn pre_visit_expr(&mut self, e: &mut Expr) -> ControlFlow<String> {
        match e {
            Expr::Function(function) if names::of_function(&function.name).starts_with("pg_") => {
                ControlFlow::Break(format!("the function {}", function.name))
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<String> {
        let _ = relation;
        ControlFlow::Continue(())
    }
}

/// Clauses: names, limits, what is in FROM.
struct Structure;

impl VisitorMut for Structure {
    type Break = String;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<String> {
        flow(query_clauses(query).and_then(|()| body(&mut query.body)))
    }
}

fn query_clauses(query: &mut Query) -> Result<(), String> {
    if let Some(Fetch { with_ties, percent, quantity }) = query.fetch.take() {
        if with_ties || percent {
            return Err("FETCH with ties or percentages".into());
        }
        let limit = Some(quantity.unwrap_or_else(|| build::number(1)));
        query.limit_clause = Some(match query.limit_clause.take() {
            Some(LimitClause::LimitOffset { limit: None, offset, limit_by }) => {
                LimitClause::LimitOffset { limit, offset, limit_by }
            }
            None => LimitClause::LimitOffset { limit, offset: None, limit_by: vec![] },
            Some(_) => return Err("LIMIT together with FETCH".into()),
        });
    }
    if !query.locks.is_empty() {
        return Err("locks on rows".into());
    }
    let recursive = query.with.as_ref().is_some_and(|with| with.recursive);
    for cte in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
        cte.materialized = None;
        if recursive {
            recursion::typed(cte);
        }
    }
    Ok(())
}

fn body(body: &mut SetExpr) -> Result<(), String> {
    match body {
        SetExpr::Select(select) => select_clauses(select),
        SetExpr::SetOperation { left, right, .. } => {
            self::body(left)?;
            self::body(right)
        }
        // Visited as a query of its own.
        SetExpr::Query(_) | SetExpr::Values(_) => Ok(()),
        _ => Err("this kind of query".into()),
    }
}

fn select_clauses(select: &mut Select) -> Result<(), String> {
    if select.projection.is_empty() {
        select.projection.push(SelectItem::UnnamedExpr(build::number(1)));
    }
    let mut seen: Vec<String> = Vec::new();
    for item in &mut select.projection {
        let (name, needed) = match item {
            SelectItem::UnnamedExpr(e) => {
                (names::of(e), !matches!(e, Expr::Identifier(_) | Expr::CompoundIdentifier(_)))
            }
            SelectItem::ExprWithAlias { alias, .. } => {
                let name = if alias.quote_style.is_some() {
                    alias.value.clone()
                } else {
                    alias.value.to_lowercase()
                };
                (name, false)
            }
            _ => continue,
        };
        let again = seen.iter().filter(|other| **other == name).count();
        seen.push(name.clone());
        if again == 0 && !needed {
            continue;
        }
        let unique = if again == 0 { name } else { format!("{name}{UNIQUE}{again}") };
        let e = match item {
            SelectItem::UnnamedExpr(e) | SelectItem::ExprWithAlias { expr: e, .. } => e.clone(),
            _ => continue,
        };
        *item = SelectItem::ExprWithAlias { expr: e, alias: build::ident(&unique) };
    }
    lateral::rewrite(select)?;
    from::rewrite(select)
}

/// Operators, functions, casts; from the leaves up.
struct Expressions;

impl VisitorMut for Expressions {
    type Break = String;

    fn post_visit_expr(&mut self, e: &mut Expr) -> ControlFlow<String> {
        flow(expr::rewrite(e))
    }
}
