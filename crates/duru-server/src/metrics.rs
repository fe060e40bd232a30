//! Metrics of the server.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use duru::store::RunStatus;
use serde_json::{Map, Value, json};

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
    /// How many were begun, and how long they had waited for that.
    begun: AtomicU64,
    waited_ms: AtomicU64,
    /// How many another worker took over.
    lost: AtomicU64,
    /// How long the store took for the last look for work.
    store_us: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            requests: Default::default(),
            times: Default::default(),
            time_us: AtomicU64::new(0),
            runs: Default::default(),
            begun: AtomicU64::new(0),
            waited_ms: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            store_us: AtomicU64::new(0),
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

    /// A run that was accepted so long ago is begun here.
    pub(crate) fn begun(&self, waited: Duration) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        let ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
        self.waited_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// A run that was under way here is another worker's.
    pub(crate) fn lost(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// The store has answered a look for work.
    pub(crate) fn store_answered(&self, took: Duration) {
        self.store_us.store(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// All of it, with what is known at the moment.
    pub(crate) fn read(&self, now: Now) -> Vec<Family> {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64;
        let mut requests =
            Family::new("duru_requests_total", "counter", "Requests that were answered, by class of status.");
        for (class, count) in self.requests.iter().enumerate().skip(1) {
            requests.add("", &[("status", format!("{class}xx"))], read(count));
        }
        let mut times = Family::new("duru_request_seconds", "histogram", "Time until an answer began.");
        let all = read(&self.times[BUCKETS.len()]);
        for (end, count) in BUCKETS.iter().zip(&self.times) {
            times.add("_bucket", &[("le", end.to_string())], read(count));
        }
        times.add("_bucket", &[("le", "+Inf".to_owned())], all);
        times.add("_sum", &[], read(&self.time_us) / 1e6);
        times.add("_count", &[], all);
        let mut runs = Family::new(
            "duru_runs_total",
            "counter",
            "Runs that this process settled, by what came of them.",
        );
        for (status, count) in RunStatus::ALL.iter().zip(&self.runs).filter(|(status, _)| !status.is_active())
        {
            runs.add("", &[("status", status.as_str().to_owned())], read(count));
        }
        let mut waits = Family::new(
            "duru_run_wait_seconds",
            "summary",
            "How long runs that were begun here had waited since they were accepted.",
        );
        waits.add("_sum", &[], read(&self.waited_ms) / 1e3);
        waits.add("_count", &[], read(&self.begun));
        let mut lost = Family::new(
            "duru_leases_lost_total",
            "counter",
            "Runs that were under way here and that another worker took over.",
        );
        lost.add("", &[], read(&self.lost));
        let mut families = vec![requests, times, runs, waits, lost];
        if let Some(counts) = duru_telemetry::counts() {
            let mut spans =
                Family::new("duru_spans_total", "counter", "Spans that ended here, by what became of them.");
            let (sent, dropped, failed) = (counts.sent(), counts.dropped(), counts.failed());
            for (word, count) in [("sent", sent), ("dropped", dropped), ("failed", failed)] {
                spans.add("", &[("became", word.to_owned())], count as f64);
            }
            families.push(spans);
        }
        let mut build = Family::new("duru_build_info", "gauge", "Which version this is.");
        build.add("", &[("version", env!("CARGO_PKG_VERSION").to_owned())], 1.0);
        families.push(build);
        if !now.parts.is_empty() {
            let help = "Whether each of the databases, and NATS, is there (1) or away (0).";
            let mut parts = Family::new("duru_part_up", "gauge", help);
            for (part, up) in now.parts {
                parts.add("", &[("part", part)], f64::from(u8::from(up)));
            }
            families.push(parts);
        }
        for (name, help, value) in [
            ("duru_runs_under_way", "Runs that this process carries out.", Some(now.under_way as f64)),
            ("duru_runs_waiting", "Runs that wait, as far as this process knows.", Some(now.waiting as f64)),
            (
                "duru_store_seconds",
                "How long the store took to answer the last look for work.",
                Some(read(&self.store_us) / 1e6),
            ),
            (
                "duru_leaving",
                "Whether this process was told to stop and goes on for a moment (1).",
                Some(f64::from(u8::from(now.is_leaving))),
            ),
            ("duru_sockets_open", "WebSockets that are open.", Some(now.sockets as f64)),
            (
                "duru_uptime_seconds",
                "How long this process serves.",
                Some(self.since.elapsed().as_secs_f64()),
            ),
            ("process_resident_memory_bytes", "Memory that this process has in use.", memory()),
            ("process_open_fds", "Files and connections that are open.", open_files()),
        ] {
            let Some(value) = value else { continue };
            let mut family = Family::new(name, "gauge", help);
            family.add("", &[], value);
            families.push(family);
        }
        families
    }
}

/// What is known at the moment.
pub(crate) struct Now {
    pub(crate) waiting: usize,
    pub(crate) under_way: usize,
    pub(crate) sockets: usize,
    /// What the server depends on besides, and whether it is there.
    pub(crate) parts: Vec<(String, bool)>,
    pub(crate) is_leaving: bool,
}

/// Numbers of one name.
pub(crate) struct Family {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    samples: Vec<Sample>,
}

/// What is behind the name, the labels, the value.
type Sample = (&'static str, Vec<(&'static str, String)>, f64);

impl Family {
    fn new(name: &'static str, kind: &'static str, help: &'static str) -> Self {
        Self { name, kind, help, samples: Vec::new() }
    }

    fn add(&mut self, suffix: &'static str, labels: &[(&'static str, String)], value: f64) {
        self.samples.push((suffix, labels.to_vec(), value));
    }
}

