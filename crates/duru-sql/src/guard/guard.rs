//! The guard itself.

use std::rc::Rc;
use std::sync::Arc;

use sqlparser::ast::{Query, Statement};

use super::clock::Clock;
use super::extra::Extra;
use super::literal::double_quotes;
use super::refusal::{Refusal, Rule};
use super::soft::Prepared;
use super::text;
use super::walk::Walk;
use crate::Catalog;
use crate::catalog::Kind;

/// Checks queries against a catalog.
///
/// ```
/// use duru_sql::{Catalog, guard::{Guard, Rule}};
///
/// let guard = Guard::new(Catalog::logs());
/// let checked = guard.check("SELECT count(*) FROM logs WHERE level = 'ERROR'").unwrap();
/// assert!(checked.soft_delete_added());
/// assert!(checked.sql().contains(r#"FROM "public"."logs" WHERE "deleted" = false) AS "logs""#));
///
/// let refusal = guard.check("SELECT pg_sleep(10) FROM logs").unwrap_err();
/// assert_eq!(refusal.rule, Rule::Function);
/// ```
#[derive(Debug, Clone)]
pub struct Guard {
    catalog: Arc<Catalog>,
    pub(super) tables: Arc<[Prepared]>,
    /// Types of the catalog's columns that PostgreSQL does not bring along.
    pub(super) types: Arc<[String]>,
    pub(super) extra: Extra,
    pub(super) clock: Option<Clock>,
    #[cfg(feature = "testkit")]
    flaw: Option<Flaw>,
}

/// A query that may run. Only the guard makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub(super) sql: String,
    pub(super) query: Box<Query>,
    pub(super) soft_delete_added: bool,
}

impl Checked {
    /// What the tree prints, never what was written.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The tree itself. Its strings hold what they stand for: it prints right only
    /// through [`Checked::sql`], since the grammar's printer does not escape them all.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Whether the query itself did not leave out deleted rows.
    pub fn soft_delete_added(&self) -> bool {
        self.soft_delete_added
    }
}

/// A bug that a test plants, to see that it would be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "testkit"), allow(unreachable_pub, reason = "only tests plant bugs"))]
pub enum Flaw {
    /// A table after JOIN stays as it is, deleted rows and all.
    JoinedAsIs,
    /// Functions that are not on the list may be called in FROM.
    AnyFunctionInFrom,
    /// Tables that are not in the catalog may be asked.
    AnyTable,
}

impl Guard {
    pub fn new(catalog: impl Into<Arc<Catalog>>) -> Self {
        let catalog = catalog.into();
        let tables = catalog.tables.iter().map(Prepared::new).collect();
        let kinds = catalog.tables.iter().flat_map(|table| &table.columns).filter_map(|column| match &column
            .kind
        {
            Kind::Other(name) if !name.starts_with("reg") && !name.starts_with("pg_") => Some(name.clone()),
            _ => None,
        });
        let types = kinds.collect();
        Self {
            catalog,
            tables,
            types,
            extra: Extra::default(),
            clock: None,
            #[cfg(feature = "testkit")]
            flaw: None,
        }
    }

    /// The same guard before other tables.
    #[must_use]
    pub fn with_catalog(&self, catalog: impl Into<Arc<Catalog>>) -> Self {
        let Self { catalog, tables, types, .. } = Self::new(catalog);
        Self { catalog, tables, types, ..self.clone() }
    }

    /// The same guard, with refusals of the user's own.
    #[must_use]
    pub fn with_rules(mut self, extra: Extra) -> Self {
        self.extra = extra;
        self
    }

    /// The same guard, with a clock that stands still: `now()` and its relatives
    /// become constants in the query.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The same guard with a bug, for the tests of its tests.
    #[cfg(feature = "testkit")]
    #[must_use]
    pub fn with_flaw(mut self, flaw: Flaw) -> Self {
        self.flaw = Some(flaw);
        self
    }

    #[cfg(feature = "testkit")]
    pub(super) fn flaw(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    #[cfg(not(feature = "testkit"))]
    pub(super) fn flaw(&self, _: Flaw) -> bool {
        false
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// A table by its name, or by schema and name.
    pub(super) fn table(&self, words: &[String]) -> Option<(usize, &Prepared)> {
        let mut found = self.tables.iter().enumerate().filter(|(_, table)| match words {
            [name] => table.name == *name,
            [schema, name] => table.schema == *schema && table.name == *name,
            _ => false,
        });
        let first = found.next();
        // The same name in two schemas says too little.
        if found.next().is_some() { None } else { first }
    }

    /// The query as it may run, or why it may not.
    ///
    /// # Errors
    /// A [`Refusal`] that names the rule and the place.
    pub fn check(&self, sql: &str) -> Result<Checked, Refusal> {
        let mut query = match text::parse(sql)? {
            Statement::Query(query) => query,
            other => {
                let shown = other.to_string();
                let word = shown.split_whitespace().next().unwrap_or_default();
                return Err(Refusal::new(Rule::NotAQuery, word));
            }
        };
        let mut walk = Walk::new(self);
        let shape = walk.query(&mut query, None, &Rc::default())?;
        walk.result(&shape)?;
        if self.extra.require_limit && query.limit_clause.is_none() && query.fetch.is_none() {
            return Err(Refusal::new(Rule::Extra, "LIMIT"));
        }
        let soft_delete_added = walk.soft_delete_added;
        let sql = print(&query);
        // What is run must be what was checked: read again, it is the same.
        match text::parse(&sql) {
            Ok(Statement::Query(again)) if print(&again) == sql => {}
            _ => return Err(Refusal::new(Rule::Syntax, sql)),
        }
        Ok(Checked { sql, query, soft_delete_added })
    }
}

fn print(query: &Query) -> String {
    let mut query = query.clone();
    double_quotes(&mut query);
    query.to_string()
}
