//! Lines of other programs.

use std::io::Write as _;
use std::sync::Arc;

use duru_sql::guard::{Checked, Lang};
use duru_sql::ingest::{Error, Ingest, Mapping, Parsed, Reason, Settings, find, read_batch};
use duru_sql::{Level, LogType, Record, TableSource};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::fixture::{Database, asking};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn parse(body: &str, mapping: &Mapping) -> Parsed {
    read_batch(body.as_bytes(), None, None, &Settings::new(mapping).unwrap()).unwrap()
}

fn one(row: &Value) -> Record {
    let mut parsed = parse(&row.to_string(), &Mapping::default());
    assert_eq!(parsed.bad, [], "{row}");
    parsed.records.remove(0)
}

#[test]
fn fields_are_known_by_the_names_that_others_give_them() {
    let rows = [
        json!({"@timestamp": "2026-03-18T05:30:00Z", "log.level": "warning", "message": "m", "service.name": "s",
               "trace.id": "t", "event.duration": 1_500_000}),
        json!({"ts": 1_773_811_800, "lvl": "WARN", "msg": "m", "svc": "s", "traceId": "t", "elapsed": "1.5ms"}),
        json!({"time": 1_773_811_800_000_i64, "level": 40, "body": "m", "service": {"name": "s"},
               "trace": {"id": "t"}, "duration_us": 1500}),
        json!({"timestamp": "2026-03-18 05:30:00", "severity": "Warning", "log": "m", "app": "s", "trace_id": "t",
               "latency_ms": 1.5}),
    ];
    for row in rows {
        let record = one(&row);
        assert_eq!(record.created_at.to_string(), "2026-03-18T05:30:00Z", "{row}");
        assert_eq!(
            (record.level, record.message.as_str(), record.service.as_str()),
            (Level::Warn, "m", "s"),
            "{row}"
        );
        assert_eq!((record.trace_id.as_deref(), record.duration_us), (Some("t"), Some(1500)), "{row}");
        assert_eq!(record.metadata, None, "{row}");
    }
}

#[test]
fn what_is_unknown_goes_to_the_metadata() {
    let record = one(&json!({
        "timestamp": "2026-03-18T05:30:00Z", "time": "later", "message": "m", "status_code": 503, "empty": null,
        "http": {"request": {"method": "GET"}, "version": "1.1"}, "metadata": {"host": "a"}, "id": "not ours",
    }));
    assert_eq!(record.method.as_deref(), Some("GET"));
    let expected = json!({"status_code": 503, "http": {"request": {}, "version": "1.1"}, "host": "a",
                          "id": "not ours", "time": "later"});
    assert_eq!(Value::Object(record.metadata.unwrap()), expected);
    assert_eq!((record.level, record.log_type, record.id), (Level::Info, LogType::Backend, None));
}

#[test]
fn names_inside_of_objects_are_known_by_name_and_type() {
    let record = one(&json!({
        "@timestamp": "2026-03-18T05:30:00Z", "message": "done",
        "fields": {"level": "error", "user": {"id": "u1"}, "service": "pay", "time": 3, "color": "red"},
        "req": {"method": "GET", "url": "/cart", "body": "secret"}, "res": {"statusCode": 502, "responseTime": 12},
        "attributes": {"session_id": "s1", "level": {"deep": 1}},
    }));
    assert_eq!(
        (record.level, record.service.as_str(), record.message.as_str()),
        (Level::Error, "pay", "done")
    );
    assert_eq!((record.method.as_deref(), record.path.as_deref()), (Some("GET"), Some("/cart")));
    assert_eq!((record.user_id.as_deref(), record.session_id.as_deref()), (Some("u1"), Some("s1")));
    assert_eq!(record.duration_us, Some(12_000));
    let expected = json!({"fields": {"user": {}, "time": 3, "color": "red"}, "req": {"body": "secret"},
                          "res": {"statusCode": 502}, "level": {"deep": 1}});
    assert_eq!(Value::Object(record.metadata.unwrap()), expected);
}

