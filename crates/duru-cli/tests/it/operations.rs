//! What a server of the product tells of itself, and what can be done about runs that failed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::Desk;
use crate::serve::Serving;

/// Takes the spans of a server; gives the bodies when nobody sends any more.
pub(crate) fn collector() -> (String, mpsc::Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, bodies) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            let (mut writer, mut reader) = (stream.try_clone().unwrap(), BufReader::new(stream));
            loop {
                let (mut length, mut line) = (0, String::new());
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    line.clear();
                }
                if length == 0 {
                    break;
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                sender.send(serde_json::from_slice(&body).unwrap()).unwrap();
                writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").unwrap();
            }
        }
    });
    (address, bodies)
}

#[test]
fn decisions_and_runs_are_counted_by_what_made_them() {
    let desk = Desk::new();
    let mut command = desk.command(&["serve", "--port", "0"]);
    command.stderr(Stdio::null());
    let server = Serving::of(command);
    server.ask("POST", "/query", Some(json!({ "question": "최근 24시간 서비스별 에러 건수" })));
    let all = server.ask("GET", "/metrics?format=json", None);
    let samples = |name: &str| -> Vec<Value> {
        let family = all.as_array().unwrap().iter().find(|family| family["name"] == name);
        family.unwrap_or_else(|| panic!("{name}: {all}"))["samples"].as_array().unwrap().clone()
    };
    let by_rule = |sample: &Value| {
        let labels = &sample["labels"];
        labels["by"] == "rule" && labels["decision"].as_str().is_some_and(|name| name.starts_with("analyst/"))
    };
    assert!(samples("duru_decisions_total").iter().any(by_rule), "{all}");
    let runs = samples("duru_runs_total");
    let run = runs.iter().find(|sample| sample["labels"]["graph"] == "analyst").unwrap();
    assert_eq!((&run["labels"]["status"], &run["value"]), (&json!("success"), &json!(1.0)));
}

#[test]
fn a_question_is_one_trace_down_to_its_query_and_the_audit_log_says_who_asked() {
    let desk = Desk::new();
    let made = desk.run(&["keys", "add", "kim", "--json"]).json();
    let key = format!("x-api-key: {}", made["key"].as_str().unwrap());
    let (address, bodies) = collector();
    let mut command = desk.command(&["serve", "--port", "0", "--log-format", "json"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", address).env("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
    command.env("OTEL_TRACES_SAMPLER", "parentbased_always_on");
    command.stderr(Stdio::piped());
    let mut server = Serving::of(command);
    let body = json!({ "question": "최근 24시간 서비스별 에러 건수" }).to_string();
    let (status, answer) = server.post("/query", &[&key, "content-type: application/json"], body.as_bytes());
    assert_eq!(status, 200, "{answer}");
    let mut errors = server.child.stderr.take().unwrap();
    let stopped = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(stopped.success() && server.child.wait().unwrap().success());

    let spans: Vec<Value> = bodies
        .try_iter()
        .flat_map(|body| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().cloned().unwrap())
        .collect();
    let span = |name: &str| {
        spans.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("{name}: {spans:#?}"))
    };
    let chain = ["POST /query", "invoke_agent analyst", "node execute_query", "query logs"].map(span);
    for pair in chain.windows(2) {
        assert_eq!(pair[1]["parentSpanId"], pair[0]["spanId"], "{} in {}", pair[1]["name"], pair[0]["name"]);
        assert_eq!(pair[1]["traceId"], pair[0]["traceId"]);
    }
    // A rule decided, and a span says so.
    let decision = spans.iter().find(|span| span["name"].as_str().unwrap().starts_with("decision analyst/"));
    let by = decision
        .and_then(|span| span["attributes"].as_array()?.iter().find(|one| one["key"] == "duru.decision.by"));
    assert_eq!(by.unwrap()["value"]["stringValue"], "rule");

    let mut lines = String::new();
    errors.read_to_string(&mut lines).unwrap();
    let line = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let line = line.into_iter().find(|line| line["message"] == "run").unwrap_or_else(|| panic!("{lines}"));
    assert_eq!(
        (&line["graph"], &line["who"], &line["status"]),
        (&json!("analyst"), &json!("kim"), &json!("success"))
    );
    let told = format!("{lines}{spans:?}");
    for hidden in ["에러 건수", "GROUP BY", made["key"].as_str().unwrap()] {
        assert!(!told.contains(hidden), "{hidden}: {told}");
    }
    let audit = std::fs::read_to_string(desk.path("duru/audit.jsonl")).unwrap();
    let sql: Vec<Value> = audit
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["kind"] == "sql")
        .collect();
    assert!(!sql.is_empty(), "{audit}");
    assert!(
        sql.iter().all(|line| line["who"] == "kim" && line["sql"].as_str().unwrap().contains("SELECT")),
        "{audit}"
    );
}

