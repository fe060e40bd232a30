//! Formats that are found out: whole texts of many programs.

use duru_sql::ingest::{Layout, Mapping, Parsed, Reason, Settings, read_batch};
use duru_sql::{Level, LogType};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(text: &str) -> Parsed {
    read_with(text, &Mapping::default())
}

fn read_with(text: &str, mapping: &Mapping) -> Parsed {
    let settings = Settings::new(mapping).unwrap();
    read_batch(text.as_bytes(), Some("application/octet-stream"), None, &settings).unwrap()
}

/// What a text is found to be, by its layout's name.
fn layout(text: &str) -> String {
    let parsed = read(text);
    assert_eq!(parsed.bad, [], "{text}");
    match parsed.detected.unwrap().format {
        duru_sql::ingest::Format::Lines(format) => format.layout.name().to_owned(),
        other => format!("{other:?}"),
    }
}

const NGINX: &str = r#"203.0.113.9 - - [18/Mar/2026:14:30:00 +0900] "GET /cart HTTP/1.1" 200 153 "-" "Mozilla/5.0" 0.012
203.0.113.7 - kim [18/Mar/2026:14:30:01 +0900] "POST /pay?id=7 HTTP/1.1" 502 99 "https://a.kr/" "curl/8" 1.250
"#;

#[test]
fn formats_are_known_by_their_lines() {
    for (text, expected) in [
        (NGINX, "access"),
        ("[Wed Mar 18 14:30:00 2026] [error] [client 10.0.0.1] no such file\n", "apache_error"),
        ("Mar 15 06:25:01 web-1 sshd[4242]: Accepted publickey for kim from 10.0.0.1\n", "syslog"),
        ("<34>1 2026-03-15T06:25:01Z db pg 12 - - ready\n", "syslog"),
        (
            "ts=2026-03-15T06:25:01Z level=info msg=\"a b\"\nts=2026-03-15T06:25:02Z level=warn msg=c\n",
            "logfmt",
        ),
        ("03-15 10:00:00.123  1702  2395 W AudioTrack: no buffer\n", "logcat"),
        ("E0315 10:00:00.123456    1 reflector.go:138] failed\n", "klog"),
        ("2026-03-15 10:00:00,123 INFO [main] com.acme.Boot: up\n", "general"),
        ("2026-03-15 10:00:00 first, second\n2026-03-15 10:00:01 third, fourth\n", "general"),
        ("created_at\tlevel\tmessage\n2026-03-15 10:00:00\tINFO\tup\n", "Csv { delimiter: 9 }"),
        ("time;level;message\n2026-03-15 10:00:00;INFO;up\n", "Csv { delimiter: 59 }"),
        ("[{\"time\":\"2026-03-15 10:00:00\",\n  \"message\":\"m\"}\n]", "JsonArray"),
        ("{\"time\":\"2026-03-15 10:00:00\",\"message\":\"m\"}\n", "JsonLines"),
        ("\u{1b}[2m2026-03-15T10:00:00Z\u{1b}[0m \u{1b}[32m INFO\u{1b}[0m shop: up\n", "general"),
    ] {
        assert_eq!(layout(text), expected, "{text}");
    }
}

#[test]
fn requests_come_with_all_they_have() {
    let parsed = read(NGINX);
    let record = &parsed.records[1];
    assert_eq!(
        (record.level, record.created_at.to_string().as_str()),
        (Level::Error, "2026-03-18T05:30:01Z")
    );
    assert_eq!((record.method.as_deref(), record.path.as_deref()), (Some("POST"), Some("/pay")));
    assert_eq!((record.user_id.as_deref(), record.duration_us), (Some("kim"), Some(1_250_000)));
    let expected = json!({"client_ip": "203.0.113.7", "status_code": 502, "bytes": 99, "query": "id=7",
                          "referer": "https://a.kr/", "user_agent": "curl/8"});
    assert_eq!(Value::Object(record.metadata.clone().unwrap()), expected);
}

