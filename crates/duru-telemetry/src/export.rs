//! Sends spans to a collector, without anybody waiting for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use duru_http::{BadNetwork, Client, Reach};
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use crate::otlp_json;
use crate::queue::{Batch, Queue, Which};
use crate::settings::{Protocol, Traces};

/// A batch that a collector does not take now is offered so often.
const TRIES: u32 = 3;
/// Before the second try; then twice as long.
const PAUSE: Duration = Duration::from_millis(500);
/// Between two looks at what waits.
const SHORTEST: Duration = Duration::from_millis(1);
/// More is nothing that a collector answers.
const LARGEST_ANSWER: usize = 64 << 10;
/// How often somebody is told that spans do not arrive.
const COMPLAIN: Duration = Duration::from_secs(60);

/// What became of spans since the start.
#[derive(Debug, Default)]
pub struct Counts {
    sent: AtomicU64,
    dropped: AtomicU64,
    failed: AtomicU64,
}

static COUNTS: OnceLock<Arc<Counts>> = OnceLock::new();

/// What became of this process's spans; none if it sends none.
pub fn counts() -> Option<&'static Counts> {
    COUNTS.get().map(|counts| &**counts)
}

impl Counts {
    pub(crate) fn drop_one(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Those that a collector has.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Those for which there was no room in the queue.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Those that no collector took.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }
}

/// Sends what is left.
pub(crate) struct Flusher(mpsc::Sender<oneshot::Sender<()>>);

impl Flusher {
    pub(crate) async fn flush(&self, within: Duration) {
        let (done, told) = oneshot::channel();
        let flushed = async {
            if self.0.send(done).await.is_ok() {
                drop(told.await);
            }
        };
        drop(timeout(within, flushed).await);
    }
}

/// Begins to send. Must be called within a runtime.
pub(crate) fn start(traces: Traces) -> Result<(Arc<Queue>, Flusher), BadNetwork> {
    let (flusher, flushes) = mpsc::channel(1);
    let counts = Arc::clone(COUNTS.get_or_init(Arc::default));
    let queue = Arc::new(Queue::new(&traces, Arc::clone(&counts)));
    let client = Client::new(&traces.endpoint, Reach::Anywhere, None)?;
    let exporter = Exporter { client, queue: Arc::clone(&queue), traces, counts, complained: None };
    tokio::spawn(exporter.run(flushes));
    Ok((queue, Flusher(flusher)))
}

struct Exporter {
    client: Client,
    queue: Arc<Queue>,
    traces: Traces,
    counts: Arc<Counts>,
    complained: Option<Instant>,
}

impl Exporter {
    async fn run(mut self, mut flushes: mpsc::Receiver<oneshot::Sender<()>>) {
        let mut tick = interval(self.traces.delay.max(SHORTEST));
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let (which, flushed) = tokio::select! {
                () = self.queue.filled() => (Which::Full, None),
                _ = tick.tick() => (Which::All, None),
                Some(done) = flushes.recv() => (Which::All, Some(done)),
            };
            while let Some(batch) = self.queue.take(which) {
                self.send(batch).await;
            }
            if let Some(done) = flushed {
                // The waiter may have given up.
                let _ = done.send(());
            }
        }
    }

    async fn send(&mut self, batch: Batch) {
        let count = batch.spans;
        let body = match self.traces.protocol {
            Protocol::Protobuf => Some(batch.body),
            Protocol::Json => otlp_json::json(&batch.body),
        };
        match self.offer(Bytes::from(body.unwrap_or_default())).await {
            Ok(()) => {
                self.counts.sent.fetch_add(count, Ordering::Relaxed);
            }
            Err(why) => {
                self.counts.failed.fetch_add(count, Ordering::Relaxed);
                if self.complained.is_none_or(|at| at.elapsed() >= COMPLAIN) {
                    self.complained = Some(Instant::now());
                    let to = self.traces.endpoint.authority().map(ToString::to_string).unwrap_or_default();
                    tracing::warn!(collector = to, spans = count, "spans are not taken: {why}");
                }
            }
        }
    }

    async fn offer(&self, body: Bytes) -> Result<(), String> {
        let mut pause = PAUSE;
        for attempt in 1.. {
            let again = match timeout(self.traces.timeout, self.post(body.clone())).await {
                Ok(Ok(status)) if status.is_success() => return Ok(()),
                Ok(Ok(status)) if !matches!(status.as_u16(), 429 | 502..=504) => {
                    return Err(format!("the collector says {status}"));
                }
                Ok(Ok(status)) => format!("the collector says {status}"),
                Ok(Err(why)) => why,
                Err(_) => "the collector does not answer in time".to_owned(),
            };
            if attempt >= TRIES {
                return Err(again);
            }
            sleep(pause).await;
            pause *= 2;
        }
        Ok(())
    }

    async fn post(&self, body: Bytes) -> Result<StatusCode, String> {
        let kind = match self.traces.protocol {
            Protocol::Protobuf => "application/x-protobuf",
            Protocol::Json => "application/json",
        };
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.traces.endpoint.clone();
        request.headers_mut().extend(self.traces.headers.iter().cloned());
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        let answer = self.client.send(request).await.map_err(|error| duru_http::innermost(&error))?;
        let status = answer.status();
        // Read to its end, so that the connection can be used again.
        drop(Limited::new(answer.into_body(), LARGEST_ANSWER).collect().await);
        Ok(status)
    }
}
