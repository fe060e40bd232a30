//! Somebody who reads a whole thread along, over runs and servers, in every channel; and what they missed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::client::Client;
use crate::events::Events;

/// How long a server that has more says nothing at most.
const SILENCE: Duration = Duration::from_secs(3);
/// How long it may take to see the last event after all is done.
const LATE: Duration = Duration::from_secs(180);
const PAUSE: Duration = Duration::from_millis(30);

/// Every channel but that of tools, which has its own numbers.
const CHANNELS: [&str; 7] = ["values", "updates", "messages", "custom", "lifecycle", "input", "tasks"];

/// A thread that is being read.
pub(super) struct Along {
    last: Arc<AtomicBool>,
    reading: JoinHandle<Vec<(u64, Value)>>,
    client: Client,
    path: String,
}

/// What a reader did not see, saw again, and saw as something else; and how much it saw.
#[derive(Debug, Default)]
pub(super) struct Missed {
    pub(super) seen: u64,
    pub(super) skipped: u64,
    pub(super) doubled: u64,
    pub(super) misread: u64,
}

impl Along {
    pub(super) fn open(client: &Client, thread: &str) -> Self {
        let (client, path) = (client.clone(), format!("/threads/{thread}/stream/events"));
        let last = Arc::new(AtomicBool::new(false));
        let reading = tokio::spawn(read(client.clone(), path.clone(), Arc::clone(&last)));
        Self { last, reading, client, path }
    }

    /// After everything has happened: reads all of it again, and compares.
    pub(super) async fn close(self) -> Result<Missed> {
        let give_up = Instant::now() + LATE;
        let mut all: BTreeMap<u64, Value> = BTreeMap::new();
        // Until it was read to its end without a break: a server that is silent may be one that stands still.
        while !once(&self.client, &self.path, 0, &mut |seq, data| drop(all.insert(seq, data))).await
            || !all.values().any(is_end)
        {
            ensure!(Instant::now() < give_up, "{} can't be read again", self.path);
            tokio::time::sleep(PAUSE).await;
        }
        self.last.store(true, Ordering::SeqCst);
        let seen = tokio::time::timeout(LATE, self.reading).await;
        let seen = seen.with_context(|| format!("a reader never sees the end of {}", self.path))?;
        let seen = seen.context("a reader panicked")?;
        Ok(compare(&seen, &all))
    }
}

fn compare(seen: &[(u64, Value)], all: &BTreeMap<u64, Value>) -> Missed {
    let mut missed = Missed { seen: seen.len() as u64, ..Missed::default() };
    let mut once: BTreeMap<u64, &Value> = BTreeMap::new();
    for (seq, data) in seen {
        if once.insert(*seq, data).is_some() {
            missed.doubled += 1;
        } else if all.get(seq) != Some(data) {
            missed.misread += 1;
        }
    }
    missed.skipped = all.keys().filter(|seq| !once.contains_key(seq)).count() as u64;
    missed
}

/// Reads on wherever it is cut off, until it has been silent after the last event.
async fn read(client: Client, path: String, last: Arc<AtomicBool>) -> Vec<(u64, Value)> {
    let mut seen: Vec<(u64, Value)> = Vec::new();
    loop {
        let since = seen.iter().map(|(seq, _)| *seq).max().unwrap_or(0);
        let is_last = last.load(Ordering::SeqCst);
        let whole = once(&client, &path, since, &mut |seq, data| seen.push((seq, data))).await;
        if whole && is_last && seen.iter().any(|(_, data)| is_end(data)) {
            return seen;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether it is what a thread's last run says last.
fn is_end(data: &Value) -> bool {
    let (method, params) = (&data["method"], &data["params"]);
    method == "lifecycle" && params["namespace"] == json!([]) && params["data"]["event"] == "completed"
}

/// Reads until nothing comes any more; false if it was cut off before.
async fn once(client: &Client, path: &str, since: u64, show: &mut (dyn FnMut(u64, Value) + Send)) -> bool {
    let Ok(Ok(mut events)) = timeout(SILENCE, open(client, path, since)).await else { return false };
    loop {
        match timeout(SILENCE, events.next()).await {
            Ok(Ok(Some(frame))) => match frame.data["seq"].as_u64() {
                Some(seq) => show(seq, frame.data),
                None => return false,
            },
            Ok(_) => return false,
            Err(_) => return true,
        }
    }
}

async fn open(client: &Client, path: &str, since: u64) -> Result<Events> {
    let body = json!({ "channels": CHANNELS, "since": since }).to_string();
    let mut stream = TcpStream::connect(client.address()).await?;
    let request = format!(
        "{}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        client.head("POST", path),
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    Events::of(stream).await
}
