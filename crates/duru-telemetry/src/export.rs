//! Sends spans to a collector, without anybody waiting for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, StatusCode};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::otlp;
use crate::settings::Traces;
use crate::span::Span;

/// A batch that a collector does not take now is offered so often.
const TRIES: u32 = 3;
/// Before the second try; then twice as long.
const PAUSE: Duration = Duration::from_millis(500);
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

/// Where spans wait. Whoever ends one does not.
pub(crate) struct Queue {
    sender: mpsc::Sender<Waiting>,
    counts: Arc<Counts>,
}

enum Waiting {
    Span(Box<Span>),
    /// Everything before it is to be sent now.
    Flush(oneshot::Sender<()>),
}

impl Queue {
    pub(crate) fn push(&self, span: Box<Span>) {
        if self.sender.try_send(Waiting::Span(span)).is_err() {
            self.counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Sends what is left.
pub(crate) struct Flusher(mpsc::Sender<Waiting>);

impl Flusher {
    pub(crate) async fn flush(&self, within: Duration) {
        let (done, told) = oneshot::channel();
        let flushed = async {
            if self.0.send(Waiting::Flush(done)).await.is_ok() {
                drop(told.await);
            }
        };
        drop(timeout(within, flushed).await);
    }
}

/// Begins to send. Must be called within a runtime.
pub(crate) fn start(traces: Traces) -> Result<(Queue, Flusher), rustls::Error> {
    let (sender, waiting) = mpsc::channel(traces.queue);
    let counts = Arc::clone(COUNTS.get_or_init(Arc::default));
    let exporter = Exporter {
        client: client(&traces)?,
        head: otlp::head(&traces.resource),
        traces,
        counts: Arc::clone(&counts),
        complained: None,
    };
    tokio::spawn(exporter.run(waiting));
    Ok((Queue { sender: sender.clone(), counts }, Flusher(sender)))
}

struct Exporter {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    traces: Traces,
    head: String,
    counts: Arc<Counts>,
    complained: Option<Instant>,
}

impl Exporter {
    async fn run(mut self, mut waiting: mpsc::Receiver<Waiting>) {
        let mut batch: Vec<Box<Span>> = Vec::with_capacity(self.traces.batch);
        loop {
            let Some(first) = waiting.recv().await else { return };
            let until = Instant::now() + self.traces.delay;
            let mut next = Some(first);
            let flushed = loop {
                match next {
                    Some(Waiting::Span(span)) => batch.push(span),
                    Some(Waiting::Flush(done)) => break Some(done),
                    None => break None,
                }
                if batch.len() >= self.traces.batch {
                    break None;
                }
                next = timeout_at(until, waiting.recv()).await.unwrap_or_default();
            };
            self.send(&mut batch).await;
            if let Some(done) = flushed {
                // Whoever waited for it may have given up.
                let _ = done.send(());
            }
        }
    }

    #[allow(clippy::vec_box, reason = "they come in boxes, and to unpack them would copy them")]
    async fn send(&mut self, batch: &mut Vec<Box<Span>>) {
        if batch.is_empty() {
            return;
        }
        let count = batch.len() as u64;
        let body = Bytes::from(otlp::batch(&self.head, batch));
        batch.clear();
        match self.offer(body).await {
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
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.traces.endpoint.clone();
        request.headers_mut().extend(self.traces.headers.iter().cloned());
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let answer = self.client.request(request).await.map_err(|error| innermost(&error))?;
        let status = answer.status();
        // Read to its end, so that the connection can be used again.
        drop(Limited::new(answer.into_body(), LARGEST_ANSWER).collect().await);
        Ok(status)
    }
}

/// The layers above it only say that there was an error.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn client(traces: &Traces) -> Result<Client<HttpsConnector<HttpConnector>, Full<Bytes>>, rustls::Error> {
    let mut roots = rustls::RootCertStore::empty();
    if traces.endpoint.scheme_str() == Some("https") {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    let connector =
        HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
    Ok(Client::builder(TokioExecutor::new()).build(connector))
}
