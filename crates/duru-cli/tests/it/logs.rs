//! `duru logs` and `duru db`.

use serde_json::Value;

use crate::Desk;
use crate::postgres::server;

const ROWS: &str = "{\"ts\":\"2026-03-18T14:30:00+09:00\",\"lvl\":\"warn\",\"msg\":\"느립니다\",\"svc\":\"pay\"}\n\
                    nonsense\n{\"ts\":1773811800,\"msg\":\"전화 010-1234-5678\",\"svc\":\"pay\"}\n";

#[test]
fn a_dry_run_names_bad_rows_and_needs_no_store() {
    let desk = Desk::new();
    std::fs::write(desk.path("a.jsonl"), ROWS).unwrap();
    let file = desk.path("a.jsonl").display().to_string();
    for (lang, row, words) in [
        ("en", "row 2: this is not JSON", "2 rows are fine, 1 are bad"),
        ("ko", "2행: JSON이 아닙니다", "읽을 수 있는 행 2, 오류 1"),
    ] {
        let seen = desk.run(&["logs", "ingest", &file, "--dry-run", "--lang", lang]);
        assert_eq!(seen.code, Some(1), "{seen:?}");
        assert!(
            seen.err.contains(row) && seen.err.contains("[bad-rows]") && seen.out.contains(words),
            "{seen:?}"
        );
        assert!(!seen.err.contains('\r'), "no progress without a terminal");
    }
    let seen = desk.run(&["logs", "ingest", &file, "--dry-run", "--json"]);
    assert_eq!(
        (seen.json()["kept"].clone(), seen.json()["bad_rows"][0]["row"].clone()),
        (2.into(), 2.into())
    );
}

#[test]
fn a_dry_run_shows_the_format_the_mapping_and_the_first_rows() {
    let desk = Desk::new();
    let file = desk.path("app.txt").display().to_string();
    let lines = "26/03/15 10:00:00 WARN shop.Cart: slow, took 31ms\n\
                 26/03/15 10:00:01 INFO shop.Cart: two\n  lines\n99/99/99 10:00:02 INFO shop.Cart: when\n";
    std::fs::write(&file, lines).unwrap();
    for (lang, words) in [
        (
            "en",
            [
                "text with a time on each line",
                "note: dates are read as year/month/day",
                "duration_ms ← duration",
                "row: 2026-03-15T10:00:00Z WARN shop.Cart slow, took 31ms",
                "2 rows are fine, 1 are bad",
            ],
        ),
        (
            "ko",
            [
                "시각으로 시작하는 텍스트",
                "주의: 날짜를 연/월/일 순서로 읽었습니다",
                "duration_ms ← duration",
                "행: 2026-03-15T10:00:00Z WARN shop.Cart slow, took 31ms",
                "읽을 수 있는 행 2, 오류 1",
            ],
        ),
    ] {
        let seen = desk.run(&["logs", "ingest", &file, "--dry-run", "--lang", lang]);
        assert_eq!(seen.code, Some(1), "{seen:?}");
        for words in words {
            assert!(seen.out.contains(words), "{words}: {seen:?}");
        }
        assert!(seen.err.contains('4') && seen.err.contains("created_at"), "{seen:?}");
    }
    let seen = desk.run(&["logs", "ingest", &file, "--dry-run", "--json"]).json();
    let format = &seen["formats"][0];
    assert_eq!(format["columns"]["duration_ms"], "duration", "{seen}");
    assert_eq!(format["rows"][1]["message"], "two\n  lines", "{seen}");
    assert_eq!(seen["bad_rows"][0]["row"], 4, "{seen}");
}

#[test]
fn what_is_missing_is_said() {
    let desk = Desk::new();
    std::fs::write(desk.path("a.jsonl"), ROWS).unwrap();
    std::fs::write(desk.path("map.json"), "{\"field\": {}}").unwrap();
    let (file, map) =
        (desk.path("a.jsonl").display().to_string(), desk.path("map.json").display().to_string());
    for (args, exit, code) in [
        (&["logs", "ingest", "nowhere.log", "--dry-run"][..], 2, "logs-file"),
        (&["logs", "ingest", &file, "--dry-run", "--map", &map], 3, "logs-settings"),
        (&["logs", "ingest", &file, "--dry-run", "--timezone", "Mars"], 3, "logs-settings"),
        (&["logs", "stats", "--logs", "postgres://kim:c4nary@127.0.0.1:1/x"], 5, "logs-unavailable"),
        (&["logs", "stats", "--logs", "no/such/folder"], 2, "no-log-store"),
        (&["ask", "오늘 에러 수", "--logs", "no/such/folder"], 2, "no-log-store"),
        (&["db", "verify"], 2, "no-log-store"),
        (&["db", "harden"], 2, "usage"),
    ] {
        let seen = desk.run(args);
        assert_eq!(seen.code, Some(exit), "{args:?}: {seen:?}");
        assert!(
            seen.err.contains(&format!("[{code}]")) && !seen.err.contains("c4nary"),
            "{args:?}: {seen:?}"
        );
    }
}

#[test]
fn the_same_seed_makes_the_same_logs() {
    let desk = Desk::new();
    let make = |seed: &str| {
        desk.run(&["logs", "generate", "--rows", "300", "--seed", seed, "--now", "2026-03-18T05:30:00Z"]).out
    };
    let first = make("1");
    assert_eq!(first.lines().count(), 300);
    assert_eq!(first, make("1"));
    assert_ne!(first, make("2"));
    let row: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert!(row["service"].is_string() && row["metadata"].is_object());
    let file = desk.path("made.jsonl").display().to_string();
    assert_eq!(
        desk.run(&["logs", "generate", "--rows", "300", "--out", &file, "--json"]).json()["rows"],
        300
    );
    let seen = desk.run(&["logs", "ingest", &file, "--dry-run", "--json"]);
    assert_eq!((seen.json()["kept"].clone(), seen.json()["bad"].clone()), (300.into(), 0.into()));
}

