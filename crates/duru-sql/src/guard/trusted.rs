//! Queries that no guard has seen, for tests.

use super::Checked;

impl Checked {
    /// A query that somebody vouches for.
    pub fn trusted(sql: &str) -> Self {
        Self { sql: sql.to_owned(), soft_delete_added: false }
    }
}
