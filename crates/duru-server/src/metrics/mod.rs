//! Metrics of the server, for Prometheus and as JSON.

mod json;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use duru::store::RunStatus;
pub(crate) use json::json;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};

use crate::hub::LogTail;

/// The upper ends of the buckets of answers' times, in seconds.
const ANSWERS: [f64; 8] = [0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0];
/// Those of runs and of how long they wait: they take longer.
const RUNS: [f64; 9] = [0.01, 0.1, 0.5, 1.0, 2.5, 10.0, 30.0, 120.0, 600.0];
/// Those of the store's answers.
const STORE: [f64; 7] = [0.001, 0.0025, 0.01, 0.05, 0.25, 1.0, 5.0];

/// What a request asked, and what came of it. Routes are those of the server, so that nobody who asks for anything else adds more.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    method: &'static str,
    route: String,
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Graph {
    graph: String,
}

/// Which graph ran, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Run {
    graph: String,
    status: &'static str,
}

/// What was counted since the start.
pub(crate) struct Metrics {
    since: Instant,
    registry: Registry,
    requests: Family<Request, Counter>,
    times: Family<Route, Histogram, fn() -> Histogram>,
    runs: Family<Run, Counter>,
    run_times: Family<Graph, Histogram, fn() -> Histogram>,
    waits: Histogram,
    lost: Counter,
    store: Histogram,
    /// How long the store took for the last look for work.
    store_us: Arc<AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut all = Self {
            since: Instant::now(),
            registry: Registry::default(),
            requests: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(ANSWERS)),
            runs: Family::default(),
            run_times: Family::new_with_constructor(|| Histogram::new(RUNS)),
            waits: Histogram::new(RUNS),
            lost: Counter::default(),
            store: Histogram::new(STORE),
            store_us: Arc::default(),
        };
        all.register();
        all
    }
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        // The library ends a counter's name with `_total`, and every help with a full stop.
        registry.register(
            "duru_requests",
            "Requests that were answered, by method, route and class of status",
            self.requests.clone(),
        );
        registry.register("duru_request_seconds", "Time until an answer began, by route", self.times.clone());
        registry.register(
            "duru_runs",
            "Runs that this process settled, by graph and by what came of them",
            self.runs.clone(),
        );
        registry.register("duru_run_seconds", "How long settled runs took, by graph", self.run_times.clone());
        registry.register(
            "duru_run_wait_seconds",
            "How long runs that were begun here had waited since they were accepted",
            self.waits.clone(),
        );
        registry.register(
            "duru_leases_lost",
            "Runs that were under way here and that another worker took over",
            self.lost.clone(),
        );
        registry.register(
            "duru_store_answer_seconds",
            "How long the store took to answer looks for work",
            self.store.clone(),
        );
    }

    /// A request was answered; a stream has only begun.
    pub(crate) fn answered(&self, method: &str, route: Option<&str>, status: u16, took: Duration) {
        let route = route.unwrap_or("unknown").to_owned();
        self.times.get_or_create(&Route { route: route.clone() }).observe(took.as_secs_f64());
        let request = Request { method: known_method(method), route, status: class(status) };
        self.requests.get_or_create(&request).inc();
    }

    /// A run was settled here.
    pub(crate) fn settled(&self, graph: &str, status: RunStatus, took: Duration) {
        let graph = graph.to_owned();
        self.run_times.get_or_create(&Graph { graph: graph.clone() }).observe(took.as_secs_f64());
        self.runs.get_or_create(&Run { graph, status: status.as_str() }).inc();
    }

    /// A run that was accepted so long ago is begun here.
    pub(crate) fn begun(&self, waited: Duration) {
        self.waits.observe(waited.as_secs_f64());
    }

    /// A run that was under way here is another worker's.
    pub(crate) fn lost(&self) {
        self.lost.inc();
    }

    /// The store has answered a look for work.
    pub(crate) fn store_answered(&self, took: Duration) {
        self.store.observe(took.as_secs_f64());
        self.store_us.store(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// All of it as Prometheus reads it, with what is known at the moment.
    pub(crate) fn text(&self, now: Now) -> String {
        let mut text = String::new();
        // Writing to a text can't fail.
        let _ = encode_registry(&mut text, &self.registry);
        let _ = encode(&mut text, &self.moment(now));
        text
    }

    /// What is known at the moment.
    fn moment(&self, now: Now) -> Registry {
        let mut registry = Registry::default();
        if let Some(counts) = duru_telemetry::counts() {
            let spans = Family::<Vec<(&'static str, &'static str)>, Counter>::default();
            let became =
                [("sent", counts.sent()), ("dropped", counts.dropped()), ("failed", counts.failed())];
            for (word, count) in became {
                spans.get_or_create(&vec![("became", word)]).inc_by(count);
            }
            registry.register("duru_spans", "Spans that ended here, by what became of them", spans);
        }
        counted(&mut registry);
        let build = labelled([("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned(), 1.0)]);
        registry.register("duru_build_info", "Which version this is", build);
        if !now.parts.is_empty() {
            let up = |up: bool| f64::from(u8::from(up));
            let parts =
                labelled(now.parts.into_iter().map(|(name, is_up)| ("part".to_owned(), name, up(is_up))));
            let help = "Whether each of the databases, NATS, and where logs, documents and tables are is there (1) or away (0)";
            registry.register("duru_part_up", help, parts);
        }
        let store = self.store_us.load(Ordering::Relaxed) as f64 / 1e6;
        for (name, help, value) in [
            ("duru_runs_under_way", "Runs that this process carries out", Some(now.under_way as f64)),
            ("duru_runs_waiting", "Runs that wait, as far as this process knows", Some(now.waiting as f64)),
            (
                "duru_queue_age_seconds",
                "How long the first of them has waited for room, since it was accepted, given back or due",
                Some(now.queue_age.as_secs_f64()),
            ),
            ("duru_store_seconds", "How long the store took to answer the last look for work", Some(store)),
            (
                "duru_leaving",
                "Whether this process was told to stop and goes on for a moment (1)",
                Some(f64::from(u8::from(now.is_leaving))),
            ),
            (
                "duru_log_tail_rows",
                "Log lines that were acknowledged and are on this process's disk alone",
                now.log_tail.map(|tail| tail.rows as f64),
            ),
            (
                "duru_log_ship_lag_seconds",
                "Since when the first of them is there",
                now.log_tail.map(|tail| tail.age.as_secs_f64()),
            ),
            ("duru_sockets_open", "WebSockets that are open", Some(now.sockets as f64)),
            ("duru_uptime_seconds", "How long this process serves", Some(self.since.elapsed().as_secs_f64())),
            ("process_resident_memory_bytes", "Memory that this process has in use", memory()),
            ("process_open_fds", "Files and connections that are open", open_files()),
        ] {
            if let Some(value) = value {
                registry.register(name, help, gauge(value));
            }
        }
        registry
    }
}

type Number = Gauge<f64, AtomicU64>;

fn gauge(value: f64) -> impl Metric {
    let gauge = Number::default();
    gauge.set(value);
    gauge
}

/// A number for each of several words.
fn labelled(of: impl IntoIterator<Item = (String, String, f64)>) -> impl Metric {
    let family = Family::<Vec<(String, String)>, Number>::default();
    for (label, word, value) in of {
        family.get_or_create(&vec![(label, word)]).set(value);
    }
    family
}

/// What other crates have counted: decisions, and what models took for them.
fn counted(registry: &mut Registry) {
    let all = duru_telemetry::tallies();
    for of_name in all.chunk_by(|one, next| one.name == next.name) {
        let family = Family::<Vec<(&'static str, String)>, Counter<f64, AtomicU64>>::default();
        for tally in of_name {
            family.get_or_create(&tally.labels).inc_by(tally.value);
        }
        if let Some(first) = of_name.first() {
            registry.register(first.name, first.help, family);
        }
    }
}

/// Methods of one's own are one: a caller must not add numbers.
fn known_method(method: &str) -> &'static str {
    let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    known.into_iter().find(|known| *known == method).unwrap_or("other")
}

fn class(status: u16) -> &'static str {
    ["1xx", "2xx", "3xx", "4xx", "5xx"]
        .get(usize::from(status / 100).saturating_sub(1))
        .copied()
        .unwrap_or("other")
}

/// What is known at the moment.
pub(crate) struct Now {
    pub(crate) waiting: usize,
    /// Since when the first of them does.
    pub(crate) queue_age: Duration,
    pub(crate) under_way: usize,
    pub(crate) sockets: usize,
    /// What the server depends on besides, and whether it is there.
    pub(crate) parts: Vec<(String, bool)>,
    pub(crate) is_leaving: bool,
    /// Where log lines are taken in that go elsewhere later.
    pub(crate) log_tail: Option<LogTail>,
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

    use serde_json::Value;

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
        let log_tail = Some(LogTail::default());
        let now = Now {
            waiting: 0,
            queue_age: Duration::ZERO,
            under_way: 0,
            sockets: 0,
            parts,
            is_leaving: false,
            log_tail,
        };
        let metrics = Metrics::default();
        metrics.answered("GET", Some("/ok"), 200, Duration::ZERO);
        metrics.settled("analyst", RunStatus::Success, Duration::ZERO);
        let given = named(&metrics.text(now));
        let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
        for (file, least) in [
            ("prometheus/duru.rules.yaml", 8),
            ("grafana/duru.json", 12),
            ("kubernetes/components/autoscaling/autoscaling.yaml", 1),
        ] {
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

    /// Whoever asks can't make the numbers more: routes are the server's, methods and statuses a handful.
    #[test]
    fn requests_are_counted_by_route_and_outcome_and_callers_add_no_numbers() {
        let metrics = Metrics::default();
        let took = Duration::from_millis(3);
        metrics.answered("POST", Some("/threads/{thread_id}/runs"), 200, took);
        metrics.answered("POST", Some("/threads/{thread_id}/runs"), 503, took);
        for at in 0..50 {
            metrics.answered(&format!("METHOD{at}"), None, 404, took);
        }
        metrics.settled("advisor", RunStatus::Error, Duration::from_secs(3));
        let parts = vec![("shard \"north\"".to_owned(), false)];
        let log_tail = Some(LogTail { rows: 7, age: took });
        let queue_age = Duration::from_millis(1_500);
        let now = Now { waiting: 2, queue_age, under_way: 1, sockets: 0, parts, is_leaving: false, log_tail };
        let text = metrics.text(now);
        for line in [
            "duru_requests_total{method=\"POST\",route=\"/threads/{thread_id}/runs\",status=\"2xx\"} 1",
            "duru_requests_total{method=\"POST\",route=\"/threads/{thread_id}/runs\",status=\"5xx\"} 1",
            "duru_requests_total{method=\"other\",route=\"unknown\",status=\"4xx\"} 50",
            "duru_request_seconds_count{route=\"unknown\"} 50",
            "duru_runs_total{graph=\"advisor\",status=\"error\"} 1",
            "duru_run_seconds_sum{graph=\"advisor\"} 3.0",
            "duru_part_up{part=\"shard \\\"north\\\"\"} 0.0",
            "duru_runs_waiting 2.0",
            "duru_queue_age_seconds 1.5",
            "duru_log_tail_rows 7.0",
            "duru_log_ship_lag_seconds 0.003",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}:\n{text}");
        }
        assert!(text.ends_with("# EOF\n"), "{text}");
        let all = json(&text);
        let family =
            |name: &str| all.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone();
        assert_eq!(family("duru_part_up")["samples"][0]["labels"]["part"], "shard \"north\"");
        assert_eq!(family("duru_requests_total")["type"], "counter");
        assert_eq!(family("duru_requests_total")["samples"].as_array().unwrap().len(), 3);
    }
}
