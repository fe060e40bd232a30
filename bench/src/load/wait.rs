//! A closed loop: so many clients, each of which asks for a run, waits for what came of it, and asks again.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;
use tokio::task::JoinSet;

use super::http::{Connection, address, find, post};
use super::server::Server;
use super::{on_one_thread, quantile};
use crate::args::Args;
use crate::measure::{Watch, micros};
use crate::report::{PIECES, Report, round};

/// What the graph `three` makes of `{"x":1}`, in both orders in which it may be written.
const RIGHT: [&[u8]; 2] = [br#"{"x":4,"log":["a","b","c"]}"#, br#"{"log":["a","b","c"],"x":4}"#];

pub(crate) fn run(args: &Args) -> Result<Report> {
    let clients: usize = args.get("clients", 16)?;
    // Where the server keeps its threads is in the line, for people.
    args.text("store", "memory");
    let window = Duration::from_millis(args.get("window", 5000)?);
    let server = Server::of(args.get("pid", 0)?);
    let address = address(args.text("url", ""))?.to_owned();
    on_one_thread(measure(clients, window, server, address))
}

async fn measure(clients: usize, window: Duration, server: Server, address: String) -> Result<Report> {
    let request = post(&address, "/runs/wait", r#"{"assistant_id":"three","input":{"x":1}}"#);
    let mut connections = Vec::with_capacity(clients);
    for _ in 0..clients {
        connections.push(Connection::open(&address).await?);
    }
    // Caches fill and pools open before anything is counted.
    let warm_up = (window / 4).min(Duration::from_secs(2));
    let (warm, mut connections) = round_of(connections, &request, warm_up).await?;

    let (cpu, own) = (server.cpu_s()?, Watch::start());
    let (mut latencies, kept) = round_of(std::mem::take(&mut connections), &request, window).await?;
    let (lap, cpu) = (own.lap(), server.cpu_s()? - cpu);
    drop(kept);

    let runs = latencies.len() as f64;
    latencies.sort_by(f64::total_cmp);
    let extra = vec![
        ("runs_per_s", json!(round(runs / lap.wall.as_secs_f64()))),
        ("p99_ms", json!(round(quantile(&latencies, 0.99)))),
        ("max_ms", json!(round(quantile(&latencies, 1.0)))),
        ("cpu_us_per_run", json!(round(cpu * 1e6 / runs))),
        ("load_cpu_us_per_run", json!(round(micros(lap.cpu) / runs))),
        ("rss_mib", json!(round(server.memory_mib("VmRSS")?))),
        ("peak_rss_mib", json!(round(server.memory_mib("VmHWM")?))),
        (PIECES, json!(latencies.len() + warm.len())),
    ];
    Ok(Report { bench: "load-wait", implementation: "duru", unit: "ms/run", samples: latencies, extra })
}

/// What every request took, in milliseconds, and the connections, which are still open.
async fn round_of(
    connections: Vec<Connection>,
    request: &[u8],
    window: Duration,
) -> Result<(Vec<f64>, Vec<Connection>)> {
    let end = Instant::now() + window;
    let mut clients = JoinSet::new();
    for mut connection in connections {
        let request = request.to_vec();
        clients.spawn(async move {
            let mut latencies = Vec::new();
            while Instant::now() < end {
                let start = Instant::now();
                check(connection.ask(&request).await?)?;
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