#[test]
fn a_bad_row_is_named_and_the_others_are_kept() {
    let body = "{\"ts\":1773811800,\"msg\":\"ok\"}\n\nnot json\n[1]\n{\"msg\":\"no time\"}\n{\"ts\":\"soon\",\"msg\":\"m\"}\n\
                {\"ts\":1773811800,\"level\":\"loud\",\"msg\":\"m\"}\n{\"ts\":1773811800}\n{\"ts\":1773811800,\"msg\":\"m\",\"duration_ms\":1e12}\n\
                {\"ts\":1773811801,\"msg\":\"ok\"}";
    let parsed = parse(body, &Mapping::default());
    assert_eq!(parsed.records.len(), 2);
    let reasons: Vec<_> = parsed.bad.iter().map(|bad| (bad.row, bad.reason.clone())).collect();
    let field = |name: &str| name.to_owned();
    assert_eq!(
        reasons,
        [
            (3, Reason::NotJson),
            (4, Reason::NotAnObject),
            (5, Reason::NoTime),
            (6, Reason::BadTime { field: field("ts") }),
            (7, Reason::BadLevel { field: field("level") }),
            (8, Reason::NoMessage),
            (9, Reason::BadDuration { field: field("duration_ms") }),
        ]
    );
    assert_eq!(parsed.bad[2].text(Lang::Ko), "5행: 시각이 없습니다");
    assert_eq!(parsed.bad[2].text(Lang::En), "row 5: it has no time");
}

#[test]
fn csv_with_a_header() {
    let body = "\u{feff}created_at,level,service,message,duration_ms,deleted,metadata,user_id,path\r\n\
                2026-03-18 14:30:00,ERROR,pay,\"두 줄\n\"\"따옴표\"\"\",12.345,t,\"{\"\"a\"\": 1}\",,/x\r\n\
                too,few\r\n\
                2026-03-18 14:30:01,INFO,pay,m,,f,,u1,\r\n";
    let settings =
        Settings::new(&Mapping { timezone: Some("Asia/Seoul".into()), ..Mapping::default() }).unwrap();
    let parsed = read_batch(body.as_bytes(), Some("text/csv; charset=utf-8"), None, &settings).unwrap();
    let first = &parsed.records[0];
    assert_eq!(first.created_at.to_string(), "2026-03-18T05:30:00Z");
    assert_eq!(
        (first.message.as_str(), first.duration_us, first.deleted),
        ("두 줄\n\"따옴표\"", Some(12_345), true)
    );
    assert_eq!(first.metadata, json!({"a": 1}).as_object().cloned());
    assert_eq!((first.user_id.as_deref(), first.path.as_deref()), (None, Some("/x")));
    assert_eq!(parsed.records[1].user_id.as_deref(), Some("u1"));
    assert_eq!(parsed.bad.len(), 1);
    assert_eq!(parsed.bad[0].reason, Reason::NotCsv);
}

#[test]
fn plain_text_by_a_pattern() {
    let mapping = Mapping {
        pattern: Some(r"^(?P<time>\S+ \S+) \[(?P<level>\w+)\] (?P<service>[\w-]+): (?P<message>.*)$".into()),
        timezone: Some("Asia/Seoul".into()),
        defaults: [("environment".to_owned(), "staging".to_owned())].into(),
        levels: [("주의".to_owned(), "WARN".to_owned())].into(),
        ..Mapping::default()
    };
    let body = "2026-03-18 14:30:00,250 [주의] pay-api: 느립니다\r\nno match\n2026-03-18 14:30:01,000 [ERROR] x: y\n";
    let parsed = parse(body, &mapping);
    assert_eq!(parsed.records.len(), 2);
    let first = &parsed.records[0];
    assert_eq!(
        (first.level, first.service.as_str(), first.message.as_str()),
        (Level::Warn, "pay-api", "느립니다")
    );
    assert_eq!(
        (first.created_at.to_string().as_str(), first.environment.as_str()),
        ("2026-03-18T05:30:00.25Z", "staging")
    );
    assert_eq!((parsed.bad[0].row, &parsed.bad[0].reason), (2, &Reason::NoMatch));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let error = |mapping: Mapping| Settings::new(&mapping).unwrap_err();
    assert!(matches!(
        error(Mapping { timezone: Some("Mars".into()), ..Mapping::default() }),
        Error::UnknownTimezone(_)
    ));
    assert!(matches!(
        error(Mapping { pattern: Some("(".into()), ..Mapping::default() }),
        Error::BadPattern { .. }
    ));
    assert!(matches!(error(Mapping { pattern: Some("a".into()), ..Mapping::default() }), Error::NoGroups));
    let fields = [("nothing".to_owned(), vec![])].into();
    assert!(matches!(error(Mapping { fields, ..Mapping::default() }), Error::UnknownColumn(_)));
    let plain = read_batch(b"just words", None, None, &Settings::default());
    assert!(matches!(plain, Err(Error::NeedsPattern)));
}

