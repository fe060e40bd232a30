//! What a server tells of itself: spans to a collector, and lines.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::collector::{self, Collector, Manner, attribute};
use crate::fixture::{Fixture, Place};
use crate::tools;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
/// Something that people would say, and nobody else is to hear.
const WORDS: &str = "주민등록번호 850101";

fn told(collector: &Collector, more: &[(&str, &str)], flags: &[&str]) -> Fixture {
    let mut variables = vec![
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str()),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
        ("OTEL_BSP_SCHEDULE_DELAY", "20"),
    ];
    variables.extend_from_slice(more);
    Place::sqlite().serve_told(flags, &variables)
}

/// Asks for a run of `three` as a part of a trace.
async fn ask(fixture: &Fixture, flags: &str, more: &str) -> crate::client::Answer {
    let headers = format!("application/json\r\ntraceparent: 00-{TRACE}-{PARENT}-{flags}{more}");
    let body =
        json!({ "assistant_id": "three", "input": { "x": 1 }, "metadata": { "note": WORDS } }).to_string();
    fixture.client().raw("POST", "/runs/wait?secret=1", &headers, Some(&body)).await.unwrap()
}

fn only<'a>(spans: &'a [Value], name: &str) -> &'a Value {
    let found: Vec<&Value> = spans.iter().filter(|span| span["name"] == name).collect();
    assert_eq!(found.len(), 1, "{name}: {spans:#?}");
    found[0]
}

#[tokio::test]
async fn a_request_its_run_and_its_nodes_are_one_trace_and_their_lines_say_which() {
    let collector = Collector::start(Manner::Takes).await;
    let more =
        [("OTEL_SERVICE_NAME", "두루-시험"), ("OTEL_EXPORTER_OTLP_HEADERS", "x-collector-key=open%20sesame")];
    let mut fixture = told(&collector, &more, &["--log", "info", "--key-per-second", "100"]);
    let key = fixture.key.clone().unwrap();
    let answer = ask(&fixture, "01", &format!("\r\nx-api-key: {key}\r\nx-request-id: mine-1")).await;
    assert_eq!((answer.status, answer.header("x-request-id")), (200, Some("mine-1")));
    fixture.terminate();
    assert!(fixture.ended(crate::client::PATIENCE).await.is_some_and(|status| status.success()));

    let spans = collector.spans();
    assert!(spans.iter().all(|span| span["traceId"] == TRACE), "{spans:#?}");
    let request = only(&spans, "POST /runs/wait");
    assert_eq!((&request["parentSpanId"], &request["kind"]), (&json!(PARENT), &json!(2)));
    for (name, value) in [
        ("http.response.status_code", json!("200")),
        ("url.path", json!("/runs/wait")),
        ("enduser.id", json!("fixture")),
        ("duru.request.id", json!("mine-1")),
    ] {
        assert_eq!(attribute(request, name), value, "{name}");
    }
    let run = only(&spans, "invoke_agent three");
    assert_eq!(run["parentSpanId"], request["spanId"]);
    for (name, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.agent.name", "three"),
        ("duru.run.status", "success"),
        ("enduser.id", "fixture"),
    ] {
        assert_eq!(attribute(run, name), value, "{name}");
    }
    for (step, node) in [("1", "a"), ("2", "b"), ("3", "c")] {
        let node = only(&spans, &format!("node {node}"));
        assert_eq!((&node["parentSpanId"], attribute(node, "duru.step")), (&run["spanId"], json!(step)));
        let time = |span: &Value, name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
        assert!(time(node, "startTimeUnixNano") >= time(run, "startTimeUnixNano"));
        assert!(time(node, "endTimeUnixNano") <= time(run, "endTimeUnixNano"));
    }
    let resource = collector.bodies()[0]["resourceSpans"][0]["resource"].clone();
    assert_eq!(attribute(&resource, "service.name"), "두루-시험");
    assert!(
        collector.heads().iter().all(|head| head.starts_with("post /v1/traces http/1.1")
            && head.contains("x-collector-key: open sesame"))
    );

    let log = fixture.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = |message: &str| lines.iter().find(|line| line["message"] == message).unwrap();
    let (of_request, of_run) = (line("request"), line("run"));
    for (name, value) in [
        ("status", json!(200)),
        ("request", json!("mine-1")),
        ("who", json!("fixture")),
        ("trace_id", json!(TRACE)),
    ] {
        assert_eq!(of_request[name], value, "{of_request}");
    }
    assert_eq!((&of_run["status"], &of_run["graph"]), (&json!("success"), &json!("three")));
    assert_eq!(of_run["run"], attribute(run, "duru.run.id"));
    assert!(of_run["ms"].is_u64() && of_run["thread"].is_string(), "{of_run}");

    // Nothing of what was asked, of the key and of the query is told to anybody.
    let secret = key.rsplit('_').next().unwrap();
    let everything = format!("{log}{:?}", collector.bodies());
    for hidden in [secret, WORDS, "secret=1", "open sesame"] {
        assert!(!everything.contains(hidden), "{hidden}");
    }
}

