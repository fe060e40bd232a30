//! Sends batches of 1,000 lines to `POST /logs/ingest`, on a few connections that are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::data;
use crate::words::{Words, middle_and_worst, peak_mib};

const BATCH: usize = 1_000;

/// So many different bodies are made before the clock starts, and sent in turn.
const BODIES: u64 = 50;

pub(crate) async fn run(words: &Words) -> Result<()> {
    let (url, pid) = (words.must("url")?, words.must("pid")?);
    let (rows, connections) = (words.number("rows", 1_000_000)?, words.number("connections", 4)?);
    let address = url.strip_prefix("http://").context("url= must begin with http://")?.to_owned();
    let bodies = Arc::new(bodies()?);
    let (next, last) = (Arc::new(AtomicU64::new(0)), rows.div_ceil(BATCH as u64));
    let (cpu, begun) = (cpu_s(pid), Instant::now());
    let mut senders = JoinSet::new();
    for _ in 0..connections {
        let (address, bodies, next) = (address.clone(), Arc::clone(&bodies), Arc::clone(&next));
        senders.spawn(async move { send(&address, &bodies, &next, last).await });
    }
    let (mut sent, mut took) = (0, Vec::new());
    while let Some(done) = senders.join_next().await {
        let times: Vec<f64> = done??;
        sent += times.len() as u64 * BATCH as u64;
        took.extend(times);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (median, worst) = middle_and_worst(took);
    let used = cpu_s(pid).zip(cpu).map(|(after, before)| (after - before) * 1e6 / sent as f64);
    println!(
        "{}",
        json!({
            "case": "ingest", "store": words.must("store")?, "rows": sent, "connections": connections,
            "body_bytes": bodies.iter().map(Vec::len).sum::<usize>() / bodies.len().max(1),
            "rows_per_s": sent as f64 / seconds, "batch_ms": median, "slowest_batch_ms": worst,
            "server_cpu_us_per_row": used, "peak_mib": peak_mib(pid),
        })
    );
    Ok(())
}

/// JSON lines, without fields that say nothing.
fn bodies() -> Result<Vec<Vec<u8>>> {
    let mut lines = data::lines(BODIES * BATCH as u64)?;
    let body = |_| {
        let mut body = Vec::new();
        for record in lines.by_ref().take(BATCH) {
            let mut row = serde_json::to_value(&record)?;
            if let Value::Object(fields) = &mut row {
                fields.retain(|_, value| !value.is_null());
            }
            serde_json::to_writer(&mut body, &row)?;
            body.push(b'\n');
        }
        Ok(body)
    };
    (0..BODIES).map(body).collect()
}

/// One connection: each batch is acknowledged before the next is sent. How long each took, in ms.
async fn send(address: &str, bodies: &[Vec<u8>], next: &AtomicU64, last: u64) -> Result<Vec<f64>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut took, mut answer) = (Vec::new(), Vec::new());
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= last {
            return Ok(took);
        }
        let body = &bodies[usize::try_from(number)? % bodies.len()];
        let head = format!(
            "POST /logs/ingest HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/x-ndjson\r\n\
             idempotency-key: {number}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let begun = Instant::now();
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body).await?;
        answer.clear();
        let text = loop {
            if stream.read_buf(&mut answer).await? == 0 {
                bail!("the server closed the connection");
            }
            if let Some(text) = whole(&answer) {
                break text;
            }
        };
        let taken: Value = serde_json::from_str(text).with_context(|| text.to_owned())?;
        if taken["accepted"] != BATCH || taken["duplicate"] != false {
            bail!("a batch was not taken: {}", String::from_utf8_lossy(&answer));
        }
        took.push(begun.elapsed().as_secs_f64() * 1e3);
    }
}

/// The body of an answer that has come to its end.
fn whole(answer: &[u8]) -> Option<&str> {
    let (head, body) = std::str::from_utf8(answer).ok()?.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    })?;
    (body.len() >= length).then_some(body)
}

/// What a process has used so far; the system counts in hundredths of a second.
fn cpu_s(pid: &str) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it is in brackets and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_where_its_length_says() {
        assert_eq!(whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"), None);
        assert_eq!(whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), Some("{}"));
        assert_eq!(whole(b"HTTP/1.1 200 OK\r\n"), None);
    }
}
