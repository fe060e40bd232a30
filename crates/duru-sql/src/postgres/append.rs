//! Keeping lines: one COPY per batch, and its key in the same transaction.

use bytes::{BufMut as _, Bytes, BytesMut};
use duru_postgres::Pool;
use futures_util::SinkExt as _;
use jiff::Timestamp;
use serde_json::Value;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::names::{quoted, table};
use super::{connection, failure};
use crate::Record;
use crate::store::{Batch, Error, Receipt};

/// So much is sent at once.
const PIECE: usize = 64 << 10;

/// How often a batch with a key is sent again when its connection is lost.
const ATTEMPTS: usize = 3;

/// "ids": held while the sequence is moved.
const LOCK: i64 = 0x69_6473;

const COLUMNS: &str = "created_at, level, log_type, service, environment, service_version, trace_id, \
     user_id, session_id, error_type, message, stack_trace, path, method, action_type, function_name, \
     file_path, duration_ms, deleted, metadata";

/// Of lines from before a time, in microseconds since 1970.
const BEFORE: &str = "created_at < to_timestamp($1 / 1000000.0)";

pub(super) struct Writer {
    logs: String,
    batches: String,
    sequence: String,
}

impl Writer {
    pub(super) fn new(logs: &str, own: &str) -> Self {
        Self {
            logs: table(logs, "logs"),
            batches: table(own, "batches"),
            sequence: format!("{}.logs_id_seq", quoted(logs)),
        }
    }

    pub(super) async fn append(&self, pool: &Pool, batch: &Batch) -> Result<Receipt, Error> {
        let mut attempts = ATTEMPTS;
        loop {
            let lease = connection::lease(pool).await?;
            match self.transaction(lease.client(), batch).await {
                Ok(receipt) => {
                    lease.give_back();
                    return Ok(receipt);
                }
                Err(error) => {
                    attempts -= 1;
                    // Whether a commit whose answer is lost was done, only the key can tell.
                    if batch.key.is_none() || attempts == 0 || !failure::is_lost(&error) {
                        return Err(failure::of(&error));
                    }
                }
            }
        }
    }

    async fn transaction(&self, client: &Client, batch: &Batch) -> Result<Receipt, tokio_postgres::Error> {
        // Acknowledged is durable, whatever the server's default is.
        client
            .batch_execute("BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '60s'")
            .await?;
        let kept = batch.records.len() as i64;
        if let Some(key) = &batch.key {
            let sql =
                format!("INSERT INTO {} (key, kept) VALUES ($1, $2) ON CONFLICT DO NOTHING", self.batches);
            let new = client.execute_typed(&sql, &[(key, Type::TEXT), (&kept, Type::INT8)]).await?;
            if new == 0 {
                let sql = format!("SELECT kept FROM {} WHERE key = $1", self.batches);
                let rows = client.query_typed(&sql, &[(key, Type::TEXT)]).await?;
                let kept: i64 = rows.first().map_or(Ok(0), |row| row.try_get(0))?;
                client.batch_execute("ROLLBACK").await?;
                return Ok(Receipt { kept: kept.unsigned_abs(), again: true });
            }
        }
        let (named, unnamed): (Vec<&Record>, Vec<&Record>) =
            batch.records.iter().partition(|record| record.id.is_some());
        if !unnamed.is_empty() {
            copy(client, &format!("COPY {} ({COLUMNS}) FROM STDIN", self.logs), &unnamed).await?;
        }
        if let Some(highest) = named.iter().filter_map(|record| record.id).max() {
            copy(client, &format!("COPY {} (id, {COLUMNS}) FROM STDIN", self.logs), &named).await?;
            // Ids that lines brought are never given again. One at a time: two
            // who compare and set at once could set it back.
            let sql = format!(
                "SELECT pg_advisory_xact_lock({LOCK}); \
                 SELECT setval('{}', {highest}) FROM {} WHERE last_value <= {highest}",
                self.sequence.replace('\'', "''"),
                self.sequence
            );
            client.batch_execute(&sql).await?;
        }
        client.batch_execute("COMMIT").await?;
        Ok(Receipt { kept: kept.unsigned_abs(), again: false })
    }

    /// How many of these lines were not deleted yet.
    pub(super) async fn delete(&self, pool: &Pool, ids: &[i64]) -> Result<u64, Error> {
        let lease = connection::lease(pool).await?;
        let sql = format!("UPDATE {} SET deleted = TRUE WHERE id = ANY($1) AND deleted = FALSE", self.logs);
        let done = lease.client().execute_typed(&sql, &[(&ids, Type::INT8_ARRAY)]).await;
        if done.is_ok() {
            lease.give_back();
        }
        done.map_err(|e| failure::of(&e))
    }