#[tokio::test]
async fn a_collector_that_hangs_makes_nobody_wait_and_what_is_dropped_is_counted() {
    let collector = Collector::start(Manner::Hangs).await;
    let more = [("OTEL_BSP_MAX_QUEUE_SIZE", "4"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2")];
    let fixture = told(&collector, &more, &[]);
    for _ in 0..10 {
        assert_eq!(ask(&fixture, "01", "").await.status, 200);
    }
    let metrics = fixture.client().get("/metrics").await.text;
    let count = |became: &str| -> u64 {
        let start = format!("duru_spans_total{{became=\"{became}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(&start)?.parse().ok()).unwrap()
    };
    // Five spans each, and room for six at the most.
    assert!(count("dropped") >= 40, "{metrics}");
    assert_eq!(count("sent"), 0);
}

/// Requests as OpenTelemetry's own messages read them.
fn read_by_opentelemetry(requests: &[Vec<u8>]) -> Option<Vec<Value>> {
    let folder = tools::scripts().join("otlp");
    let wanted = std::fs::read_to_string(folder.join("requirements.txt")).unwrap();
    let python = tools::python("otlp", &wanted)?;
    let read = |request: &Vec<u8>| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), request).unwrap();
        let output = Command::new(&python).arg(folder.join("read.py")).arg(file.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    Some(requests.iter().map(read).collect())
}

#[tokio::test]
async fn unless_told_otherwise_spans_are_sent_as_the_protocols_own_messages() {
    let collector = Collector::start(Manner::Takes).await;
    let more =
        [("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"), ("OTEL_RESOURCE_ATTRIBUTES", "service.name=두루")];
    let mut fixture = told(&collector, &more, &[]);
    assert_eq!(ask(&fixture, "01", "").await.status, 200);
    fixture.terminate();
    assert!(fixture.ended(crate::client::PATIENCE).await.is_some_and(|status| status.success()));
    assert!(collector.heads().iter().all(|head| head.contains("content-type: application/x-protobuf")));
    let Some(bodies) = read_by_opentelemetry(&collector.raw()) else { return };
    assert_eq!(attribute(&bodies[0]["resourceSpans"][0]["resource"], "service.name"), "두루");
    let spans: Vec<Value> = bodies.iter().flat_map(collector::spans).collect();
    let (request, run, node) =
        (only(&spans, "POST /runs/wait"), only(&spans, "invoke_agent three"), only(&spans, "node c"));
    assert_eq!((&request["traceId"], &request["parentSpanId"]), (&json!(TRACE), &json!(PARENT)));
    assert_eq!((&run["parentSpanId"], &node["parentSpanId"]), (&request["spanId"], &run["spanId"]));
    assert_eq!((&request["kind"], &node["kind"]), (&json!("SPAN_KIND_SERVER"), &json!("SPAN_KIND_INTERNAL")));
    assert_eq!(attribute(request, "http.response.status_code"), "200");
    assert_eq!(
        (attribute(run, "gen_ai.agent.name"), attribute(node, "duru.step")),
        (json!("three"), json!("3"))
    );
    let time = |name: &str| node[name].as_str().unwrap().parse::<u64>().unwrap();
    assert!(time("endTimeUnixNano") >= time("startTimeUnixNano"));
}

#[tokio::test]
async fn what_whoever_asked_does_not_keep_is_not_sent() {
    let collector = Collector::start(Manner::Takes).await;
    let fixture = told(&collector, &[], &[]);
    assert_eq!(ask(&fixture, "00", "").await.status, 200);
    // One that is kept comes behind it, so that there is something to wait for.
    assert_eq!(ask(&fixture, "01", "").await.status, 200);
    let give_up = Instant::now() + crate::client::PATIENCE;
    while collector.spans().len() < 5 {
        assert!(Instant::now() < give_up, "{:?}", collector.spans());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let requests = collector.spans().iter().filter(|span| span["name"] == "POST /runs/wait").count();
    assert_eq!(requests, 1);
}