#[test]
fn runs_that_failed_for_good_are_told_in_both_languages() {
    let desk = Desk::new();
    for (lang, none, unknown) in [
        ("ko", "끝내 실패한 실행이 없습니다", "이런 것이 없습니다"),
        ("en", "no runs that failed", "has this id"),
    ] {
        let seen = desk.run(&["runs", "dead", "list", "--lang", lang]);
        assert!(seen.code == Some(0) && seen.err.contains(none), "{seen:?}");
        for action in ["show", "retry", "drop"] {
            for run in ["00000000-0000-7000-8000-000000000000", "nonsense"] {
                let seen = desk.run(&["runs", "dead", action, run, "--lang", lang]);
                assert!(seen.code == Some(2) && seen.err.contains(unknown), "{seen:?}");
            }
        }
    }
    assert_eq!(desk.run(&["runs", "dead", "list", "--json"]).json()["dead"], json!([]));
}

#[test]
fn settings_of_lines_and_traces_that_make_no_sense_are_named() {
    let desk = Desk::new();
    for (name, value) in [
        ("DURU_LOG", "loud"),
        ("DURU_LOG_LEVEL", "loud"),
        ("DURU_LOG_FORMAT", "xml"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "gopher://x"),
    ] {
        let output =
            desk.command(&["serve", "--port", "0", "--lang", "en"]).env(name, value).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(3) && said.contains(name), "{said}");
    }
    let mut command = desk.command(&["doctor", "--offline", "--json"]);
    let output = command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "gopher://x").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = report["checks"].as_array().unwrap().iter().find(|check| check["check"] == "traces").unwrap();
    assert_eq!((output.status.code(), &found["state"]), (Some(1), &json!("bad")), "{found}");
}

#[test]
fn the_doctor_looks_at_a_database_its_role_and_its_clock() {
    let Some(database) = crate::postgres::server() else { return };
    let desk = Desk::new();
    let (url, logs) = (database.url(), desk.path("logs"));
    let mut command = desk.command(&["doctor", "--offline", "--json", "--store", &url]);
    let output = command.env("DURU_LOGS", &logs).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = |check: &str| {
        let checks = report["checks"].as_array().unwrap();
        checks.iter().filter(|found| found["check"] == check).cloned().collect::<Vec<Value>>()
    };
    let version = &found("database")[0];
    assert!(version["what"].as_str().unwrap().starts_with("PostgreSQL "), "{report}");
    // The rig's own role may do everything, and that is told with what to do.
    let role = &found("database role")[0];
    assert!(role["state"] == "fair" && role["fix"].as_str().unwrap().contains("CREATE ROLE"), "{report}");
    assert!(
        found("clock")
            .iter()
            .any(|clock| clock["what"].as_str().unwrap().contains("from the database's clock")),
        "{report}"
    );
    for check in ["configuration", "model", "store", "disk", "port", "terminal"] {
        assert!(check == "disk" || !found(check).is_empty(), "{check}: {report}");
    }
}