#[test]
fn the_sql_that_hardens_can_be_read_first() {
    let seen = Desk::new().run(&["db", "harden", "--print"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    for words in ["CREATE ROLE \"duru_reader\"", "AS RESTRICTIVE FOR SELECT", "statement_timeout", "COMMIT;"]
    {
        assert!(seen.out.contains(words), "{words}");
    }
}

#[test]
fn lines_go_into_a_database_once_and_it_can_be_hardened() {
    let Some(server) = server() else { return };
    let desk = Desk::new();
    let url = server.url();
    std::fs::write(desk.path("a.jsonl"), ROWS).unwrap();
    let file = desk.path("a.jsonl").display().to_string();
    let refused = desk.run(&["logs", "ingest", &file, "--logs", &url, "--json"]);
    assert_eq!(refused.json()["error"]["code"], "no-log-store");
    assert!(refused.code == Some(2) && refused.err.contains("duru logs init"), "{refused:?}");
    for _ in 0..2 {
        assert_eq!(desk.run(&["logs", "init", &url]).code, Some(0), "also where there is one");
    }
    let ingest = || desk.run(&["logs", "ingest", &file, "--logs", &url, "--mask", "--json"]).json();
    assert_eq!((ingest()["new"].clone(), ingest()["again"].clone()), (2.into(), 2.into()));
    let seen = desk.run(&["logs", "generate", "--rows", "2500", "--into", &url, "--json"]);
    assert_eq!(seen.json()["rows"], 2500);
    let stats = desk.command(&["logs", "stats", "--json"]).env("DURU_LOGS", &url).output().unwrap();
    let stats: Value = serde_json::from_slice(&stats.stdout).unwrap();
    assert_eq!(stats["tables"][0]["services"].as_array().unwrap().len(), 14);

    let verify = |args: &[&str]| desk.run(&[&["db", "verify", "--database", &url], args].concat());
    let seen = verify(&["--lang", "ko"]);
    assert!(seen.code == Some(3) && seen.out.contains("조회용 역할 duru_reader"), "{seen:?}");
    let seen = desk.run(&["db", "harden", "--apply", "--database", &url]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert_eq!(verify(&["--json"]).json()["findings"], serde_json::json!([]));
    assert_eq!(desk.run(&["logs", "stats", "--logs", &url]).code, Some(0));
}

/// A Parquet file with two lines, as the embedded store writes them.
fn parquet(folder: &std::path::Path) -> std::path::PathBuf {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = duru_logs::EmbeddedLogs::open(folder, duru_logs::Options::default()).await.unwrap();
        let settings = duru_sql::ingest::Settings::default();
        let body = ROWS.replace("nonsense\n", "");
        let records = duru_sql::ingest::read_batch(body.as_bytes(), None, None, &settings).unwrap().records;
        duru_sql::LogStore::append(&store, duru_sql::Batch { key: None, records }).await.unwrap();
        store.seal().await.unwrap();
    });
    let mut files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    files.find(|path| path.extension().is_some_and(|e| e == "parquet")).unwrap()
}

#[test]
fn log_files_are_asked_as_they_are() {
    let desk = Desk::new();
    let folder = desk.path("files");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.jsonl"), ROWS).unwrap();
    std::fs::write(
        desk.path("b.csv"),
        "time,level,service,message\n2026-03-18 14:30:00,error,pay,느립니다\n",
    )
    .unwrap();
    let sql = "SELECT level, message FROM logs WHERE service = 'pay' ORDER BY level DESC, message";
    for (path, rows) in [
        (folder.clone(), 2),
        (folder.join("a.jsonl"), 2),
        (desk.path("b.csv"), 1),
        (parquet(&desk.path("store")), 2),
    ] {
        let path = path.display().to_string();
        let seen = desk.run(&["ask", "--run", sql, "--logs", &path, "--json", "--lang", "ko"]);
        let json = seen.json();
        assert_eq!(json["results"].as_array().map(Vec::len), Some(rows), "{path}: {seen:?}");
        assert_eq!(json["results"][0]["message"], "느립니다", "{path}: {seen:?}");
        assert_eq!(seen.err.contains("읽을 수 없는 행 1개"), path.contains("files"), "{path}: {seen:?}");
    }
    // Nothing was put beside them.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    let seen = desk.run(&["logs", "stats", "--logs", &desk.path("b.csv").display().to_string(), "--json"]);
    assert_eq!(seen.json()["tables"][0]["estimated_rows"], 1, "{seen:?}");
    // A file that only looks like Parquet.
    std::fs::write(desk.path("c.parquet"), "PAR1 and nothing else").unwrap();
    let seen = desk.run(&["ask", "--run", sql, "--logs", &desk.path("c.parquet").display().to_string()]);
    assert!(seen.code == Some(5) && seen.err.contains("c.parquet"), "{seen:?}");
}

#[test]
fn parquet_files_are_taken_in_once() {
    let desk = Desk::new();
    let file = parquet(&desk.path("store")).display().to_string();
    let logs = desk.path("logs").display().to_string();
    let first = desk.run(&["logs", "ingest", &file, "--logs", &logs, "--json"]);
    assert_eq!((&first.json()["new"], &first.json()["bad"]), (&Value::from(2), &Value::from(0)), "{first:?}");
    let again = desk.run(&["logs", "ingest", &file, "--logs", &logs, "--json"]);
    assert_eq!(
        (&again.json()["new"], &again.json()["again"]),
        (&Value::from(0), &Value::from(2)),
        "{again:?}"
    );
}
