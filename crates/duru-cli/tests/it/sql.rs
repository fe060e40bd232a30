//! `duru sql check`.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::{Desk, Seen};

#[test]
fn a_query_is_shown_as_it_may_run() {
    let desk = Desk::new();
    let seen = desk.run(&["sql", "check", "SELECT count(*) FROM logs"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains(r#"FROM "public"."logs" WHERE "deleted" = false) AS "logs""#), "{seen:?}");
    let seen = desk.run(&["sql", "check", "SELECT 1", "--json"]);
    assert_eq!(seen.json()["sql"], "SELECT 1");
}

#[test]
fn a_refusal_says_which_rule_and_where_in_both_languages() {
    let desk = Desk::new();
    for (lang, place) in [("ko", "1행 8열"), ("en", "line 1, column 8")] {
        let seen = desk.run(&["sql", "check", "SELECT pg_sleep(1) FROM logs", "--lang", lang]);
        assert_eq!(seen.code, Some(4), "{seen:?}");
        assert!(seen.err.contains("[function]") && seen.err.contains(place), "{seen:?}");
    }
}

#[test]
fn json_lines_are_answered_one_by_one() {
    let desk = Desk::new();
    let schema = desk.path("schema.json");
    let tables = json!({"tables": [{"name": "events", "columns": {"id": "bigint", "note": "text"}}]});
    std::fs::write(&schema, tables.to_string()).unwrap();
    let mut command = desk.command(&["sql", "check", "--schema", schema.to_str().unwrap()]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = [
        json!({"id": "a", "sql": "SELECT note FROM events"}),
        json!({"id": 2, "sql": "SELECT note FROM logs"}),
    ];
    let mut input = child.stdin.take().unwrap();
    for line in &lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let seen = Seen::of(child.wait_with_output().unwrap());
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let answers: Vec<Value> = seen.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["action"], "accept");
    assert_eq!((&answers[1]["id"], &answers[1]["action"]), (&json!(2), &json!("reject")));
    assert!(answers[1]["reason"].as_str().unwrap().contains("logs"), "{answers:?}");
}

#[test]
fn a_schema_that_is_none_is_a_matter_of_configuration() {
    let desk = Desk::new();
    let seen = desk.run(&["sql", "check", "SELECT 1", "--schema", "/nowhere/schema.json"]);
    assert_eq!(seen.code, Some(3), "{seen:?}");
}

#[test]
fn what_is_wrong_with_a_query_of_ones_own_is_said_in_ones_language() {
    let desk = Desk::new();
    std::fs::write(desk.path("own.jsonl"), "{\"timestamp\":\"2026-11-14T03:00:00Z\",\"level\":\"ERROR\",\"service\":\"mine\",\"message\":\"x\"}\n").unwrap();
    assert_eq!(desk.run(&["logs", "ingest", "own.jsonl"]).code, Some(0));
    for (lang, words) in [("ko", "조회할 수 없는 열입니다"), ("en", "no such column may be asked")]
    {
        let seen = desk.run(&["ask", "--run", "SELECT nope FROM logs", "--thread", lang, "--lang", lang]);
        assert_eq!(seen.code, Some(4), "{seen:?}");
        assert!(seen.err.contains(words) && seen.err.contains("duru sql check"), "{seen:?}");
    }
}
