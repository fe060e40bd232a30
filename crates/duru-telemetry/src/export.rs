//! Sends spans to a collector, without anybody waiting for it: OpenTelemetry's
//! exporter on a thread of its own, through the HTTP client that all of us share.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use duru_http::{Client, Reach};
use http::header::{HeaderName, HeaderValue};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Limited};
use opentelemetry::trace::{Status, TracerProvider as _};
use opentelemetry::{Array, Context, InstrumentationScope, KeyValue, Value};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, Span, SpanData,
    SpanExporter, SpanProcessor,
};
use tokio::runtime::Handle;

use crate::sampling::KeptIds;
use crate::settings::Traces;
use crate::spans::TRACEPARENT;

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
    /// Those that ended, and are neither sent nor given up.
    waiting: AtomicU64,
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

/// Begins to send. Must be called within a runtime.
pub(crate) fn start(traces: Traces) -> Result<SdkTracerProvider, String> {
    let counts = Arc::clone(COUNTS.get_or_init(Arc::default));
    let client = Client::new(&traces.endpoint, Reach::Anywhere, None).map_err(|error| error.to_string())?;
    let to = traces.endpoint.authority().map(ToString::to_string).unwrap_or_default();
    let why = Arc::<Mutex<String>>::default();
    let collector = Collector {
        client,
        headers: traces.headers,
        timeout: traces.timeout,
        runtime: Handle::current(),
        why: Arc::clone(&why),
    };
    let inner = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_http_client(collector)
        .with_endpoint(traces.endpoint.to_string())
        .with_protocol(traces.protocol)
        .with_timeout(traces.timeout)
        .build()
        .map_err(|error| error.to_string())?;
    let complaints = Complaints { to, why, last: Mutex::default(), of_drops: AtomicBool::default() };
    let exporter = CountedExporter { inner, counts: Arc::clone(&counts), complaints };
    let config = BatchConfigBuilder::default()
        .with_max_queue_size(traces.queue)
        .with_max_export_batch_size(traces.batch)
        .with_scheduled_delay(traces.delay)
        .build();
    let inner = BatchSpanProcessor::new(exporter, config);
    let resource = traces.resource.into_iter().map(|(name, value)| KeyValue::new(name, value));
    Ok(SdkTracerProvider::builder()
        .with_resource(Resource::builder_empty().with_attributes(resource).build())
        // What is not kept comes to no span.
        .with_sampler(Sampler::AlwaysOn)
        .with_id_generator(KeptIds(traces.sampling))
        .with_span_processor(CountedQueue { inner, most: traces.queue as u64, counts })
        .build())
}

pub(crate) fn tracer(provider: &SdkTracerProvider) -> SdkTracer {
    let scope = InstrumentationScope::builder("duru").with_version(env!("CARGO_PKG_VERSION"));
    provider.tracer_with_scope(scope.build())
}

/// The library's queue, which drops what does not fit in silence: here it is counted.
#[derive(Debug)]
struct CountedQueue {
    inner: BatchSpanProcessor,
    most: u64,
    counts: Arc<Counts>,
}

impl SpanProcessor for CountedQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.counts.waiting.fetch_add(1, Ordering::Relaxed) < self.most {
            self.inner.on_end(span);
        } else {
            self.counts.waiting.fetch_sub(1, Ordering::Relaxed);
            self.counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// The library's exporter, with what became of spans.
#[derive(Debug)]
struct CountedExporter {
    inner: opentelemetry_otlp::SpanExporter,
    counts: Arc<Counts>,
    complaints: Complaints,
}

impl SpanExporter for CountedExporter {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        let count = batch.len() as u64;
        batch.iter_mut().for_each(conform);
        let result = self.inner.export(batch).await;
        let became = if result.is_ok() { &self.counts.sent } else { &self.counts.failed };
        became.fetch_add(count, Ordering::Relaxed);
        self.counts.waiting.fetch_sub(count, Ordering::Relaxed);
        self.complaints.tell(&result, count, self.counts.dropped());
        result
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// Numbers that are not negative in a program, which `tracing-opentelemetry` makes texts of.
const NUMBERS: [&str; 8] = [
    "db.response.returned_rows",
    "duru.attempt",
    "duru.run.attempt",
    "duru.step",
    "gen_ai.request.max_tokens",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "http.response.status_code",
];
/// A list, although a program says it as one text.
const LIST: &str = "gen_ai.response.finish_reasons";

/// Gives attributes the types that the semantic conventions have for them, and a span that failed its status.
fn conform(span: &mut SpanData) {
    span.attributes.retain(|attribute| attribute.key.as_str() != TRACEPARENT);
    for attribute in &mut span.attributes {
        let text = || attribute.value.as_str().into_owned();
        match attribute.key.as_str() {
            "error.type" => span.status = Status::error(""),
            LIST => attribute.value = Value::Array(Array::String(vec![text().into()])),
            name if NUMBERS.contains(&name) => {
                if let Ok(number) = text().parse() {
                    attribute.value = Value::I64(number);
                }
            }
            _ => {}
        }
    }
}

/// Tells whoever reads lines that spans are lost.
#[derive(Debug)]
struct Complaints {
    to: String,
    why: Arc<Mutex<String>>,
    last: Mutex<Option<Instant>>,
    of_drops: AtomicBool,
}

impl Complaints {
    fn tell(&self, result: &OTelSdkResult, spans: u64, dropped: u64) {
        let collector = self.to.as_str();
        if dropped > 0 && !self.of_drops.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                collector,
                "spans come faster than the collector takes them: some are dropped, and counted in /metrics"
            );
        }
        let Err(error) = result else { return };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|at| at.elapsed() >= COMPLAIN) {
            *last = Some(Instant::now());
            let why = std::mem::take(&mut *self.why.lock().unwrap_or_else(PoisonError::into_inner));
            let why = if why.is_empty() { error.to_string() } else { why };
            tracing::warn!(collector, spans, "spans are not taken: {why}");
        }
    }
}

