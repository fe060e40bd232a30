//! Numbers for whoever watches the server, in Prometheus' text.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use duru::store::RunStatus;

/// The upper ends of the buckets of answers' times, in seconds.
const BUCKETS: [f64; 8] = [0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0];

/// What was counted since the start.
pub(crate) struct Metrics {
    since: Instant,
    /// By the first digit of their status.
    requests: [AtomicU64; 6],
    /// How many took at most so long; the last one counts all.
    times: [AtomicU64; BUCKETS.len() + 1],
    time_us: AtomicU64,
    runs: [AtomicU64; RunStatus::ALL.len()],
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            requests: Default::default(),
            times: Default::default(),
            time_us: AtomicU64::new(0),
            runs: Default::default(),
        }
    }
}

impl Metrics {
    /// A request was answered; a stream has only begun.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).min(5);
        self.requests[class].fetch_add(1, Ordering::Relaxed);
        let seconds = took.as_secs_f64();
        for (bucket, end) in self.times.iter().zip(BUCKETS) {
            if seconds <= end {
                bucket.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.times[BUCKETS.len()].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.time_us.fetch_add(micros, Ordering::Relaxed);
    }

    /// A run was settled here.
    pub(crate) fn settled(&self, status: RunStatus) {
        if let Some(at) = RunStatus::ALL.iter().position(|known| *known == status) {
            self.runs[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All of it as text, with what is known of the queue.
    pub(crate) fn text(&self, waiting: usize, under_way: usize) -> String {
        let mut text = String::new();
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let head =
            |name: &str, kind: &str, help: &str| format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        text += &head("duru_requests_total", "counter", "Requests that were answered, by class of status.");
        for (class, count) in self.requests.iter().enumerate().skip(1) {
            let _ = writeln!(text, "duru_requests_total{{status=\"{class}xx\"}} {}", read(count));
        }
        text += &head("duru_request_seconds", "histogram", "Time until an answer began.");
        for (end, count) in BUCKETS.iter().zip(&self.times) {
            let _ = writeln!(text, "duru_request_seconds_bucket{{le=\"{end}\"}} {}", read(count));
        }
        let all = read(&self.times[BUCKETS.len()]);
        let _ = writeln!(text, "duru_request_seconds_bucket{{le=\"+Inf\"}} {all}");
        let _ = writeln!(text, "duru_request_seconds_sum {}", read(&self.time_us) as f64 / 1e6);
        let _ = writeln!(text, "duru_request_seconds_count {all}");
        text += &head("duru_runs_total", "counter", "Runs that this process settled, by what came of them.");
        for (status, count) in RunStatus::ALL.iter().zip(&self.runs) {
            if !status.is_active() {
                let _ = writeln!(text, "duru_runs_total{{status=\"{}\"}} {}", status.as_str(), read(count));
            }
        }
        if let Some(spans) = duru_telemetry::counts() {
            text += &head("duru_spans_total", "counter", "Spans that ended here, by what became of them.");
            let (sent, dropped, failed) = (spans.sent(), spans.dropped(), spans.failed());
            for (word, count) in [("sent", sent), ("dropped", dropped), ("failed", failed)] {
                let _ = writeln!(text, "duru_spans_total{{became=\"{word}\"}} {count}");
            }
        }
        for (name, help, value) in [
            ("duru_runs_under_way", "Runs that this process carries out.", under_way as u64),
            ("duru_runs_waiting", "Runs that wait, as far as this process knows.", waiting as u64),
            ("duru_uptime_seconds", "How long this process serves.", self.since.elapsed().as_secs()),
        ] {
            text += &head(name, "gauge", help);
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }
}
