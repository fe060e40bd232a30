//! Queries that no guard has seen, for tests.

use sqlparser::ast::Statement;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::Checked;

impl Checked {
    /// A query that somebody vouches for: it is run as it is written.
    ///
    /// # Panics
    /// If it is no query.
    #[expect(clippy::panic, reason = "only tests write such queries")]
    pub fn trusted(sql: &str) -> Self {
        let mut statements = Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap_or_default();
        let Some(Statement::Query(query)) = statements.pop() else { panic!("no query: {sql}") };
        Self { sql: sql.to_owned(), query, soft_delete_added: false }
    }
}
