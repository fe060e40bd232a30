//! What answers questions about one version of the lines.

use std::sync::Arc;

use duru_sql::{Answer, Asking, Error, Knowledge};
use jiff::Timestamp;

use crate::disk::Version;
use crate::knowledge::{self, Known};
use crate::query::{Engine, Question};
use crate::table::LogsTable;

/// The engine, and what was learnt last.
pub(crate) struct Reader {
    pub(crate) engine: Engine,
    known: Known,
}

impl Reader {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, known: Known::default() }
    }

    pub(crate) async fn ask(
        &self,
        sql: String,
        version: Arc<Version>,
        asking: &Asking,
        now: Timestamp,
    ) -> Result<Answer, Error> {
        let table = LogsTable::new(version, &asking.timezone);
        let tables = vec![("logs".to_owned(), Arc::new(table) as _)];
        self.engine.ask(Question { sql, tables, now }, asking).await
    }

    pub(crate) async fn knowledge(&self, version: Arc<Version>) -> Result<Arc<Knowledge>, Error> {
        self.known.get(self, version).await
    }

    /// Which of the ids are there, deleted or not.
    pub(crate) async fn taken(&self, version: &Arc<Version>, ids: &[i64]) -> Result<Vec<i64>, Error> {
        knowledge::existing(self, version, ids, true).await
    }

    /// Which of the ids queries see.
    pub(crate) async fn seen(&self, version: &Arc<Version>, ids: &[i64]) -> Result<Vec<i64>, Error> {
        knowledge::existing(self, version, ids, false).await
    }
}
