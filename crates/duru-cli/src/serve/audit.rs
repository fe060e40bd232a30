//! What is written down of a server: who did what, and which SQL ran.

use std::sync::Arc;

use async_trait::async_trait;
use duru_server::{Audit, AuditError, Network, Security};
use duru_sql::guard::Checked;
use duru_sql::{Answer, Asking, Batch, Error, Knowledge, LogStore, Receipt, TableSource};
use jiff::Timestamp;
use serde_json::{Value, json};
use tracing::Instrument as _;

use crate::problem::Problem;
use crate::settings;
use crate::store::{Opened, Place};

/// What a server is to look after, with its audit log beside the store.
pub(super) fn security(opened: &Opened) -> Result<Security, Problem> {
    let listed = |name: &str| -> Vec<String> {
        let given = settings::get(name).unwrap_or_default();
        given.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
    };
    // A server that can't write down who did what does nothing for anybody.
    let audit = Some(written(opened)?);
    // The page asks for a key itself, where one is needed.
    // The page and its views; what they show is asked for with the key.
    let public = ["/assets/", "/favicon.svg", "/c/", "/library", "/remembered"].map(str::to_owned).into();
    let proxies = listed("DURU_PROXIES");
    let proxies =
        proxies.iter().map(|text| text.parse::<Network>()).collect::<Result<_, _>>().map_err(|error| {
            Problem::Setting {
                ko: format!(
                    "DURU_PROXIES: 주소나 10.0.0.0/8 같은 대역을 쉼표로 나누어 쓰세요 (자세히: {error})"
                ),
                en: format!("DURU_PROXIES: addresses, or networks such as 10.0.0.0/8, with commas: {error}"),
            }
        })?;
    Ok(Security { public, origins: listed("DURU_ORIGINS"), hosts: listed("DURU_HOSTS"), proxies, audit })
}

/// Where it is written down who did what: in the database that several servers may share, or in a file beside the store.
pub(crate) fn written(opened: &Opened) -> Result<Audit, Problem> {
    match &opened.place {
        Place::Url(_) | Place::Bucket(_) => Ok(Audit::in_catalog(Arc::clone(&opened.stores.catalog))),
        Place::File(file) => {
            let file = file.with_file_name(FILE);
            Audit::to(&file).map_err(|source| Problem::File { file, source })
        }
    }
}

/// The file, where it is one.
pub(crate) const FILE: &str = "audit.jsonl";

/// Tables whose every query is written down, with who asked, and is a span of the run's trace.
pub(crate) struct Audited<S: ?Sized> {
    pub(crate) tables: Arc<S>,
    /// The one table, where there is only one.
    pub(crate) name: Option<&'static str>,
    pub(crate) audit: Option<Audit>,
}

impl<S: ?Sized> Audited<S> {
    /// What can't be written down is not done.
    async fn ready(&self) -> Result<(), Error> {
        match &self.audit {
            Some(audit) => audit.ready().await.map_err(unwritten),
            None => Ok(()),
        }
    }

    async fn note(&self, what: Value) -> Result<(), Error> {
        match &self.audit {
            Some(audit) => audit.note(what).await.map_err(unwritten),
            None => Ok(()),
        }
    }
}

fn unwritten(error: AuditError) -> Error {
    Error::Unavailable { reason: error.to_string() }
}

#[async_trait]
impl<S: TableSource + ?Sized> TableSource for Audited<S> {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        let span = tracing::info_span!(
            "query",
            otel.name = %format_args!("query {}", self.name.unwrap_or("tables")),
            otel.kind = "client",
            db.operation.name = "SELECT",
            db.collection.name = self.name,
            // A query holds what people asked for.
            db.query.text = duru_telemetry::shows_content().then(|| query.sql()),
            db.response.returned_rows = tracing::field::Empty,
            error.type = tracing::field::Empty,
        );
        self.ready().await?;
        let answer = self.tables.query(query, asking).instrument(span.clone()).await;
        let (rows, ms) = match &answer {
            Ok(answer) => (Some(answer.rows.len()), u64::try_from(answer.took.as_millis()).ok()),
            Err(_) => (None, None),
        };
        span.record("db.response.returned_rows", rows);
        if answer.is_err() {
            span.record("error.type", "query_failed");
        }
        let (sql, ok) = (query.sql(), answer.is_ok());
        let what = json!({ "kind": "sql", "who": asking.who, "sql": sql, "rows": rows, "ms": ms, "ok": ok });
        self.note(what).await?;
        answer
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        self.tables.knowledge().await
    }

    async fn version(&self) -> Result<String, Error> {
        self.tables.version().await
    }
}

#[async_trait]
impl<S: LogStore + ?Sized> LogStore for Audited<S> {
    async fn append(&self, batch: Batch) -> Result<Receipt, Error> {
        self.tables.append(batch).await
    }

    async fn delete(&self, ids: &[i64]) -> Result<u64, Error> {
        self.note(json!({ "kind": "logs_deleted", "ids": ids.len() })).await?;
        self.tables.delete(ids).await
    }

    async fn drop_before(&self, before: Timestamp, most: u64) -> Result<u64, Error> {
        self.ready().await?;
        let dropped = self.tables.drop_before(before, most).await?;
        if dropped > 0 {
            let what = json!({ "kind": "logs_dropped", "before": before.to_string(), "lines": dropped });
            self.note(what).await?;
        }
        Ok(dropped)
    }

    async fn count_before(&self, before: Timestamp) -> Result<u64, Error> {
        self.tables.count_before(before).await
    }

    async fn settle(&self) -> Result<(), Error> {
        self.tables.settle().await
    }
}