#[test]
fn a_stack_trace_belongs_to_its_line() {
    let text = "2026-03-15 10:00:00,123 ERROR [w-1] a.Pay - refused\njava.io.IOException: closed\n\tat a.B.c(B.java:7)\n\
                Caused by: a.X\n\n2026-03-15 10:00:01,000 INFO [w-1] a.Pay - two\nlines\n";
    let parsed = read(text);
    assert_eq!((parsed.records.len(), parsed.bad.len()), (2, 0));
    let first = &parsed.records[0];
    assert_eq!((first.error_type.as_deref(), first.service.as_str()), (Some("java.io.IOException"), "a.Pay"));
    assert_eq!(
        first.stack_trace.as_deref(),
        Some("java.io.IOException: closed\n\tat a.B.c(B.java:7)\nCaused by: a.X")
    );
    assert_eq!(parsed.records[1].message, "two\nlines");
}

#[test]
fn what_containers_wrapped_is_read_as_it_was_written() {
    let cri = "2026-03-15T10:00:00.1Z stdout F {\"level\":\"warn\",\"msg\":\"json\"}\n\
               2026-03-15T10:00:00.2Z stderr F {\"level\":\"error\",\"msg\":\"cut \n";
    let parsed = read(
        &cri.replace(" F {\"level\":\"error\"", " P {\"level\":\"error\"")
            .replace("\"cut \n", "\"cut \n2026-03-15T10:00:00.3Z stderr F in two\"}\n"),
    );
    assert_eq!(parsed.bad, []);
    let seen: Vec<_> = parsed.records.iter().map(|it| (it.level, it.message.as_str())).collect();
    assert_eq!(seen, [(Level::Warn, "json"), (Level::Error, "cut in two")]);
    assert_eq!(parsed.records[1].created_at.to_string(), "2026-03-15T10:00:00.2Z");

    let docker: String =
        ["2026-03-15 09:00:00 ERROR shop: boom", "\tat a.B.c(B.java:7)", "2026-03-15 09:00:01 INFO shop: up"]
            .map(|log| {
                json!({"log": format!("{log}\n"), "stream": "stderr", "time": "2026-03-15T00:00:00.5Z"})
                    .to_string()
                    + "\n"
            })
            .concat();
    let parsed = read(&docker);
    assert_eq!((parsed.records.len(), parsed.bad.len()), (2, 0));
    let first = &parsed.records[0];
    assert_eq!((first.message.as_str(), first.service.as_str()), ("boom", "shop"));
    assert_eq!(first.stack_trace.as_deref(), Some("\tat a.B.c(B.java:7)"));
    assert_eq!(first.created_at.to_string(), "2026-03-15T00:00:00.5Z", "the wrapper's time has a zone");
    assert_eq!(first.metadata.as_ref().unwrap()["stream"], "stderr");
}

#[test]
fn date_and_time_may_stand_in_two_columns() {
    let parsed = read("Date,Time,Level,Message\n15/03/2025,10:00:00,INFO,a\n16/03/2025,10:00:01.5,WARN,b\n");
    assert_eq!(parsed.bad, []);
    let times: Vec<_> = parsed.records.iter().map(|it| it.created_at.to_string()).collect();
    assert_eq!(times, ["2025-03-15T10:00:00Z", "2025-03-16T10:00:01.5Z"]);
    let parsed = read("{\"date\":\"250315\",\"time\":\"100000\",\"message\":\"m\"}\n");
    assert_eq!(parsed.records[0].created_at.to_string(), "2025-03-15T10:00:00Z");
}

