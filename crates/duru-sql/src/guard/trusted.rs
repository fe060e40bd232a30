//! For tests only.

impl super::Checked {
    /// A query that no guard has seen: for tests of the stores.
    pub fn trusted(sql: impl Into<String>) -> Self {
        Self { sql: sql.into(), soft_delete_added: false }
    }
}
