//! Queries that no guard has seen, for tests.

use sqlparser::ast::Statement;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::Checked;

impl Checked {
    /// What somebody vouches for: it is run as it is written, query or not.
    ///
    /// # Panics
    /// Never: the tree of what is no query is that of another one.
    #[expect(clippy::expect_used, reason = "the other one is a query")]
    pub fn trusted(sql: &str) -> Self {
        let tree = |sql: &str| match Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap_or_default().pop() {
            Some(Statement::Query(query)) => Some(query),
            _ => None,
        };
        let query = tree(sql).or_else(|| tree("SELECT 1")).expect("a query");
        Self { sql: sql.to_owned(), query, soft_delete_added: false }
    }
}
