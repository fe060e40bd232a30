//! The end of a statement, put together from what is asked for and nothing
//! else, so that the server plans it for that.

use tokio_postgres::types::{ToSql, Type};

use super::connection::Value;

/// Clauses and their values.
#[derive(Default)]
pub(super) struct Clauses<'a> {
    pub(super) text: String,
    pub(super) values: Vec<Value<'a>>,
}

impl<'a> Clauses<'a> {
    /// Adds a value; gives what stands for it.
    pub(super) fn value(&mut self, value: &'a (dyn ToSql + Sync), of: Type) -> String {
        self.values.push((value, of));
        format!("${}", self.values.len())
    }

    /// Adds a clause, in which `?` stands for the value.
    pub(super) fn add(&mut self, clause: &str, value: &'a (dyn ToSql + Sync), of: Type) {
        let name = self.value(value, of);
        self.text.push(' ');
        self.text.push_str(&clause.replace('?', &name));
    }
}
