//! Log lines for one replica each: sent with a key, to the same replica again until it has taken them, and counted in
//! the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::nodes::Cluster;
use crate::client::Client;

/// How many lines a batch has.
const LINES: u64 = 25;
/// How long nobody may take anything before that counts as stuck.
const STUCK: Duration = Duration::from_secs(240);
/// A question that is not answered by then is asked again.
const ANSWER: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(200);

/// What one replica was sent, and has acknowledged.
#[derive(Debug, Default)]
pub(super) struct Sent {
    service: String,
    batches: u64,
    again: u64,
    /// Why it gave up a batch, which may have been kept all the same.
    stuck: Option<String>,
}

/// What came of the lines of all.
#[derive(Debug, Default)]
pub(crate) struct LogReport {
    pub(crate) batches: u64,
    pub(crate) lines: u64,
    /// Requests that were sent again.
    pub(crate) again: u64,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    pub(crate) stuck: u64,
    pub(crate) wrong: Vec<String>,
}

/// Sends until it is told to stop.
pub(super) async fn send(client: Client, number: usize, stop: Arc<AtomicBool>) -> Sent {
    let mut sent = Sent { service: format!("soak-{number}"), ..Sent::default() };
    while !stop.load(Ordering::SeqCst) {
        let (service, batch) = (&sent.service, sent.batches);
        let line = |n: u64| {
            let message = format!("{service}: batch {batch}, line {n}");
            json!({ "timestamp": "2026-03-18T14:30:00+09:00", "message": message, "service": service })
        };
        let body = (0..LINES).map(line).collect::<Value>().to_string();
        let headers = format!("application/json\r\nidempotency-key: {service}-{batch}");
        let give_up = Instant::now() + STUCK;
        loop {
            match timeout(ANSWER, client.raw("POST", "/logs/ingest", &headers, Some(&body))).await {
                Ok(Ok(answer)) if answer.status == 200 => break,
                other if Instant::now() > give_up => {
                    sent.stuck = Some(format!("{service}-{batch} is not taken: {other:?}"));
                    return sent;
                }
                _ => {}
            }
            sent.again += 1;
            tokio::time::sleep(PAUSE).await;
        }
        sent.batches += 1;
        tokio::time::sleep(PAUSE).await;
    }
    sent
}

impl LogReport {
    /// Asks for all lines, and compares.
    pub(super) fn of(cluster: &Cluster, sent: Vec<Sent>) -> Result<Self> {
        let mut report = Self::default();
        let found = cluster.duru(&[
            "ask",
            "--run",
            "SELECT service, count(*) AS n, count(DISTINCT message) AS d FROM logs WHERE deleted = FALSE GROUP BY service",
        ])?;
        let rows = found["results"].as_array().with_context(|| format!("no rows: {found}"))?;
        for sent in sent {
            let unknown = if sent.stuck.is_some() { LINES } else { 0 };
            report.stuck += u64::from(sent.stuck.is_some());
            report.wrong.extend(sent.stuck);
            let expected = sent.batches * LINES;
            report.batches += sent.batches;
            report.lines += expected;
            report.again += sent.again;
            let row = rows.iter().find(|row| row["service"] == sent.service.as_str());
            let number = |name: &str| row.and_then(|row| row[name].as_u64()).unwrap_or(0);
            let (all, distinct) = (number("n"), number("d"));
            report.lost += expected.saturating_sub(distinct);
            report.doubled += all - distinct;
            if distinct > expected + unknown {
                report.wrong.push(format!("{}: {distinct} lines of {expected}", sent.service));
            }
        }
        Ok(report)
    }

    pub(crate) fn is_well(&self) -> bool {
        self.lost + self.doubled + self.stuck == 0 && self.wrong.is_empty() && self.lines > 0
    }
}
