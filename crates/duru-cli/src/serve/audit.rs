//! What is written down of a server: who did what, and which SQL ran.

use std::sync::Arc;

use async_trait::async_trait;
use duru_server::{Audit, Security};
use duru_sql::guard::Checked;
use duru_sql::{Answer, Asking, Batch, Error, Knowledge, LogStore, Receipt};
use jiff::Timestamp;
use serde_json::json;

use crate::output::Output;
use crate::settings;
use crate::store::{self, Place};

/// What a server is to look after, with its audit log beside the store.
pub(super) fn security(place: &Place, output: &Output) -> Security {
    let listed = |name: &str| -> Vec<String> {
        let given = settings::get(name).unwrap_or_default();
        given.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
    };
    let audit = store::file_beside(place).ok().map(|file| file.with_file_name("audit.jsonl"));
    let audit = audit.and_then(|file| match Audit::to(&file) {
        Ok(audit) => Some(audit),
        Err(error) => {
            let file = file.display();
            output.complain(&output.lang.pick(
                format!("감사 기록을 쓸 수 없습니다: {file}: {error}"),
                format!("there is no audit log: {file}: {error}"),
            ));
            None
        }
    });
    // The page asks for a key itself, where one is needed.
    let public = ["/assets/", "/favicon.svg"].map(str::to_owned).into();
    Security { public, origins: listed("DURU_ORIGINS"), hosts: listed("DURU_HOSTS"), audit }
}

/// A log store whose every query is written down.
pub(crate) struct Audited {
    pub(crate) logs: Arc<dyn LogStore>,
    pub(crate) audit: Audit,
}

#[async_trait]
impl LogStore for Audited {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        let answer = self.logs.query(query, asking).await;
        let (rows, ms) = match &answer {
            Ok(answer) => (Some(answer.rows.len()), u64::try_from(answer.took.as_millis()).ok()),
            Err(_) => (None, None),
        };
        self.audit
            .note(json!({ "kind": "sql", "sql": query.sql(), "rows": rows, "ms": ms, "ok": answer.is_ok() }));
        answer
    }

    async fn append(&self, batch: Batch) -> Result<Receipt, Error> {
        self.logs.append(batch).await
    }

    async fn delete(&self, ids: &[i64]) -> Result<u64, Error> {
        self.audit.note(json!({ "kind": "logs_deleted", "ids": ids.len() }));
        self.logs.delete(ids).await
    }

    async fn drop_before(&self, before: Timestamp, most: u64) -> Result<u64, Error> {
        let dropped = self.logs.drop_before(before, most).await?;
        if dropped > 0 {
            self.audit
                .note(json!({ "kind": "logs_dropped", "before": before.to_string(), "lines": dropped }));
        }
        Ok(dropped)
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        self.logs.knowledge().await
    }

    async fn version(&self) -> Result<String, Error> {
        self.logs.version().await
    }
}
