//! A closed loop: so many clients, each of which asks for a run, waits for what came of it, and asks again.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;
use tokio::task::JoinSet;

use super::http::{Connection, address, find, get, post};
use super::server::Server;
use super::{on_one_thread, quantile};
use crate::args::Args;
use crate::measure::{Watch, micros};
use crate::report::{PIECES, Report, round};

/// What the graph `three` makes of `{"x":1}`, in both orders in which it may be written.
const RIGHT: [&[u8]; 2] = [br#"{"x":4,"log":["a","b","c"]}"#, br#"{"log":["a","b","c"],"x":4}"#];

/// What is asked, by whom, and what an answer must be like.
pub(super) struct Load {
    pub(super) bench: &'static str,
    pub(super) clients: usize,
    pub(super) window: Duration,
    pub(super) server: Server,
    pub(super) address: String,
    /// Sent in turn, whoever's turn it is.
    pub(super) requests: Arc<[Vec<u8>]>,
    /// How many were sent.
    pub(super) turn: Arc<AtomicUsize>,
    pub(super) check: fn(&[u8]) -> Result<()>,
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    // Where the server keeps its threads, and whether it is guarded and tells of itself, is in the line, for people.
    args.text("store", "memory");
    let is_traced = ["traced", "every-trace"].contains(&args.text("guard", "off"));
    let key = args.text("key", "").to_owned();
    let address = address(args.text("url", ""))?.to_owned();
    let body = r#"{"assistant_id":"three","input":{"x":1}}"#;
    let load = Load {
        bench: "load-wait",
        clients: args.get("clients", 16)?,
        window: Duration::from_millis(args.get("window", 5000)?),
        server: Server::of(args.get("pid", 0)?),
        requests: vec![post(&address, "/runs/wait", &key, body)].into(),
        address: address.clone(),
        turn: Arc::default(),
        check,
    };
    on_one_thread(async move {
        let mut report = measure(load).await?;
        if is_traced {
            report.extra.extend(spans(&address, &key).await?);
        }
        Ok(report)
    })
}

/// What became of the spans that the server made.
async fn spans(address: &str, key: &str) -> Result<Vec<(&'static str, serde_json::Value)>> {
    let mut connection = Connection::open(address).await?;
    let answer = String::from_utf8_lossy(connection.ask(&get(address, "/metrics", key)).await?).into_owned();
    let count = |became: &str| -> Result<u64> {
        let start = format!("duru_spans_total{{became=\"{became}\"}} ");
        let line = answer.lines().find_map(|line| line.strip_prefix(&start));
        line.context("the server tells nobody of itself")?.trim().parse().context("no number of spans")
    };
    Ok(vec![
        ("spans_sent", json!(count("sent")?)),
        ("spans_dropped", json!(count("dropped")?)),
        ("spans_failed", json!(count("failed")?)),
    ])
}

pub(super) async fn measure(load: Load) -> Result<Report> {
    let mut connections = Vec::with_capacity(load.clients);
    for _ in 0..load.clients {
        connections.push(Connection::open(&load.address).await?);
    }
    // Caches fill and pools open before anything is counted.
    let warm_up = (load.window / 4).min(Duration::from_secs(2));
    let (warm, mut connections) = round_of(connections, &load, warm_up).await?;

    let (cpu, own) = (load.server.cpu_s()?, Watch::start());
    let (mut latencies, kept) = round_of(std::mem::take(&mut connections), &load, load.window).await?;
    let (lap, cpu) = (own.lap(), load.server.cpu_s()? - cpu);
    drop(kept);

    let runs = latencies.len() as f64;
    latencies.sort_by(f64::total_cmp);
    let extra = vec![
        ("runs_per_s", json!(round(runs / lap.wall.as_secs_f64()))),
        ("p99_ms", json!(round(quantile(&latencies, 0.99)))),
        ("max_ms", json!(round(quantile(&latencies, 1.0)))),
        ("cpu_us_per_run", json!(round(cpu * 1e6 / runs))),
        ("load_cpu_us_per_run", json!(round(micros(lap.cpu) / runs))),
        ("rss_mib", json!(round(load.server.memory_mib("VmRSS")?))),
        ("peak_rss_mib", json!(round(load.server.memory_mib("VmHWM")?))),
        (PIECES, json!(latencies.len() + warm.len())),
    ];
    Ok(Report { bench: load.bench, implementation: "duru", unit: "ms/run", samples: latencies, extra })
}

/// What every request took, in milliseconds, and the connections, which are still open.
async fn round_of(
    connections: Vec<Connection>,
    load: &Load,
    window: Duration,
) -> Result<(Vec<f64>, Vec<Connection>)> {
    let end = Instant::now() + window;
    let mut clients = JoinSet::new();
    for mut connection in connections {
        let (requests, turn, check) = (Arc::clone(&load.requests), Arc::clone(&load.turn), load.check);
        clients.spawn(async move {
            let mut latencies = Vec::new();
            while Instant::now() < end {
                let request = &requests[turn.fetch_add(1, Relaxed) % requests.len()];
                let start = Instant::now();
                check(connection.ask(request).await?)?;
                latencies.push(start.elapsed().as_secs_f64() * 1e3);
            }
            anyhow::Ok((latencies, connection))
        });
    }
    let (mut latencies, mut kept) = (Vec::new(), Vec::new());
    while let Some(client) = clients.join_next().await {
        let (some, connection) = client.context("a client panicked")??;
        latencies.extend(some);
        kept.push(connection);
    }
    Ok((latencies, kept))
}

/// A fast wrong answer is worth nothing: the first one ends the measurement.
fn check(answer: &[u8]) -> Result<()> {
    if answer.starts_with(b"HTTP/1.1 200") && RIGHT.iter().any(|right| find(answer, right).is_some()) {
        return Ok(());
    }
    bail!("a wrong answer: {}", String::from_utf8_lossy(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_refused() {
        check(b"HTTP/1.1 200 OK\r\n\r\n{\"x\":4,\"log\":[\"a\",\"b\",\"c\"]}").unwrap();
        assert!(check(b"HTTP/1.1 200 OK\r\n\r\n{\"x\":4,\"log\":[\"a\",\"b\"]}").is_err());
        assert!(check(b"HTTP/1.1 429 Too Many Requests\r\n\r\n{}").unwrap_err().to_string().contains("429"));
    }
}