#[test]
fn a_body_may_be_an_array_an_object_or_lines_and_compressed() {
    let row = json!({"ts": 1773811800, "msg": "m"});
    let array = json!([row, 5, row]).to_string();
    let wrapped = json!({"logs": [row, row]}).to_string();
    let pretty = serde_json::to_string_pretty(&row).unwrap();
    let lines = format!("{row}\n{row}\n{row}\n");
    for (body, good) in [(&array, 2), (&wrapped, 2), (&pretty, 1), (&lines, 3)] {
        let plain =
            read_batch(body.as_bytes(), Some("application/json"), None, &Settings::default()).unwrap();
        assert_eq!(plain.records.len(), good, "{body}");
        let packed = gzip(body.as_bytes());
        let packed = read_batch(&packed, None, Some("gzip"), &Settings::default()).unwrap();
        assert_eq!(packed, plain);
    }
    let unknown = read_batch(b"x", None, Some("br"), &Settings::default());
    assert!(matches!(unknown, Err(Error::UnknownEncoding(_))));
    let damaged = read_batch(&gzip(b"{}")[..8], None, Some("gzip"), &Settings::default());
    assert!(matches!(damaged, Err(Error::Damaged)));
}

#[test]
fn a_bomb_does_not_go_off() {
    let mut settings = Settings::default();
    (settings.body_bytes, settings.row_bytes) = (1 << 20, 1 << 10);
    let bomb = gzip(&vec![b' '; 8 << 20]);
    let error = read_batch(&bomb, None, Some("gzip"), &settings).unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 1_048_576 }), "{error}");
    let long = format!(
        "{{\"ts\":1773811800,\"msg\":\"{}\"}}\n{{\"ts\":1773811800,\"msg\":\"m\"}}",
        "x".repeat(5_000)
    );
    let parsed = read_batch(long.as_bytes(), None, None, &settings).unwrap();
    assert_eq!((parsed.records.len(), &parsed.bad[0].reason), (1, &Reason::TooLong { limit: 1024 }));
    let deep = format!("[{}]", "[".repeat(100_000));
    assert_eq!(read_batch(deep.as_bytes(), None, None, &settings).unwrap().records, []);
}

#[test]
fn personal_data_is_hidden_where_people_write() {
    let row = json!({"ts": 1773811800, "msg": "고객 010-1234-5678", "user": "kim@corp.kr", "card": 4111111111111111_u64,
                     "nested": {"rrn": ["900101-1234567"]}, "status_code": 200});
    let parsed = parse(&row.to_string(), &Mapping { mask: true, ..Mapping::default() });
    let record = &parsed.records[0];
    assert_eq!((record.message.as_str(), record.user_id.as_deref()), ("고객 [PHONE]", Some("[EMAIL]")));
    let expected = json!({"card": "[CARD]", "nested": {"rrn": ["[RRN]"]}, "status_code": 200});
    assert_eq!(Value::Object(record.metadata.clone().unwrap()), expected);
}

fn lines(count: usize) -> String {
    (0..count)
        .map(|i| format!("{{\"ts\":{},\"msg\":\"m {i}\",\"svc\":\"s\"}}\n", 1_773_811_800 + i))
        .collect()
}

