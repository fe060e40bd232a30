//! Databases and lines for the tests.

use std::sync::atomic::{AtomicU64, Ordering};

use duru_sql::postgres::{Options, PostgresLogs};
use duru_sql::{Asking, Batch, Level, Limits, LogStore, LogType, Record};
use serde_json::json;
use tokio_postgres::{Client, NoTls};
use tokio_util::sync::CancellationToken;

use crate::pg_server;

static DATABASES: AtomicU64 = AtomicU64::new(0);

/// A database of its own on the shared server.
pub(crate) struct Database {
    pub(crate) url: String,
    pub(crate) name: String,
}

impl Database {
    /// None if there is no PostgreSQL here, which is said aloud.
    pub(crate) async fn new() -> Option<Self> {
        let server = pg_server::shared()?;
        let name = format!("logs_{}_{}", std::process::id(), DATABASES.fetch_add(1, Ordering::Relaxed));
        client(&server.url).await.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        let url = server.url.replace("/postgres", &format!("/{name}"));
        Some(Self { url, name })
    }

    /// The same, for another user.
    pub(crate) fn url_of(&self, user: &str) -> String {
        self.url.replace("//duru@", &format!("//{user}@"))
    }

    pub(crate) async fn client(&self) -> Client {
        client(&self.url).await
    }

    pub(crate) async fn logs(&self) -> PostgresLogs {
        PostgresLogs::connect(&self.url).await.unwrap()
    }

    pub(crate) async fn logs_with(&self, options: Options) -> PostgresLogs {
        PostgresLogs::connect_with(&self.url, options).await.unwrap()
    }
}

pub(crate) async fn client(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

pub(crate) fn asking() -> Asking {
    Asking {
        timezone: "Asia/Seoul".into(),
        limits: Limits::default(),
        cancel: CancellationToken::new(),
        who: None,
    }
}

pub(crate) fn record(service: &str, level: Level, message: &str) -> Record {
    Record {
        id: None,
        created_at: "2026-03-18T05:30:00.123456Z".parse().unwrap(),
        level,
        log_type: LogType::Backend,
        service: service.into(),
        environment: "production".into(),
        service_version: "v1".into(),
        trace_id: None,
        user_id: None,
        session_id: None,
        error_type: None,
        message: message.into(),
        stack_trace: None,
        path: None,
        method: None,
        action_type: None,
        function_name: None,
        file_path: None,
        duration_us: Some(1_500),
        deleted: false,
        metadata: json!({"status_code": 200}).as_object().cloned(),
    }
}

pub(crate) async fn fill(logs: &PostgresLogs, records: Vec<Record>) {
    logs.append(Batch { key: None, records }).await.unwrap();
}
