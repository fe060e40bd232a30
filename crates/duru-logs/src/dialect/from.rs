//! Functions in FROM: as a query that unnests a list.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, JoinConstraint, JoinOperator, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, Statement, TableAlias, TableFactor, TableWithJoins, Value,
    WildcardAdditionalOptions, visit_expressions, visit_expressions_mut,
};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::build::{call, ident};
use super::names;

/// A function in FROM: its alias, its columns and the lists that they come from.
struct Rows {
    alias: Ident,
    columns: Vec<(Ident, Expr)>,
}

pub(super) fn rewrite(select: &mut Select) -> Result<(), String> {
    for i in 0..select.from.len() {
        for j in 0..=select.from[i].joins.len() {
            let factor =
                if j == 0 { &select.from[i].relation } else { &select.from[i].joins[j - 1].relation };
            let Some(rows) = rows(factor)? else { continue };
            if rows.columns.iter().any(|(_, list)| refers(list)) {
                beside(select, i, j, rows)?;
                // Places have moved; there can be more of them.
                return rewrite(select);
            }
            let alone = alone(&rows)?;
            if j == 0 {
                select.from[i].relation = alone;
            } else {
                select.from[i].joins[j - 1].relation = alone;
            }
        }
    }
    Ok(())
}

fn rows(factor: &TableFactor) -> Result<Option<Rows>, String> {
    let plain = |args: &[FunctionArg]| -> Result<Vec<Expr>, String> {
        let each = args.iter().map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) => Ok(e.clone()),
            _ => Err("this argument of a function in FROM".to_owned()),
        });
        each.collect()
    };
    let (name, args, alias, numbered) = match factor {
        TableFactor::Function { name, args, alias, with_ordinality, .. } => {
            (names::of_function(name), plain(args)?, alias, *with_ordinality)
        }
        TableFactor::Table { name, args: Some(args), alias, with_ordinality, .. } => {
            (names::of_function(name), plain(&args.args)?, alias, *with_ordinality)
        }
        TableFactor::UNNEST { array_exprs, alias, with_offset, with_ordinality, .. } => {
            ("unnest".into(), array_exprs.clone(), alias, *with_offset || *with_ordinality)
        }
        TableFactor::TableFunction { .. } | TableFactor::JsonTable { .. } => {
            return Err("this kind of relation in FROM".into());
        }
        _ => return Ok(None),
    };
    if numbered {
        return Err("WITH ORDINALITY".into());
    }
    let list = |function: &str| call(function, args.clone());
    let lists = match name.as_str() {
        "generate_series" => vec![(None, list("pg_series"))],
        "unnest" => match args.as_slice() {
            [one] => vec![(None, one.clone())],
            _ => return Err("unnest of several lists".into()),
        },
        "regexp_split_to_table" => vec![(None, list("pg_regexp_split"))],
        "string_to_table" => vec![(None, list("string_to_array"))],
        "jsonb_object_keys" | "json_object_keys" => vec![(None, list("pg_json_keys"))],
        "jsonb_array_elements" | "json_array_elements" => vec![(Some("value"), list("pg_json_elements"))],
        "jsonb_array_elements_text" | "json_array_elements_text" => {
            vec![(Some("value"), list("pg_json_elements_text"))]
        }
        "jsonb_each" | "json_each" => {
            vec![(Some("key"), list("pg_json_keys")), (Some("value"), list("pg_json_values"))]
        }
        "jsonb_each_text" | "json_each_text" => {
            vec![(Some("key"), list("pg_json_keys")), (Some("value"), list("pg_json_values_text"))]
        }
        other => return Err(format!("the function {other} in FROM")),
    };
    let given = alias.as_ref().map(|alias| alias.name.clone()).unwrap_or_else(|| ident(&name));
    let single = lists.len() == 1;
    let columns = lists.into_iter().enumerate().map(|(i, (own, list))| {
        let named = alias.as_ref().and_then(|alias| alias.columns.get(i)).map(|column| column.name.clone());
        // A single column is called as its table, if that has a name.
        let own = if single && alias.is_some() { None } else { own.map(ident) };
        (named.or(own).unwrap_or_else(|| given.clone()), list)
    });
    Ok(Some(Rows { columns: columns.collect(), alias: given }))
}

