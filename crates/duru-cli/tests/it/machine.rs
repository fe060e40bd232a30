//! What programs get: with `--json` every command prints one object, whose fields stay what they are.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Desk;

/// A command, how it is called, what it ends with, and the fields of what it prints.
type Case = (&'static str, &'static str, i32, &'static str);

/// Of the logs, the documents and the settings.
const DATA: &[Case] = &[
    ("logs ingest", "logs ingest own.jsonl", 0, "files kept new again bad bad_rows dry_run formats"),
    ("logs ingest", "logs ingest bad.jsonl", 1, "files kept new again bad bad_rows dry_run error formats"),
    ("logs stats", "logs stats", 0, "tables version"),
    ("logs generate", "logs generate --rows 3", 0, "rows"),
    (
        "ask",
        "ask 오늘 에러 건수",
        0,
        "question thread understood_as timezone sql executed_sql soft_delete_added results count count_is_lower_bound displayed truncated execution_time_ms cached_at insight chart suggestions",
    ),
    ("logs init", "logs init nothing", 2, "error"),
    ("tables add", "tables add shop --name shop", 0, "name file tables examples notes"),
    ("tables list", "tables list", 0, "tables"),
    ("tables show", "tables show shop", 0, "name file tables knowledge notes"),
    ("tables check", "tables check shop", 0, "mistakes"),
    ("tables describe", "tables describe shop", 3, "error"),
    ("tables forget", "tables forget shop", 0, "forgotten"),
    (
        "docs ingest",
        "docs ingest manuals",
        0,
        "added updated unchanged removed passages skipped pages_without_text by_words_alone dry_run",
    ),
    (
        "docs ingest",
        "docs ingest nothing-there",
        1,
        "added updated unchanged removed passages skipped pages_without_text by_words_alone dry_run error",
    ),
    ("docs list", "docs list", 0, "documents embedder"),
    ("docs calibrate", "docs calibrate", 1, "error"),
    ("docs search", "docs search 보증금", 0, "hits answerability scope trace"),
    ("docs show", "docs show nothing", 2, "error"),
    ("docs remove", "docs remove nothing", 2, "error"),
    ("docs feedback", "docs feedback nothing good", 2, "error"),
    ("docs remarks list", "docs remarks list", 0, "remarks"),
    ("docs remarks accept", "docs remarks accept nothing", 2, "error"),
    ("docs remarks decline", "docs remarks decline nothing", 2, "error"),
    ("docs remarks remove", "docs remarks remove nothing", 2, "error"),
    ("sql check", "sql check SELECT", 0, "action sql soft_delete_added"),
    ("eval documents", "eval documents --corpus no --questions no --out out", 3, "error"),
    ("eval logs", "eval logs --questions no --logs no --out out", 3, "error"),
    ("eval tables", "eval tables --items no --base no --out out", 3, "error"),
    ("eval conversations", "eval conversations --conversations no --out out", 3, "error"),
    ("eval sufficiency", "eval sufficiency --cases no --out out", 3, "error"),
    ("eval injection", "eval injection --items no --out out", 3, "error"),
    ("config show", "config show", 0, "settings unknown"),
    ("config path", "config path", 0, "path exists"),
    ("config trust", "config trust", 3, "error"),
    ("config distrust", "config distrust", 0, "folder trusted"),
    ("init", "init --yes", 0, "path"),
    ("completions", "completions bash", 0, "shell script"),
    ("man", "man", 0, "page"),
    ("decisions", "decisions", 0, "decisions measured threads"),
    ("doctor", "doctor --offline", 0, "well checks"),
    ("db harden", "db harden --print", 0, "sql"),
    ("db verify", "db verify", 2, "error"),
];

/// Of threads, servers and people.
const REST: &[Case] = &[
    (
        "demo",
        "demo --thread d --yes",
        0,
        "thread graph status version events created_ms updated_ms state next questions history graph_mermaid store published_file",
    ),
    (
        "resume",
        "resume d",
        0,
        "thread graph status version events created_ms updated_ms state next questions history graph_mermaid store published_file",
    ),
    ("graph", "graph advisor", 0, "graph nodes edges mermaid"),
    ("threads ls", "threads ls", 0, "threads"),
    (
        "threads show",
        "threads show d",
        0,
        "thread graph status version events created_ms updated_ms state next questions history",
    ),
    ("threads diff", "threads diff d", 0, "thread from to changes"),
    ("threads fork", "threads fork d nothing", 2, "error"),
    ("demo reset", "demo reset --dry-run", 0, "threads would_delete logs dry_run"),
    ("memory list", "memory list", 0, "user memories"),
    ("memory correct", "memory correct nothing 7천만원", 2, "error"),
    ("memory forget", "memory forget --all --dry-run", 0, "user forgotten would_forget dry_run"),
    ("ab report", "ab report", 0, "variants total"),
    ("feedback", "feedback", 0, "feedback"),
    ("audit", "audit", 0, "lines"),
    ("keys add", "keys add kim", 0, "key id name scopes tables"),
    ("keys scope", "keys scope kim ask,ingest", 0, "changed"),
    ("keys unlock", "keys unlock", 2, "error"),
    ("keys list", "keys list", 0, "keys"),
    ("keys revoke", "keys revoke kim --dry-run", 0, "revoked would_revoke dry_run"),
    ("user erase", "user erase kim --dry-run", 0, "user erased what"),
    ("keys revoke", "keys revoke kim", 0, "revoked"),
    ("retention", "retention --dry-run", 0, "dry_run log_lines threads runs events erasures_finished"),
    ("backup", "backup b.zip", 0, "file files bytes made_at not_in_it"),
    ("restore", "restore b.zip --dry-run", 0, "file files would_restore dry_run"),
    ("restore", "restore b.zip", 5, "error"),
    ("runs dead list", "runs dead list", 0, "dead"),
    ("runs dead show", "runs dead show nothing", 2, "error"),
    ("runs dead retry", "runs dead retry nothing", 2, "error"),
    ("runs dead drop", "runs dead drop nothing", 2, "error"),
];

/// These go on until they are stopped, or speak once a question.
const LASTING: [&str; 3] = ["chat", "fake-model", "serve"];

fn furnished() -> Desk {
    let desk = Desk::new();
    let line = |level: &str| {
        format!(
            "{{\"timestamp\":\"2026-11-14T03:00:00Z\",\"level\":\"{level}\",\"service\":\"pay\",\"message\":\"x\"}}\n"
        )
    };
    std::fs::write(desk.path("own.jsonl"), line("ERROR")).unwrap();
    std::fs::write(desk.path("bad.jsonl"), format!("{}{{\"nothing\": 1}}\n", line("ERROR"))).unwrap();
    std::fs::create_dir(desk.path("shop")).unwrap();
    std::fs::write(desk.path("shop/item.csv"), "id,name,price\n1,pen,3\n2,ink,7\n").unwrap();
    std::fs::create_dir(desk.path("manuals")).unwrap();
    std::fs::write(desk.path("manuals/a.md"), "# 보증금\n\n보증금은 돌려주어야 한다.\n").unwrap();
    desk
}

fn check(cases: &[Case]) {
    let desk = furnished();
    for (_, line, code, fields) in cases {
        let args: Vec<&str> =
            line.split_whitespace().map(|word| if word == "SELECT" { "SELECT 1" } else { word }).collect();
        let seen = desk.run(&[&args[..], &["--json", "--lang", "en"]].concat());
        assert_eq!(seen.code, Some(*code), "{line}: {seen:?}");
        // All of it is one object, and nothing else.
        let answer = seen.json();
        assert_eq!(answer["schema_version"], 1, "{line}: {seen:?}");
        let found: BTreeSet<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        let wanted: BTreeSet<&str> = fields.split_whitespace().chain(["schema_version"]).collect();
        assert_eq!(found, wanted, "{line}");
        if let Some(error) = answer.get("error") {
            let parts = ["code", "message", "advice"].map(|part| error[part].as_str().unwrap_or_default());
            assert!(parts.iter().all(|part| !part.is_empty()), "{line}: {error}");
            assert!(seen.err.contains(&format!("error[{}]", parts[0])), "{line}: {seen:?}");
        }
    }
}

#[test]
fn data_is_one_object_for_programs() {
    check(DATA);
}

#[test]
fn threads_and_people_are_one_object_for_programs() {
    check(REST);
}

/// The manual has a page for every command.
#[test]
fn no_command_is_left_out() {
    let desk = Desk::new();
    let pages = desk.run(&["man", "--dir", "man", "--json"]).json();
    let pages: BTreeSet<String> = pages["files"].as_array().unwrap().iter().map(name).collect();
    let is_leaf = |page: &&String| {
        !page.is_empty() && !pages.iter().any(|other| other.starts_with(&format!("{page} ")))
    };
    // `demo` and `runs dead` do something by themselves, too.
    let leaves: BTreeSet<&str> = pages.iter().filter(is_leaf).map(String::as_str).collect();
    let checked: BTreeSet<&str> = DATA.iter().chain(REST).map(|(name, ..)| *name).chain(LASTING).collect();
    let missing: Vec<&&str> = leaves.difference(&checked).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// `…/duru-threads-show.1` is `threads show`; `fake-model` has a hyphen of its own.
fn name(file: &Value) -> String {
    let name = file.as_str().unwrap().rsplit('/').next().unwrap().trim_end_matches(".1");
    let name = name.trim_start_matches("duru").trim_start_matches('-');
    if name == "fake-model" { name.to_owned() } else { name.replace('-', " ") }
}

#[test]
fn a_server_says_where_it_is_to_programs_too() {
    use std::io::{BufRead, BufReader};
    let desk = furnished();
    assert_eq!(desk.run(&["logs", "ingest", "own.jsonl"]).code, Some(0));
    let mut command = desk.command(&["serve", "--port", "0", "--json"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    assert!(told["address"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{told}");
    assert_eq!(told["schema_version"], 1);
}

/// Whatever stands in logs, no terminal obeys it, in whichever form it is shown.
#[test]
fn no_terminal_obeys_what_stands_in_logs() {
    let desk = Desk::new();
    // Colours, the clipboard, the direction of writing, a line of one's own, C1.
    let evil = "a\u{1b}[31m\u{1b}]52;c;aGk=\u{7}\u{202e}b\r\nfake\u{9b}2J\u{61c}\u{7f}c";
    let line = serde_json::json!({
        "timestamp": "2026-11-14T03:00:00Z", "level": "ERROR", "service": "pay", "message": evil,
    });
    std::fs::write(desk.path("evil.jsonl"), format!("{line}\n")).unwrap();
    assert_eq!(desk.run(&["logs", "ingest", "evil.jsonl"]).code, Some(0));
    for form in [&[][..], &["--plain"], &["--csv"], &["--json"], &["--jsonl"], &["-vv"]] {
        let query = ["ask", "--run", "SELECT message FROM logs WHERE deleted = FALSE", "--lang", "en"];
        let seen = desk.run(&[&query[..], form].concat());
        assert_eq!(seen.code, Some(0), "{seen:?}");
        assert!(seen.out.contains("52;c;aGk="), "the text itself stays: {seen:?}");
        let obeyed = |c: char| (c.is_control() && c != '\n') || ['\u{202e}', '\u{61c}'].contains(&c);
        assert!(!seen.out.contains(obeyed) && !seen.err.contains(obeyed), "{form:?}: {seen:?}");
        // Within quotes, a cell of CSV may have lines.
        let forged = seen.out.lines().any(|line| line.starts_with("fake"));
        assert!(!forged || form == ["--csv"], "{form:?}: {seen:?}");
    }
}
