//! Very many clients that watch a run each, and how long an event takes from the node to the client.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::http::{Connection, address, find, post};
use super::server::Server;
use super::{on_one_thread, quantile};
use crate::args::Args;
use crate::report::{Report, round};

/// So many open at the same time: more than a listener's queue holds would be refused.
const OPENING: usize = 64;
const STAMP: &[u8] = b"\"at_ms\":";

#[derive(Clone)]
struct Load {
    streams: usize,
    address: String,
    request: Vec<u8>,
    /// Who may open.
    turn: Arc<Semaphore>,
    /// How many have seen an event.
    open: Arc<AtomicUsize>,
}

/// When an event came, in milliseconds: how long it took, and whether everybody was there by then.
type Came = (f64, bool);

pub(crate) fn run(args: &Args) -> Result<Report> {
    let (ticks, tick): (u32, f64) = (args.get("ticks", 6)?, args.get("tick", 10.0)?);
    let server = Server::of(args.get("pid", 0)?);
    let address = address(args.text("url", ""))?.to_owned();
    args.text("store", "memory");
    args.text("window", "");
    let body = json!({
        "assistant_id": "slow", "input": { "n": ticks, "tick": tick }, "stream_mode": "custom",
    });
    let load = Load {
        streams: args.get("streams", 10_000)?,
        request: post(&address, "/runs/stream", "", &body.to_string()),
        address,
        turn: Arc::new(Semaphore::new(OPENING)),
        open: Arc::default(),
    };
    let mut files = getrlimit(Resource::Nofile);
    files.current = files.maximum;
    setrlimit(Resource::Nofile, files).context("cannot open more files")?;
    on_one_thread(measure(load, server, Duration::from_secs_f64(f64::from(ticks) * tick)))
}

async fn measure(load: Load, server: Server, lasts: Duration) -> Result<Report> {
    let (start, cpu) = (tokio::time::Instant::now(), server.cpu_s()?);
    let mut clients = JoinSet::new();
    for _ in 0..load.streams {
        clients.spawn(watch(load.clone()));
    }
    while load.open.load(Ordering::Relaxed) < load.streams {
        if start.elapsed() > lasts {
            bail!(
                "the first runs ended before the last of {} streams was open: let ticks be longer",
                load.streams
            );
        }
        if let Some(early) = clients.try_join_next() {
            early.context("a client panicked")??;
            bail!("a stream ended before all were open");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (opened, rss) = (start.elapsed().as_secs_f64(), server.memory_mib("VmRSS")?);
    let opening_cpu = server.cpu_s()? - cpu;

    let (mut all, mut steady) = (Vec::new(), Vec::new());
    while let Some(client) = clients.join_next().await {
        for (latency, everybody) in client.context("a client panicked")?? {
            all.push(latency);
            if everybody {
                steady.push(latency);
            }
        }
    }
    all.sort_by(f64::total_cmp);
    steady.sort_by(f64::total_cmp);
    let extra = vec![
        ("event_p99_ms", json!(round(quantile(&steady, 0.99)))),
        ("event_max_ms", json!(round(quantile(&steady, 1.0)))),
        ("event_p99_ms_with_opening", json!(round(quantile(&all, 0.99)))),
        ("events", json!(all.len())),
        ("opened_s", json!(round(opened))),
        ("cpu_us_per_open", json!(round(opening_cpu * 1e6 / load.streams as f64))),
        ("rss_mib", json!(round(rss))),
        ("peak_rss_mib", json!(round(server.memory_mib("VmHWM")?))),
    ];
    Ok(Report { bench: "load-streams", implementation: "duru", unit: "ms/event", samples: steady, extra })
}

/// Watches one run to its end.
async fn watch(load: Load) -> Result<Vec<Came>> {
    let turn = load.turn.acquire().await?;
    let mut connection = Connection::open(&load.address).await?;
    connection.send(&load.request).await?;
    let (mut came, mut turn) = (Vec::new(), Some(turn));
    connection
        .lines(|line| {
            if line.starts_with(b"HTTP/1.1 ") && !line.starts_with(b"HTTP/1.1 200") {
                bail!("a stream was refused: {}", String::from_utf8_lossy(line));
            }
            if let Some(made) = stamp(line) {
                let everybody = load.open.load(Ordering::Relaxed) == load.streams;
                came.push((now_ms() - made, everybody));
                // The first event: this one is open, another may.
                if turn.take().is_some() {
                    load.open.fetch_add(1, Ordering::Relaxed);
                }
            }
            // The empty chunk that ends an answer.
            Ok(line == b"0")
        })
        .await?;
    Ok(came)
}

fn stamp(line: &[u8]) -> Option<f64> {
    let rest = &line[find(line, STAMP)? + STAMP.len()..];
    let end = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'.'))?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_says_when_it_was_made() {
        assert_eq!(stamp(br#"data: {"tick":1,"at_ms":1700000000000.25}"#), Some(1_700_000_000_000.25));
        assert_eq!(stamp(br#"data: {"at_ms":12,"tick":1}"#), Some(12.0));
        assert_eq!(stamp(b"event: custom"), None);
    }
}