/// Whether an expression takes something from another relation.
fn refers(e: &Expr) -> bool {
    let found = visit_expressions(e, |e| match e {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}

fn unnested(rows: &Rows) -> Vec<SelectItem> {
    let item = |(name, list): &(Ident, Expr)| SelectItem::ExprWithAlias {
        expr: call("unnest", vec![list.clone()]),
        alias: name.clone(),
    };
    rows.columns.iter().map(item).collect()
}

fn alone(rows: &Rows) -> Result<TableFactor, String> {
    let mut select = template()?;
    select.from = vec![];
    select.projection = unnested(rows);
    derived(select, rows.alias.clone())
}

/// A query to fill in.
fn template() -> Result<Select, String> {
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, "SELECT 1 FROM t");
    let Ok(Some(Statement::Query(query))) = parsed.map(|mut all| all.pop()) else {
        return Err("functions in FROM".into());
    };
    match *query.body {
        SetExpr::Select(select) => Ok(*select),
        _ => Err("functions in FROM".into()),
    }
}

fn derived(select: Select, alias: Ident) -> Result<TableFactor, String> {
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, "SELECT 1");
    let Ok(Some(Statement::Query(mut query))) = parsed.map(|mut all| all.pop()) else {
        return Err("functions in FROM".into());
    };
    *query.body = SetExpr::Select(Box::new(select));
    let alias = TableAlias { explicit: true, name: alias, columns: vec![], at: None };
    Ok(TableFactor::Derived { lateral: false, subquery: query, alias: Some(alias), sample: None })
}

/// Unnests within the relation that the function takes its argument from.
fn beside(select: &mut Select, i: usize, j: usize, rows: Rows) -> Result<(), String> {
    let reason = "a function in FROM beside several relations";
    let base = match (i, j) {
        // FROM base, function
        (1, 0) if select.from.len() == 2 && select.from.iter().all(|from| from.joins.is_empty()) => {
            select.from.remove(1);
            select.from.remove(0).relation
        }
        // FROM base CROSS JOIN function
        (0, 1) if select.from.len() == 1 && select.from[0].joins.len() == 1 => {
            let join = &select.from[0].joins[0].join_operator;
            let always = |constraint: &JoinConstraint| match constraint {
                JoinConstraint::None => true,
                JoinConstraint::On(Expr::Value(v)) => v.value == Value::Boolean(true),
                _ => false,
            };
            match join {
                JoinOperator::CrossJoin(_) => {}
                JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) if always(constraint) => {}
                _ => return Err("an outer join with a function".into()),
            }
            select.from.remove(0).relation
        }
        _ => return Err(reason.into()),
    };
    let alias = match &base {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            alias.name.clone()
        }
        TableFactor::Table { name, .. } => {
            name.0.last().and_then(|part| part.as_ident()).cloned().ok_or(reason)?
        }
        _ => return Err(reason.into()),
    };
    let mut inner = template()?;
    let all =
        SelectItemQualifiedWildcardKind::ObjectName(sqlparser::ast::ObjectName::from(vec![alias.clone()]));
    inner.projection = vec![SelectItem::QualifiedWildcard(all, WildcardAdditionalOptions::default())];
    inner.projection.extend(unnested(&rows));
    // No list, no rows; DataFusion would give one.
    let there = rows.columns.first().map(|(_, list)| Expr::IsNotNull(Box::new(list.clone())));
    inner.selection = there;
    inner.from = vec![TableWithJoins { relation: base, joins: vec![] }];
    // What is called by the function's alias is now a column of the base.
    let Rows { alias: own, columns } = rows;
    requalify(select, &own, &alias, &columns);
    select.from = vec![TableWithJoins { relation: derived(inner, alias)?, joins: vec![] }];
    Ok(())
}

fn requalify(select: &mut Select, from: &Ident, to: &Ident, columns: &[(Ident, Expr)]) {
    let same = |a: &Ident, b: &Ident| a.value.eq_ignore_ascii_case(&b.value);
    let mut change = |e: &mut Expr| {
        if let Expr::CompoundIdentifier(parts) = e
            && let [table, column] = parts.as_slice()
            && same(table, from)
            && columns.iter().any(|(name, _)| same(name, column))
        {
            *e = Expr::CompoundIdentifier(vec![to.clone(), column.clone()]);
        }
        ControlFlow::<()>::Continue(())
    };
    let _: ControlFlow<()> = visit_expressions_mut(select, &mut change);
}
