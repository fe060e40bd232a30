//! `POST /logs/ingest`, over a socket.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::Desk;
use crate::postgres;
use crate::serve::Serving;

const JSON: &str = "content-type: application/json";
const LINES: &str = "content-type: application/x-ndjson";

impl Serving {
    /// The status and the body of an answer.
    pub(crate) fn post(&self, path: &str, headers: &[&str], body: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n",
            body.len()
        );
        headers.iter().for_each(|header| head.push_str(&format!("{header}\r\n")));
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // One that refuses need not read it all.
        drop(stream.write_all(body));
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or_else(|_| panic!("{text}")))
    }
}

fn row(message: &str) -> Value {
    json!({"timestamp": "2026-03-18T14:30:00+09:00", "level": "error", "service": "pay", "message": message})
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn messages(desk: &Desk, logs: &str) -> Vec<String> {
    let seen =
        desk.run(&["ask", "--run", "SELECT message FROM logs ORDER BY message", "--logs", logs, "--json"]);
    let rows = seen.json()["results"].as_array().unwrap_or_else(|| panic!("{seen:?}")).clone();
    rows.iter().map(|row| row["message"].as_str().unwrap().to_owned()).collect()
}

/// What both stores must do.
fn takes_batches(desk: &Desk, logs: &str) {
    let server = Serving::with(desk, &["--logs", logs]);
    let array = json!([row("array 1"), {"service": "pay"}, row("array 2"), 7]).to_string();
    let (status, taken) = server.post("/logs/ingest?lang=ko", &[JSON], array.as_bytes());
    assert_eq!(status, 200, "{taken}");
    assert_eq!((&taken["accepted"], &taken["rejected_rows"]), (&json!(2), &json!(2)), "{taken}");
    assert_eq!(taken["rejected"][0], json!({"row": 2, "reason": "시각이 없습니다"}));
    assert_eq!(taken["rejected"][1], json!({"row": 4, "reason": "JSON 객체가 아닙니다"}));

    let lines = format!("{}\nnonsense\n\n{}\n", row("line 1"), row("line 2"));
    let (_, taken) = server.post("/logs/ingest", &[LINES], lines.as_bytes());
    assert_eq!(taken["rejected"], json!([{"row": 2, "reason": "this is not JSON"}]), "{taken}");
    let (_, taken) = server.post("/logs/ingest", &[JSON], row("one object").to_string().as_bytes());
    assert_eq!((&taken["accepted"], &taken["duplicate"]), (&json!(1), &json!(false)), "{taken}");

    // Sent again under its key, as it was or otherwise compressed, a batch is kept once.
    let body = json!({"logs": [row("keyed 1"), row("keyed 2")]}).to_string();
    let key = "Idempotency-Key: batch-7";
    let first = server.post("/logs/ingest", &[JSON, key, "content-encoding: gzip"], &gzip(body.as_bytes()));
    assert_eq!((first.0, &first.1["accepted"], &first.1["duplicate"]), (200, &json!(2), &json!(false)));
    let again = server.post("/logs/ingest", &[JSON, key], body.as_bytes());
    assert_eq!((again.0, &again.1["accepted"], &again.1["duplicate"]), (200, &json!(2), &json!(true)));
    // A key that somebody uses twice by mistake loses nothing.
    let other = server.post("/logs/ingest", &[JSON, key], row("other").to_string().as_bytes());
    assert_eq!((&other.1["accepted"], &other.1["duplicate"]), (&json!(1), &json!(false)));

    // Acknowledged is durable: nobody is told that it dies.
    drop(server);
    let all = ["array 1", "array 2", "keyed 1", "keyed 2", "line 1", "line 2", "one object", "other"];
    assert_eq!(messages(desk, logs), all);
    let server = Serving::with(desk, &["--logs", logs]);
    let again = server.post("/logs/ingest", &[JSON, key], body.as_bytes());
    assert_eq!(again.1["duplicate"], true, "{}", again.1);
}

#[test]
fn the_embedded_store_takes_batches() {
    let desk = Desk::new();
    takes_batches(&desk, &desk.path("logs").display().to_string());
}

#[test]
fn postgres_takes_batches() {
    let desk = Desk::new();
    let Some(server) = postgres::server() else { return };
    assert_eq!(desk.run(&["logs", "init", &server.url()]).code, Some(0));
    takes_batches(&desk, &server.url());
}

#[test]
fn a_file_is_taken_as_it_is() {
    let desk = Desk::new();
    let logs = desk.path("logs").display().to_string();
    let server = Serving::with(&desk, &["--logs", &logs]);
    let file = "203.0.113.9 - - [18/Mar/2026:14:30:00 +0900] \"GET /cart HTTP/1.1\" 502 9\nnonsense\n";
    let kind = "content-type: application/octet-stream";
    let (status, taken) = server.post("/logs/ingest?lang=ko", &[kind], file.as_bytes());
    assert_eq!((status, &taken["accepted"], &taken["rejected_rows"]), (200, &json!(1), &json!(1)), "{taken}");
    assert_eq!(taken["format"], "nginx·Apache 접근 로그");
    assert_eq!(taken["rejected"][0], json!({"row": 2, "reason": "이 파일의 다른 줄과 형식이 다릅니다"}));
    let (status, taken) = server.post("/logs/ingest", &[kind], b"just words\nand more of them\n");
    assert!(status == 400 && taken["detail"].as_str().unwrap().contains("no known format"), "{taken}");
    drop(server);
    assert_eq!(messages(&desk, &logs), ["GET /cart HTTP/1.1 502"]);
}

#[test]
fn what_can_not_be_taken_is_refused_and_the_server_goes_on() {
    let desk = Desk::new();
    let server = Serving::with(&desk, &["--logs", &desk.path("logs").display().to_string()]);
    let body = row("fine").to_string();
    let bomb = gzip(&vec![b' '; 40 << 20]);
    let many = format!("[{}1]", "1,".repeat(200_000));
    let large = vec![b' '; 17 << 20];
    let cases: [(&[&str], &[u8], u16, &str); 9] = [
        (&["content-type: text/plain"], body.as_bytes(), 415, "content type"),
        (&[], body.as_bytes(), 415, "content type"),
        (&[JSON, "content-encoding: br"], body.as_bytes(), 415, "gzip"),
        (&[JSON, "content-encoding: gzip"], b"nonsense", 400, "damaged"),
        (&[JSON, "content-encoding: gzip"], &bomb, 413, "expanded"),
        (&[JSON], &large, 413, "16777216"),
        (&[JSON], many.as_bytes(), 413, "rows"),
        (&[JSON, "idempotency-key: 열쇠"], body.as_bytes(), 400, "Idempotency-Key"),
        (&[JSON, "idempotency-key: "], body.as_bytes(), 400, "Idempotency-Key"),
    ];
    for (headers, body, status, words) in cases {
        let (found, answer) = server.post("/logs/ingest", headers, body);
        assert_eq!(found, status, "{headers:?}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains(words), "{headers:?}: {answer}");
    }
    let (status, answer) = server.post("/logs/ingest", &[JSON, "accept-language: ko"], b"[{}, 1]");
    assert_eq!((status, &answer["rejected_rows"]), (422, &json!(2)), "{answer}");
    assert_eq!(answer["rejected"][0]["reason"], "시각이 없습니다");
    let (status, answer) = server.post("/logs/ingest", &[JSON, "accept-language: ko"], &large);
    assert!(status == 413 && answer["detail"].as_str().unwrap().contains("바이트"), "{answer}");
    let (status, answer) = server.post("/logs/ingest", &[JSON], body.as_bytes());
    assert_eq!((status, &answer["accepted"]), (200, &json!(1)), "{answer}");
}

#[test]
fn fields_are_mapped_and_people_are_masked() {
    let desk = Desk::new();
    let logs = desk.path("logs").display().to_string();
    let map = desk.path("map.json");
    let mapping = json!({"fields": {"message": ["what"], "service": ["who"]}, "mask": true});
    std::fs::write(&map, mapping.to_string()).unwrap();
    let map_name = map.display().to_string();
    let args = ["--logs", &logs, "--ingest-map", &map_name];
    let server = Serving::with(&desk, &args);
    let row = json!({"ts": 1_773_811_800, "who": "pay", "what": "call 010-1234-5678"});
    let (status, answer) = server.post("/logs/ingest", &[JSON], row.to_string().as_bytes());
    assert_eq!((status, &answer["accepted"]), (200, &json!(1)), "{answer}");
    drop(server);
    let found = messages(&desk, &logs);
    assert!(found.len() == 1 && found[0].starts_with("call ") && !found[0].contains("1234"), "{found:?}");

    std::fs::write(&map, "{\"field\": 1}").unwrap();
    let seen = desk.run(&[&["serve", "--port", "0"], &args[..]].concat());
    assert!(seen.code == Some(3) && seen.err.contains("[logs-settings]"), "{seen:?}");
}
