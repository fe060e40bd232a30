//! A proxy before the server that counts what goes through it, and cuts
//! connections where it hurts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// Where a connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The server never hears of the commit.
    Unsent,
    /// It has the commit, and perhaps no time to answer.
    Sent,
    /// It has answered, and nobody hears the answer.
    Answered,
}

/// The calls that may be cut: commits, and changes of the queue and the catalog.
/// Without a claim, whose loss is not made good.
const CHANGES: [&[u8]; 6] = [
    b".commit($1",
    b".enqueue_runs($1",
    b".settle_runs($1",
    b".forget_run($1",
    b".put_entry($1",
    b".remove_entry($1",
];

/// Says where to cut the n-th of them (from 0), if anywhere.
type Plan = Box<dyn FnMut(u64) -> Option<Cut> + Send>;

#[derive(Default)]
pub(crate) struct Seen {
    /// Messages after which the client waits for the server.
    pub(crate) round_trips: AtomicU64,
    /// Those of them that call one of the functions that may be cut.
    pub(crate) commits: AtomicU64,
    pub(crate) cuts: AtomicU64,
    /// New connections are refused.
    pub(crate) closed: AtomicBool,
    /// Every request waits so long before the server hears of it.
    pub(crate) delay_ms: AtomicU64,
    plan: Mutex<Option<Plan>>,
}

pub(crate) struct Proxy {
    pub(crate) url: String,
    pub(crate) seen: Arc<Seen>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// A proxy before the server at this URL.
    pub(crate) async fn start(url: &str) -> Self {
        let server = url.split(['@', '/']).nth(3).unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        // It reads along, and so nobody may ask the server for TLS.
        let here = listener.local_addr().unwrap().to_string();
        let url = format!("{}?sslmode=disable", url.replace(&server, &here));
        let seen = Arc::new(Seen::default());
        let shared = seen.clone();
        let accepting = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                if shared.closed.load(Ordering::SeqCst) {
                    continue;
                }
                let (server, seen) = (server.clone(), shared.clone());
                // Both sides see the end of it when it ends.
                connections.spawn(async move { drop(connection(client, &server, &seen).await) });
            }
        });
        Self { url, seen, accepting }
    }

    pub(crate) fn cut(&self, plan: impl FnMut(u64) -> Option<Cut> + Send + 'static) {
        *self.seen.plan.lock().unwrap() = Some(Box::new(plan));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Our client never sends anything before it has the answer to what it sent
/// last, so one direction after the other will do.
async fn connection(mut client: TcpStream, server: &str, seen: &Seen) -> std::io::Result<()> {
    let mut server = TcpStream::connect(server).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    // The first message has no type.
    let length = client.read_u32().await?;
    let mut start = vec![0; length as usize - 4];
    client.read_exact(&mut start).await?;
    server.write_u32(length).await?;
    server.write_all(&start).await?;
    client.write_all(&until(&mut server, b"Z").await?).await?;
    loop {
        let request = until(&mut client, b"SQX").await?;
        let mut cut = None;
        seen.round_trips.fetch_add(1, Ordering::SeqCst);
        if CHANGES.iter().any(|call| request.windows(call.len()).any(|text| text == *call)) {
            let nth = seen.commits.fetch_add(1, Ordering::SeqCst);
            cut = seen.plan.lock().unwrap().as_mut().and_then(|plan| plan(nth));
        }
        if cut.is_some() {
            seen.cuts.fetch_add(1, Ordering::SeqCst);
        }
        if cut == Some(Cut::Unsent) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(seen.delay_ms.load(Ordering::SeqCst))).await;
        server.write_all(&request).await?;
        if cut == Some(Cut::Sent) {
            return Ok(());
        }
        let reply = until(&mut server, b"Z").await?;
        if cut == Some(Cut::Answered) {
            return Ok(());
        }
        client.write_all(&reply).await?;
    }
}

/// Reads messages up to one of these types.
async fn until(stream: &mut TcpStream, last: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let kind = stream.read_u8().await?;
        let length = stream.read_u32().await?;
        bytes.push(kind);
        bytes.extend(length.to_be_bytes());
        let from = bytes.len();
        bytes.resize(from + length as usize - 4, 0);
        stream.read_exact(&mut bytes[from..]).await?;
        if last.contains(&kind) {
            return Ok(bytes);
        }
    }
}
