//! A PostgreSQL with the same rows, and its answers in the store's form.

use std::path::Path;

use duru_sql::Record;
use serde_json::{Number, Value};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use crate::pg_cluster::{Server, programs};

pub(crate) struct Postgres {
    client: Client,
    _server: Server,
}

const SCHEMA: &str = "
CREATE TYPE severity AS ENUM ('TRACE','DEBUG','INFO','WARN','ERROR','FATAL');
CREATE TABLE logs (
  id bigint PRIMARY KEY, created_at timestamptz NOT NULL, level severity NOT NULL, log_type text NOT NULL,
  service text NOT NULL, environment text NOT NULL, service_version text NOT NULL, trace_id text, user_id text,
  session_id text, error_type text, message text NOT NULL, stack_trace text, path text, method text,
  action_type text, function_name text, file_path text, duration_ms numeric(10,3),
  deleted boolean NOT NULL DEFAULT false, metadata jsonb)";

/// Says aloud that a test was not run.
pub(crate) fn skip(why: &str) {
    eprintln!("\n*** skipped: {why} ***\n");
}

impl Postgres {
    /// None, said aloud, if there is none here.
    pub(crate) async fn start(folder: &Path) -> Option<Self> {
        if programs().is_none() {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "there is no PostgreSQL 15");
            skip("there is no PostgreSQL 15 in /usr/lib/postgresql");
            return None;
        }
        let server = Server::start(folder);
        let (client, connection) = tokio_postgres::connect(&server.url(), NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("SET timezone = 'Asia/Seoul'").await.unwrap();
        Some(Self { client, _server: server })
    }

    pub(crate) async fn run(&self, sql: &str) {
        self.client.batch_execute(sql).await.unwrap();
    }

    /// Loads the lines by COPY.
    pub(crate) async fn load(&self, lines: &[Record]) {
        use futures_util::SinkExt;
        self.run(SCHEMA).await;
        let sink = self.client.copy_in::<_, &[u8]>("COPY logs FROM STDIN").await.unwrap();
        let mut sink = std::pin::pin!(sink);
        let text: String = lines.iter().map(copy_line).collect();
        let bytes: &'static [u8] = Box::leak(text.into_bytes().into_boxed_slice());
        sink.send(bytes).await.unwrap();
        sink.close().await.unwrap();
    }

    /// Names and rows, or why not.
    pub(crate) async fn ask(&self, sql: &str) -> Result<(Vec<String>, Vec<Vec<Value>>), String> {
        let text = |e: tokio_postgres::Error| match e.as_db_error() {
            Some(e) => e.message().to_owned(),
            None => e.to_string(),
        };
        let statement = self.client.prepare(sql).await.map_err(text)?;
        let columns = statement.columns();
        let names = columns.iter().map(|column| column.name().to_owned()).collect();
        let mut rows = Vec::new();
        for message in self.client.simple_query(sql).await.map_err(text)? {
            if let SimpleQueryMessage::Row(row) = message {
                let value =
                    |i: usize| row.get(i).map_or(Value::Null, |text| as_json(columns[i].type_(), text));
                rows.push((0..columns.len()).map(value).collect());
            }
        }
        Ok((names, rows))
    }
}

fn copy_line(line: &Record) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
    let option = |text: &Option<String>| text.as_deref().map_or("\\N".to_owned(), escape);
    let fields = [
        line.id.unwrap().to_string(),
        line.created_at.to_string(),
        line.level.word().to_owned(),
        line.log_type.word().to_owned(),
        escape(&line.service),
        escape(&line.environment),
        escape(&line.service_version),
        option(&line.trace_id),
        option(&line.user_id),
        option(&line.session_id),
        option(&line.error_type),
        escape(&line.message),
        option(&line.stack_trace),
        option(&line.path),
        option(&line.method),
        option(&line.action_type),
        option(&line.function_name),
        option(&line.file_path),
        line.duration_us.map_or("\\N".to_owned(), |us| format!("{}.{:03}", us / 1000, us % 1000)),
        line.deleted.to_string(),
        line.metadata.as_ref().map_or("\\N".to_owned(), |map| escape(&serde_json::to_string(map).unwrap())),
    ];
    fields.join("\t") + "\n"
}

/// A value's text as the stores' answers have it.
fn as_json(kind: &Type, text: &str) -> Value {
    match *kind {
        Type::INT2 | Type::INT4 | Type::INT8 => text.parse::<i64>().unwrap().into(),
        Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC => match text.parse::<i64>() {
            Ok(whole) => whole.into(),
            Err(_) => Number::from_f64(text.parse().unwrap()).map_or_else(|| text.into(), Value::Number),
        },
        Type::BOOL => (text == "t").into(),
        Type::JSON | Type::JSONB => serde_json::from_str(text).unwrap(),
        Type::TIMESTAMPTZ => {
            let iso = text.replacen(' ', "T", 1);
            // `+09` as `+09:00`
            if iso.len() > 3 && iso[iso.len() - 3..].starts_with(['+', '-']) {
                format!("{iso}:00")
            } else {
                iso
            }
            .into()
        }
        Type::TIMESTAMP => text.replacen(' ', "T", 1).into(),
        Type::TEXT_ARRAY | Type::INT4_ARRAY | Type::INT8_ARRAY => {
            let inner = text.trim_matches(['{', '}']);
            let item = |item: &str| match item {
                "NULL" => Value::Null,
                item if *kind == Type::TEXT_ARRAY => item.trim_matches('"').into(),
                item => item.parse::<i64>().unwrap().into(),
            };
            if inner.is_empty() { Value::Array(vec![]) } else { inner.split(',').map(item).collect() }
        }
        _ => text.into(),
    }
}