#[test]
fn a_time_that_is_not_plausible_or_clear_is_a_reported_row() {
    let field = || "created_at".to_owned();
    let parsed = read("04/05/2025 10:00:00 INFO a: b\n04/05/2025 10:00:01 INFO a: c\n");
    let reasons: Vec<_> = parsed.bad.iter().map(|bad| (bad.row, bad.reason.clone())).collect();
    let ambiguous = Reason::AmbiguousTime { field: field() };
    assert_eq!(reasons, [(1, ambiguous.clone()), (2, ambiguous)]);
    let mapping = Mapping { time_format: Some("mdy".into()), ..Mapping::default() };
    let parsed = read_with("04/05/2025 10:00:00 INFO a: b\n", &mapping);
    assert_eq!(parsed.records[0].created_at.to_string(), "2025-04-05T10:00:00Z");

    let parsed = read(
        "2026-03-15 10:00:00 INFO a: b\n2081-03-15 10:00:00 INFO a: c\n2026-13-15 10:00:00 INFO a: d\n2026-03-15 25:00:00 INFO a: e\n",
    );
    assert_eq!(parsed.records.len(), 1);
    let reasons: Vec<_> = parsed.bad.iter().map(|bad| (bad.row, bad.reason.clone())).collect();
    assert_eq!(
        reasons,
        [
            (2, Reason::ImplausibleTime { field: field() }),
            (3, Reason::BadTime { field: field() }),
            (4, Reason::BadTime { field: field() }),
        ]
    );
    let parsed = read("17/06/09 20:10:40 INFO executor.Backend: ready\n");
    assert_eq!(parsed.records[0].created_at.to_string(), "2017-06-09T20:10:40Z");
    assert!(parsed.detected.unwrap().order_assumed, "and that is said");
}

#[test]
fn telephones_are_mobile_and_a_mapping_may_name_the_format() {
    let parsed = read("03-15 10:00:00.123  1702  2395 W AudioTrack: no buffer\n");
    assert_eq!((parsed.records[0].log_type, parsed.records[0].level), (LogType::Mobile, Level::Warn));
    let mapping = Mapping { format: Some("general".into()), year: Some(2019), ..Mapping::default() };
    let parsed = read_with("Mar 15 06:25:01 web-1 sshd[4242]: hello\n", &mapping);
    assert!(
        matches!(parsed.detected.unwrap().format, duru_sql::ingest::Format::Lines(it) if matches!(it.layout, Layout::General { .. }))
    );
    assert_eq!(parsed.records[0].created_at.to_string(), "2019-03-15T06:25:01Z");
    for mapping in [
        Mapping { format: Some("morse".into()), ..Mapping::default() },
        Mapping { time_format: Some("sometimes".into()), ..Mapping::default() },
    ] {
        assert!(Settings::new(&mapping).is_err());
    }
}

/// Lines as programs, and as nobody, would write them.
fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,60}",
        "[\\[\\]{}\"':=<>|,#\\-0-9A-Za-z \t]{0,60}",
        Just("2026-03-15 10:00:00,123 INFO [main] com.acme.Boot: up".to_owned()),
        Just("Mar 15 06:25:01 web-1 sshd[4242]: hello".to_owned()),
        Just("\tat a.B.c(B.java:7)".to_owned()),
        Just("{\"ts\":1773811800,\"msg\":\"m\"}".to_owned()),
        Just("2026-03-15T10:00:00Z stdout P half".to_owned()),
        Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_line_is_kept_or_reported_and_none_panics(lines in prop::collection::vec(any_line(), 0..12)) {
        let lines: Vec<String> = lines.into_iter().map(|line| line.replace(['\n', '\r'], " ")).collect();
        let text = lines.join("\n");
        let settings = Settings::default();
        if let Ok(parsed) = read_batch(text.as_bytes(), None, None, &settings) {
            let plain = matches!(parsed.detected.map(|it| it.format), Some(duru_sql::ingest::Format::Lines(it)) if it.wrapper.is_none());
            // What is kept has the text of its lines; what is not has its number.
            let kept: String = parsed.records.iter().map(|it| serde_json::to_string(it).unwrap()).collect();
            for (row, line) in (1..).zip(&lines).filter(|_| plain) {
                let marker: String = line.chars().rev().take_while(char::is_ascii_alphanumeric).collect();
                let marker: String = marker.chars().rev().collect();
                let reported = parsed.bad.iter().any(|bad| bad.row == row);
                prop_assert!(reported || kept.contains(&marker), "line {} of {:?}: {}", row, lines, kept);
            }
        }
    }
}
