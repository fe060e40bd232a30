//! Fair comparison where ORDER BY leaves open which rows come first, or are cut by LIMIT.

use serde_json::Value;
use sqlparser::ast::{Expr, LimitClause, OrderByKind, Query, SelectItem, SetExpr, Statement};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use crate::differential::same_rows;

/// A query with what it orders by among its columns.
pub(crate) struct Sorted {
    pub(crate) limited: String,
    /// The same without LIMIT and OFFSET.
    pub(crate) whole: String,
    /// The columns of the order.
    pub(crate) keys: Vec<usize>,
}

impl Sorted {
    /// None if there is no ORDER BY, or one whose values can't be shown.
    pub(crate) fn of(sql: &str) -> Option<Self> {
        let mut statements = Parser::parse_sql(&PostgreSqlDialect {}, sql).ok()?;
        let Some(Statement::Query(mut query)) = statements.pop() else { return None };
        let keys = shown_keys(&mut query)?;
        let limited = query.to_string();
        query.limit_clause = None::<LimitClause>;
        query.fetch = None;
        Some(Self { limited, whole: query.to_string(), keys })
    }
}

fn shown_keys(query: &mut Query) -> Option<Vec<usize>> {
    let OrderByKind::Expressions(by) = &query.order_by.as_ref()?.kind else { return None };
    let SetExpr::Select(select) = query.body.as_mut() else { return None };
    let mut keys = Vec::new();
    for (i, by) in by.iter().enumerate() {
        let number = by.expr.to_string().parse::<usize>().ok();
        let shown = number.map(|n| n - 1).or_else(|| {
            select.projection.iter().position(|item| match (item, &by.expr) {
                (SelectItem::ExprWithAlias { alias, .. }, Expr::Identifier(name)) => {
                    alias.value == name.value
                }
                (SelectItem::UnnamedExpr(e), by) => e == by,
                _ => false,
            })
        });
        // Stars stand for any number of columns.
        if select
            .projection
            .iter()
            .any(|item| !matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. }))
        {
            return None;
        }
        match shown {
            Some(shown) => keys.push(shown),
            None if select.distinct.is_some() => return None,
            None => {
                keys.push(select.projection.len());
                let alias = sqlparser::ast::Ident::new(format!("sort_key_{i}"));
                select.projection.push(SelectItem::ExprWithAlias { expr: by.expr.clone(), alias });
            }
        }
    }
    Some(keys)
}

/// Whether both are answers to one query: the same keys in the same order, and every
/// row found is one of those there are.
pub(crate) fn tied(
    expected: &[Vec<Value>],
    found: &[Vec<Value>],
    among: &[Vec<Value>],
    keys: &[usize],
) -> bool {
    let shown = |rows: &[Vec<Value>]| -> Vec<Vec<Value>> {
        rows.iter().map(|row| keys.iter().map(|&key| row[key].clone()).collect()).collect()
    };
    let mut left = among.to_vec();
    same_rows(&shown(expected), &shown(found))
        && found.iter().all(|row| {
            let place = left
                .iter()
                .position(|other| same_rows(std::slice::from_ref(other), std::slice::from_ref(row)));
            place.map(|place| left.swap_remove(place)).is_some()
        })
}

#[test]
fn ties_are_fair_and_nothing_else_is() {
    let Sorted { limited, whole, keys } =
        Sorted::of("SELECT service, count(*) AS n FROM logs GROUP BY 1 ORDER BY n DESC, max(id) LIMIT 2")
            .unwrap();
    assert_eq!(keys, [1, 2]);
    assert!(
        limited.ends_with("LIMIT 2") && !whole.contains("LIMIT") && whole.contains("max(id) AS sort_key_1")
    );
    let row = |name: &str, n: i64| vec![Value::from(name), Value::from(n)];
    let among = [row("a", 3), row("b", 2), row("c", 2), row("d", 1)];
    let expected = [row("a", 3), row("b", 2)];
    assert!(tied(&expected, &[row("a", 3), row("c", 2)], &among, &[1]));
    assert!(!tied(&expected, &[row("a", 3), row("d", 1)], &among, &[1]));
    assert!(!tied(&expected, &[row("a", 3), row("x", 2)], &among, &[1]));
    assert!(!tied(&expected, &[row("a", 3)], &among, &[1]));
}
