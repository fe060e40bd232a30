//! A chat, its commands, and the conversations that agents have in a server.

use std::io::Write;
use std::process::Stdio;

use crate::serve::Serving;
use crate::{Desk, Seen};

/// Somebody types these lines and leaves.
fn typed(desk: &Desk, args: &[&str], lines: &str) -> Seen {
    let mut command = desk.command(args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    Seen::of(child.wait_with_output().unwrap())
}

#[test]
fn a_chat_knows_help_reset_and_sql() {
    let desk = Desk::new();
    let lines =
        "/help\n/sql\n오늘 에러 건수\n/sql\n/sql select 41 + 1 as n from logs limit 1\n/reset\n/sql\n/nope\n";
    for (lang, none, unknown) in [
        ("ko", "보여 줄 SQL이 없습니다", "/nope 명령은 없습니다"),
        ("en", "no query to show", "There is no command /nope"),
    ] {
        let seen = typed(&desk, &["chat", "--lang", lang, "--thread", "mine"], lines);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        for word in ["/help", "/reset", "/sql"] {
            assert!(seen.out.contains(&format!("  {word}")), "{word}: {seen:?}");
        }
        assert_eq!(seen.out.matches(none).count(), 2, "before an answer, and after a reset: {seen:?}");
        let queries = seen.out.lines().filter(|line| line.starts_with("SELECT")).count();
        assert_eq!(queries, 1, "the query of the answer: {seen:?}");
        assert!(seen.out.contains("42"), "a query of one's own is run: {seen:?}");
        assert!(seen.err.contains(unknown), "{seen:?}");
        // The conversation goes on under another name, and the one before is told how to be found.
        assert!(seen.err.contains("mine") && !seen.err.trim_end().ends_with("--thread mine"), "{seen:?}");
    }
    let seen = typed(&desk, &["chat", "--agent", "researcher", "--lang", "en"], "/sql\n/help\n/reset\n");
    assert!(seen.err.contains("There is no command /sql") && !seen.out.contains("/sql"), "{seen:?}");
    assert!(seen.err.contains("This is a new conversation"), "{seen:?}");
}

/// What the help of `ask` shows is what somebody tries first.
#[test]
fn the_help_s_own_examples_work() {
    let desk = Desk::new();
    for lang in ["ko", "en"] {
        let help = desk.run(&["ask", "--help", "--lang", lang]);
        let examples: Vec<&str> =
            help.out.lines().filter_map(|line| line.trim().strip_prefix("duru ask ")).collect();
        assert!(examples.len() > 2, "{help:?}");
        for example in examples {
            let example = example.split(" | ").next().unwrap();
            let mut words: Vec<&str> = Vec::new();
            for (at, part) in example.split('"').enumerate() {
                if at % 2 == 1 { words.push(part) } else { words.extend(part.split_whitespace()) }
            }
            let seen = desk.run(&[&["ask"], &words[..], &["--no-input", "--lang", lang]].concat());
            assert_eq!(seen.code, Some(0), "{example}: {seen:?}");
        }
    }
}

#[test]
fn every_command_knows_the_threads_that_agents_have_in_a_server() {
    let desk = Desk::new();
    let server = Serving::with(&desk, &[]);
    let seen = desk.run(&["ask", "오늘 에러 건수", "--thread", "mine", "--lang", "ko"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let shown = desk.run(&["threads", "show", "mine", "--json"]).json();
    assert_eq!(shown["graph"], "analyst", "{shown}");
    assert_eq!(desk.run(&["threads", "diff", "mine"]).code, Some(0));
    let drawn = desk.run(&["graph", "--thread", "mine", "--json"]).json();
    assert_eq!(drawn["graph"], "analyst", "{drawn}");
    assert!(drawn["visits"].as_array().is_some_and(|visits| visits.len() > 5), "{drawn}");
    let list = desk.run(&["threads", "ls", "--plain"]);
    assert!(list.out.starts_with("mine\tanalyst\t"), "{list:?}");
    // The page calls it by what was asked.
    let found = server.ask("POST", "/threads/search", Some(serde_json::json!({ "select": ["title"] })));
    assert_eq!(found[0]["title"], "오늘 에러 건수", "{found}");
}

#[test]
fn the_doctor_finds_nothing_wrong_beside_its_own_server() {
    let desk = Desk::new();
    let server = Serving::with(&desk, &[]);
    for lang in ["ko", "en"] {
        let seen = desk.run(&["doctor", "--offline", "--lang", lang]);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        assert!(!seen.out.contains('✗') && seen.out.contains(&server.address), "{seen:?}");
    }
    // Once it is gone, the folder is looked at again.
    drop(server);
    let report = desk.run(&["doctor", "--offline", "--json"]).json();
    let logs = report["checks"].as_array().unwrap().iter().find(|found| found["check"] == "logs").unwrap();
    assert!(logs["what"].as_str().unwrap().contains("rows can be asked"), "{logs}");
}

/// A terminal shows what is being done in one line, which the answer replaces.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_one_live_line_at_a_terminal() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["ask", "오늘 에러 건수", "-q"]).code, Some(0));
    let screen = |more: &str| -> Option<String> {
        let line = format!("{} ask '오늘 에러 건수' --lang ko {more}", env!("CARGO_BIN_EXE_duru"));
        let plain = desk.command(&[]);
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let output = command.stdin(Stdio::null()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Some(seen) = screen("") else {
        assert!(std::env::var_os("CI").is_none(), "there is no `script` here");
        eprintln!("\n*** SKIPPED: there is no `script` here ***\n");
        return;
    };
    let steps = seen.matches('▸').count();
    assert!(steps > 3, "{seen:?}");
    assert_eq!(
        seen.matches("\r\u{1b}[2K").count(),
        steps + 1,
        "each replaces the one before, and the answer the last"
    );
    let (before, _) = seen.split_once("이렇게 이해했습니다").unwrap();
    assert!(!before.contains('\n'), "nothing is left of it: {before:?}");
    // Whoever wants to know more keeps every line, and whoever wants nothing sees nothing.
    let more = screen("-v").unwrap();
    assert!(!more.contains("\u{1b}[2K") && more.matches('▸').count() == steps, "{more:?}");
    assert!(!screen("-q").unwrap().contains('▸'));
}