/// As Prometheus reads it. Labels are words of ours: none needs to be escaped.
pub(crate) fn text(families: &[Family]) -> String {
    let mut text = String::new();
    for Family { name, kind, help, samples } in families {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (suffix, labels, value) in samples {
            let labels: Vec<String> =
                labels.iter().map(|(label, word)| format!("{label}=\"{word}\"")).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(text, "{name}{suffix}{labels} {value}");
        }
    }
    text
}

/// As programs that do not know Prometheus' text read it.
pub(crate) fn json(families: &[Family]) -> Value {
    let family = |family: &Family| {
        let sample = |(suffix, labels, value): &Sample| {
            let labels: Map<String, Value> =
                labels.iter().map(|(label, word)| ((*label).to_owned(), word.as_str().into())).collect();
            json!({ "name": format!("{}{suffix}", family.name), "labels": labels, "value": value })
        };
        let samples: Vec<Value> = family.samples.iter().map(sample).collect();
        json!({ "name": family.name, "type": family.kind, "help": family.help, "samples": samples })
    };
    families.iter().map(family).collect()
}

/// None where the system does not say.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
}

fn open_files() -> Option<f64> {
    Some(std::fs::read_dir("/proc/self/fd").ok()?.count() as f64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Words of ours, and of those that every process has, in a text.
    fn named(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words
            .filter(|word| word.starts_with("duru_") || word.starts_with("process_"))
            .map(str::to_owned)
            .collect()
    }

    /// An alert on a number that nobody gives never comes.
    #[test]
    fn dashboards_and_alerts_ask_for_numbers_that_there_are() {
        let parts = vec![("shard north".to_owned(), true)];
        let now = Now { waiting: 0, under_way: 0, sockets: 0, parts, is_leaving: false };
        let given = named(&text(&Metrics::default().read(now)));
        let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
        for (file, least) in
            [("prometheus/duru.rules.yaml", 8), ("grafana/duru.json", 12), ("kubernetes/autoscaling.yaml", 1)]
        {
            let asked = named(&std::fs::read_to_string(packaging.join(file)).unwrap());
            let unknown: Vec<&String> = asked.difference(&given).collect();
            assert!(unknown.is_empty(), "{file}: {unknown:?}");
            assert!(asked.len() >= least, "{file} asks for {asked:?} only");
        }
        let dashboard = std::fs::read_to_string(packaging.join("grafana/duru.json")).unwrap();
        let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
        let panels = dashboard["panels"].as_array().unwrap();
        assert!(panels.iter().all(|panel| panel["targets"][0]["expr"].is_string()));
    }
}