#[tokio::test]
async fn folders_are_kept_once_however_often_they_are_sent() {
    let Some(database) = Database::new().await else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("b")).unwrap();
    std::fs::write(folder.path().join("a.jsonl"), lines(2_345)).unwrap();
    std::fs::write(folder.path().join("b/c.log.gz"), gzip(lines(7).replace("m ", "other ").as_bytes()))
        .unwrap();
    std::fs::write(
        folder.path().join("b/d.json"),
        format!("[{}]", lines(3).trim().replace('\n', ",").replace("m ", "third ")),
    )
    .unwrap();
    std::fs::write(folder.path().join("picture.png"), "no").unwrap();
    std::fs::write(folder.path().join(".hidden.log"), "no").unwrap();
    let found = find(&[folder.path().to_owned()]).unwrap();
    assert_eq!(found.files.len(), 3);

    let logs = Arc::new(database.logs().await);
    let ingest = Ingest { store: Some(logs.clone()), settings: Arc::default(), format: None };
    let mut seen = 0;
    let first = ingest.files(&found.files, &mut |progress| seen = progress.rows).await.unwrap();
    assert_eq!((first.files, first.kept, first.again, first.bad), (3, 2_355, 0, 0));
    assert_eq!(seen, 2_355);
    let second = ingest.files(&found.files, &mut |_| {}).await.unwrap();
    assert_eq!((second.kept, second.again), (2_355, 2_355));
    let count = Checked::trusted("SELECT count(*), count(DISTINCT message) FROM logs");
    let rows = logs.query(&count, &asking()).await.unwrap().rows;
    assert_eq!(rows, [[json!(2_355), json!(2_355)]]);

    let dry = Ingest { store: None, ..ingest };
    assert_eq!(dry.files(&found.files, &mut |_| {}).await.unwrap().kept, 2_355);
}

#[tokio::test]
async fn a_file_that_expands_without_end_or_is_damaged_is_an_error_and_what_came_before_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl.gz");
    let mut settings = Settings::default();
    (settings.body_bytes, settings.expansion) = (1 << 20, 10);
    let ingest = Ingest { store: None, settings: Arc::new(settings), format: None };
    std::fs::write(&path, gzip(&vec![b'\n'; 8 << 20])).unwrap();
    let (file, error) = ingest.files(std::slice::from_ref(&path), &mut |_| {}).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 1_048_576 }), "{error}");
    assert_eq!(file, path);

    let packed = gzip(lines(5_000).as_bytes());
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let mut rows = 0;
    let (_, error) = ingest.files(&[path], &mut |progress| rows = progress.rows).await.unwrap_err();
    assert!(matches!(error, Error::Damaged), "{error}");
    assert!(rows > 0);
}

#[test]
fn a_body_is_an_object_with_rows_an_array_lines_or_one_row() {
    let row = r#"{"ts": "2026-03-18T05:30:00Z", "msg": "m"}"#;
    let mut settings = Settings::default();
    settings.batch_rows = 3;
    let read = |body: &str| read_batch(body.as_bytes(), Some("application/json"), None, &settings);
    let count = |body: &str| {
        let parsed = read(body).unwrap();
        (parsed.records.len(), parsed.bad.iter().map(|bad| bad.row).collect::<Vec<_>>())
    };
    assert_eq!(
        count(&format!(r#"{{"items": 7, "took": {{"a": [1]}}, "logs": [{row}, 1, {row}]}}"#)),
        (2, vec![2])
    );
    assert_eq!(count(&format!("[{row}, {{}}]")), (1, vec![2]), "an empty object is no row, and that is said");
    assert_eq!(count(&format!("{row}\n\n{row}\n")), (2, vec![]));
    assert_eq!(count("{\n  \"ts\": 1773811800,\n  \"msg\": \"m\"\n}"), (1, vec![]));
    assert_eq!(count(""), (0, vec![]));
    assert!(matches!(read(&format!("[{row}, {row}, {row}, {row}]")), Err(Error::TooManyRows { limit: 3 })));
    // The same lines are the same batch, however they were compressed.
    assert_eq!(read(row).unwrap().digest, read(row).unwrap().digest);
    assert_ne!(read(row).unwrap().digest, read(&format!("{row} ")).unwrap().digest);
}
