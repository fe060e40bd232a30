//! Refusals of the user's own, by configuration.

use serde::{Deserialize, Serialize};

/// What an installation forbids beyond the guard's own rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Extra {
    pub no_union: bool,
    /// Neither UNION nor INTERSECT nor EXCEPT.
    pub no_set_operations: bool,
    /// No WITH RECURSIVE.
    pub no_recursion: bool,
    /// Tables that may not be asked, `name` or `schema.name`.
    pub no_tables: Vec<String>,
    pub no_functions: Vec<String>,
    /// The largest LIMIT, of the whole query and of parts of it.
    pub max_limit: Option<u64>,
    /// Whether the whole query must have a LIMIT.
    pub require_limit: bool,
    /// References to tables, subqueries and functions in FROM.
    pub max_tables: Option<usize>,
}
