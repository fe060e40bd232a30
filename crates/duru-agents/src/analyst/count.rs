//! How many rows there are where not all are shown.

use duru_sql::Asking;
use sqlparser::ast::{Expr, LimitClause, Query, Statement, Value};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::state::Analysis;
use super::toolbox::Toolbox;

/// The exact number of rows of a query, by a count that the guard has passed
/// too; none if it can't be had in time.
pub(super) async fn all(s: &Analysis, tools: &Toolbox, asking: &Asking) -> Option<u64> {
    let counting = counting(s.generated_sql.as_deref()?, s.max_results)?;
    let counting = tools.check(&counting, s).ok()?;
    let answer = tools.logs.query(&counting, asking).await.ok()?;
    answer.rows.first()?.first()?.as_u64()
}

/// A query that counts the rows of another. A limit that only says how many are
/// shown is left out; one that the question set is part of it.
fn counting(sql: &str, shown: u32) -> Option<String> {
    let mut statements = Parser::parse_sql(&PostgreSqlDialect {}, sql).ok()?;
    let Some(Statement::Query(mut query)) = statements.pop() else { return None };
    if limit(&query) == Some(u64::from(shown)) {
        query.limit_clause = None;
        query.order_by = None;
    }
    statements.is_empty().then(|| format!("SELECT count(*) AS count FROM ({query}) AS counted"))
}

fn limit(query: &Query) -> Option<u64> {
    let Some(LimitClause::LimitOffset { limit: Some(Expr::Value(value)), offset: None, .. }) =
        &query.limit_clause
    else {
        return None;
    };
    match &value.value {
        Value::Number(number, _) => number.to_string().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_limit_of_what_is_shown_is_left_out() {
        let count = |sql: &str| counting(sql, 100).unwrap();
        assert_eq!(
            count("SELECT id FROM logs ORDER BY id LIMIT 100"),
            "SELECT count(*) AS count FROM (SELECT id FROM logs) AS counted"
        );
        assert_eq!(
            count("SELECT id FROM logs LIMIT 5"),
            "SELECT count(*) AS count FROM (SELECT id FROM logs LIMIT 5) AS counted"
        );
        assert_eq!(counting("SELECT 1; SELECT 2", 100), None);
    }
}