/// The way to the collector: proxies and certificates are those of all our requests.
struct Collector {
    client: Client,
    headers: Vec<(HeaderName, HeaderValue)>,
    timeout: Duration,
    /// The thread that sends has no runtime of its own.
    runtime: Handle,
    /// Why the last request had no answer, which the exporter keeps to itself.
    why: Arc<Mutex<String>>,
}

/// Headers may hold a key.
impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Collector")
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        let (client, timeout) = (self.client.clone(), self.timeout);
        let sent = async move {
            let (head, body) = client.send(request).await?.into_parts();
            let body = Limited::new(body, LARGEST_ANSWER).collect().await?.to_bytes();
            Ok::<_, HttpError>(Response::from_parts(head, body))
        };
        // The clock of the timeout belongs to the runtime, too.
        let in_time = self.runtime.spawn(async move { tokio::time::timeout(timeout, sent).await }).await;
        let answer =
            in_time.map_err(HttpError::from).and_then(|done| done.map_err(HttpError::from).flatten());
        // An answer may be a refusal, of which the exporter says more than an older failure does.
        let why = answer.as_ref().err().map(|error| duru_http::innermost(&**error)).unwrap_or_default();
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use http::Uri;
    use tracing::info_span;

    use super::*;
    use crate::spans::tests::{ALL, ended};

    #[test]
    fn attributes_have_the_types_of_the_conventions_and_what_failed_has_a_status() {
        let mut spans = ended(ALL, || {
            let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            drop(info_span!("chat", traceparent = header, duru.step = 2_u64, duru.node = "2"));
            drop(info_span!("chat", gen_ai.response.finish_reasons = "stop", error.type = "timeout"));
        });
        spans.iter_mut().for_each(conform);
        let stop = Array::String(vec!["stop".into()]);
        let values = |span: &SpanData| -> Vec<Value> {
            span.attributes.iter().map(|attribute| attribute.value.clone()).collect()
        };
        assert_eq!((values(&spans[0]), &spans[0].status), (vec![Value::I64(2), "2".into()], &Status::Unset));
        assert_eq!(values(&spans[1]), [Value::Array(stop), "timeout".into()]);
        assert_eq!(spans[1].status, Status::error(""));
    }

    #[tokio::test]
    async fn an_old_failure_is_no_reason_for_a_later_refusal() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let to: Uri = format!("http://{}/v1/traces", listener.local_addr().unwrap()).parse().unwrap();
        let listens = std::thread::spawn(move || {
            drop(listener.accept().unwrap());
            let (mut stream, _) = listener.accept().unwrap();
            assert!(stream.read(&mut [0; 4096]).unwrap() > 0);
            stream.write_all(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n").unwrap();
        });
        let why = Arc::<Mutex<String>>::default();
        let collector = Collector {
            client: Client::new(&to, Reach::Anywhere, None).unwrap(),
            headers: Vec::new(),
            timeout: Duration::from_secs(10),
            runtime: Handle::current(),
            why: Arc::clone(&why),
        };
        let spans = || Request::post(&to).body(Bytes::from_static(b"spans")).unwrap();
        assert!(collector.send_bytes(spans()).await.is_err());
        assert_ne!(*why.lock().unwrap(), "");
        assert_eq!(collector.send_bytes(spans()).await.unwrap().status(), 503);
        assert_eq!(*why.lock().unwrap(), "");
        listens.join().unwrap();
    }
}
