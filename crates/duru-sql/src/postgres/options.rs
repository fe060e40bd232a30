//! How to use a database.

use std::time::Duration;

use super::foreign::Foreign;

#[derive(Debug, Clone)]
pub struct Options {
    /// The schema of the table `logs`; none: this
    /// database holds only tables of others, and keeps no lines.
    pub logs: Option<String>,
    /// Whether what the lines need is made where it is missing; if not, that is an error, and nothing is changed.
    pub make: bool,
    /// The schema of what the store needs for itself.
    pub own: String,
    /// Other tables and views that may be asked.
    pub tables: Vec<Foreign>,
    /// As whom queries run.
    pub reader: Reader,
    /// A query whose estimated cost is higher is not run. The unit is the planner's: reading
    /// a page in order costs 1, and a table of ten million lines about a million.
    pub most_cost: u64,
    /// The most connections for queries, and the most for everything else.
    pub max_connections: usize,
    pub connect_timeout: Duration,
    /// How long a caller waits while all connections are in use.
    pub wait_timeout: Duration,
    /// How long knowledge of values and newest rows may lag behind the data.
    pub knowledge_age: Duration,
}

/// As whom queries run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reader {
    /// As the role `duru_reader` if there is one that we may become, else as ourselves.
    #[default]
    Auto,
    /// As this role, which must exist, and which we must be allowed to become.
    Role(String),
    /// Over connections of their own.
    Url(String),
}

impl Reader {
    /// The role that is made by hardening unless another name is given.
    pub const ROLE: &'static str = "duru_reader";
}

impl Default for Options {
    fn default() -> Self {
        Self {
            logs: Some("public".to_owned()),
            make: true,
            own: "duru_logs".to_owned(),
            tables: Vec::new(),
            reader: Reader::Auto,
            most_cost: 20_000_000,
            max_connections: 8,
            connect_timeout: Duration::from_secs(5),
            wait_timeout: Duration::from_secs(30),
            knowledge_age: Duration::from_secs(60),
        }
    }
}