    /// The oldest lines from before a time.
    pub(super) async fn drop_before(&self, pool: &Pool, before: Timestamp, most: u64) -> Result<u64, Error> {
        let lease = connection::lease(pool).await?;
        let sql = format!(
            "DELETE FROM {0} WHERE id IN (SELECT id FROM {0} WHERE {BEFORE} ORDER BY created_at LIMIT $2)",
            self.logs
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let values: &[(&(dyn ToSql + Sync), Type)] =
            &[(&before.as_microsecond(), Type::INT8), (&most, Type::INT8)];
        let done = lease.client().execute_typed(&sql, values).await;
        if done.is_ok() {
            lease.give_back();
        }
        done.map_err(|e| failure::of(&e))
    }

    /// How many lines are from before a time.
    pub(super) async fn count_before(&self, pool: &Pool, before: Timestamp) -> Result<u64, Error> {
        let lease = connection::lease(pool).await?;
        let sql = format!("SELECT count(*) FROM {} WHERE {BEFORE}", self.logs);
        let values: &[(&(dyn ToSql + Sync), Type)] = &[(&before.as_microsecond(), Type::INT8)];
        let rows = lease.client().query_typed(&sql, values).await.map_err(|e| failure::of(&e))?;
        lease.give_back();
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    }
}

async fn copy(client: &Client, sql: &str, records: &[&Record]) -> Result<(), tokio_postgres::Error> {
    let sink = client.copy_in::<_, Bytes>(sql).await?;
    tokio::pin!(sink);
    let mut piece = BytesMut::with_capacity(PIECE + 4096);
    for record in records {
        line(&mut piece, record);
        if piece.len() >= PIECE {
            sink.feed(piece.split().freeze()).await?;
        }
    }
    if !piece.is_empty() {
        sink.feed(piece.freeze()).await?;
    }
    sink.finish().await?;
    Ok(())
}

/// One line of COPY's text format.
fn line(out: &mut BytesMut, record: &Record) {
    if let Some(id) = record.id {
        put(out, &id.to_string());
        out.put_u8(b'\t');
    }
    // Both stores keep microseconds.
    let at =
        jiff::Timestamp::from_microsecond(record.created_at.as_microsecond()).unwrap_or(record.created_at);
    put(out, &at.to_string());
    let words = [
        record.level.word(),
        record.log_type.word(),
        &record.service,
        &record.environment,
        &record.service_version,
    ];
    for word in words {
        field(out, Some(word));
    }
    field(out, record.trace_id.as_deref());
    field(out, record.user_id.as_deref());
    field(out, record.session_id.as_deref());
    field(out, record.error_type.as_deref());
    field(out, Some(&record.message));
    let rest = [
        &record.stack_trace,
        &record.path,
        &record.method,
        &record.action_type,
        &record.function_name,
        &record.file_path,
    ];
    for text in rest {
        field(out, text.as_deref());
    }
    let duration = record.duration_us.map(milliseconds);
    field(out, duration.as_deref());
    field(out, Some(if record.deleted { "t" } else { "f" }));
    let metadata = record.metadata.as_ref().map(json);
    field(out, metadata.as_deref());
    out.put_u8(b'\n');
}

/// Thousandths of milliseconds as milliseconds.
fn milliseconds(us: i64) -> String {
    let sign = if us < 0 { "-" } else { "" };
    let us = us.unsigned_abs();
    format!("{sign}{}.{:03}", us / 1000, us % 1000)
}

/// PostgreSQL takes no NUL character, neither in a text nor in JSON.
fn json(metadata: &serde_json::Map<String, Value>) -> String {
    let text = serde_json::to_string(metadata).unwrap_or_default();
    if !text.contains("\\u0000") {
        return text;
    }
    Value::Object(without_nul(metadata)).to_string()
}

fn without_nul(map: &serde_json::Map<String, Value>) -> serde_json::Map<String, Value> {
    fn clean(value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(text.replace('\0', "\u{fffd}")),
            Value::Array(items) => items.iter().map(clean).collect(),
            Value::Object(map) => Value::Object(without_nul(map)),
            other => other.clone(),
        }
    }
    map.iter().map(|(name, value)| (name.replace('\0', "\u{fffd}"), clean(value))).collect()
}

fn field(out: &mut BytesMut, text: Option<&str>) {
    out.put_u8(b'\t');
    match text {
        Some(text) => put(out, text),
        None => out.put_slice(b"\\N"),
    }
}

/// Escaped as COPY wants it.
fn put(out: &mut BytesMut, text: &str) {
    let special = |byte: &u8| matches!(byte, b'\\' | b'\n' | b'\r' | b'\t' | 0);
    if !text.as_bytes().iter().any(special) {
        out.put_slice(text.as_bytes());
        return;
    }
    for byte in text.bytes() {
        match byte {
            b'\\' => out.put_slice(b"\\\\"),
            b'\n' => out.put_slice(b"\\n"),
            b'\r' => out.put_slice(b"\\r"),
            b'\t' => out.put_slice(b"\\t"),
            0 => out.put_slice("\u{fffd}".as_bytes()),
            other => out.put_u8(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let mut out = BytesMut::new();
        put(&mut out, "a\tb\\N\r\nc\0");
        assert_eq!(out, "a\\tb\\\\N\\r\\nc\u{fffd}".as_bytes());
    }

    #[test]
    fn durations_keep_three_digits() {
        assert_eq!(milliseconds(1_002_003), "1002.003");
        assert_eq!(milliseconds(-5), "-0.005");
    }
}
