//! A person at a terminal, and programs that read along.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::Value;

use crate::Desk;
use crate::fake_model::FakeModel;

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

#[test]
fn programs_can_follow_an_answer_line_by_line() {
    let desk = Desk::new();
    for agent in ["analyst", "advisor"] {
        let question =
            if agent == "analyst" { "오늘 에러 건수" } else { "마포구 아파트 시세 알려줘" };
        let seen = desk.run(&["ask", "--agent", agent, question, "--jsonl", "--lang", "en"]);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        let lines = lines(&seen.out);
        assert!(lines.iter().all(|line| line["schema_version"] == 1), "{seen:?}");
        let (last, before) = lines.split_last().unwrap();
        assert_eq!(last["type"], "result");
        let started = |line: &&Value| line["type"] == "step" && line["status"] == "started";
        let finished = |line: &&Value| line["type"] == "step" && line["status"] == "finished";
        let (started, finished) =
            (before.iter().filter(started).count(), before.iter().filter(finished).count());
        assert!(started > 3 && started == finished, "{started} {finished}");
        assert!(before.iter().any(|line| line["type"] == "custom" && line["data"]["type"] == "decision"));
    }
    let seen = desk.run(&["demo", "--yes", "--jsonl"]);
    let kinds: Vec<Value> = lines(&seen.out).iter().map(|line| line["type"].clone()).collect();
    assert!(kinds.len() > 6 && kinds[0] == "step" && kinds[kinds.len() - 1] == "result", "{seen:?}");
    let seen = desk.run(&["ask", "", "--jsonl"]);
    assert_eq!((seen.code, lines(&seen.out)[0]["type"].as_str()), (Some(2), Some("error")), "{seen:?}");
}

#[test]
fn more_is_told_to_those_who_ask_and_colours_only_to_those_who_want_them() {
    let desk = Desk::new();
    let ask = |more: &[&str]| desk.run(&[&["ask", "오늘 에러 건수", "--lang", "en"], more].concat());
    let usual = ask(&[]);
    assert!(
        usual.err.contains('▸') && !usual.err.contains("decided by") && !usual.err.contains('\u{1b}'),
        "{usual:?}"
    );
    let more = ask(&["-v"]);
    assert!(more.err.contains("analyst/generate_sql: decided by a rule"), "{more:?}");
    let all = ask(&["-vv", "--color", "always"]);
    assert!(all.err.contains("\u{1b}[36m") && all.err.contains(r#""status":"started""#), "{all:?}");
    let plain = ask(&["--plain", "-q"]);
    assert!(
        plain.err.is_empty() && plain.out.trim().parse::<u64>().is_ok(),
        "one cell and nothing else: {plain:?}"
    );
    let mut command = desk.command(&["demo", "--fast", "--lang", "en"]);
    let forced = crate::Seen::of(command.env("CLICOLOR_FORCE", "1").output().unwrap());
    assert!(forced.err.starts_with("\u{1b}[31merror[usage]\u{1b}[0m"), "{forced:?}");
    let mut command = desk.command(&["demo", "--fast", "--lang", "en", "--color=never"]);
    let never = crate::Seen::of(command.env("CLICOLOR_FORCE", "1").output().unwrap());
    assert!(never.err.starts_with("error[usage]"), "{never:?}");
}

#[test]
fn whatever_was_left_can_be_gone_on_with() {
    let desk = Desk::new();
    // The example waits for its answer, the analyst for another one.
    assert_eq!(desk.run(&["demo", "--thread", "d", "--no-input"]).code, Some(6));
    let asked = desk.run(&["ask", "에러 보여줘", "--thread", "a", "--no-input", "--lang", "en"]);
    assert_eq!(asked.code, Some(6), "{asked:?}");
    assert!(asked.err.contains("duru resume a"), "it says how to go on: {asked:?}");
    let latest = desk.run(&["resume", "--no-input", "--lang", "en"]);
    assert_eq!(latest.code, Some(6), "the latest that is unfinished: {latest:?}");
    assert!(latest.err.contains("thread a waits"), "{latest:?}");
    // Nobody approves what a person was asked, just by coming along.
    let script = desk.run(&["resume", "d", "--json"]);
    assert!(script.code == Some(6) && script.json()["error"]["code"] == "needs-input", "{script:?}");
    assert_eq!(desk.run(&["resume", "d", "--yes"]).code, Some(0));
    let done = desk.run(&["resume", "d", "--json"]);
    assert_eq!(done.json()["state"]["verdict"], "publish", "{done:?}");
    let unknown = desk.run(&["resume", "nobody"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("[unknown-thread]"), "{unknown:?}");
    // One that has its answer shows it again.
    assert_eq!(desk.run(&["ask", "오늘 에러 건수", "--thread", "b"]).code, Some(0));
    let again = desk.run(&["resume", "b", "--json"]).json();
    assert_eq!((again["thread"].as_str(), again["count"].as_u64()), (Some("b"), Some(1)), "{again}");
}

#[test]
fn what_takes_too_long_is_stopped() {
    let desk = Desk::new();
    // A model that takes forever to say anything.
    let model = FakeModel::start(&desk, "{\"fails\":\"hang\",\"always\":true}\n");
    let mut ask =
        desk.command(&["ask", "오늘 에러 건수", "--timeout", "1", "--thread", "slow", "--lang", "en"]);
    model.set(1, &mut ask);
    let seen = crate::Seen::of(ask.output().unwrap());
    model.stop();
    assert_eq!(seen.code, Some(124), "{seen:?}");
    assert!(seen.err.contains("[timeout]") && seen.err.contains("duru resume slow"), "{seen:?}");
    let resumed = desk.run(&["resume", "slow", "--json"]);
    assert_eq!(resumed.code, Some(0), "the rule answers, now that there is no model: {resumed:?}");
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let desk = Desk::new();
    let folder = desk.path("man");
    let seen = desk.run(&["man", "--dir", folder.to_str().unwrap(), "--lang", "ko", "--json"]);
    let files = seen.json()["files"].as_array().unwrap().len();
    let names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, names.len(), "no page was written twice");
    for name in ["duru.1", "duru-ask.1", "duru-resume.1", "duru-threads-show.1", "duru-demo-reset.1"] {
        let page = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(page.contains(".TH ") && page.contains(".SH "), "{name}: {page}");
        for section in ["이름", "사용법", "설명", "\"예\"", "\"종료 코드\""] {
            assert!(page.contains(&format!(".SH {section}\n")), "{name}: no {section} in {page}");
        }
        assert!(page.contains("duru ") && !page.contains(".SH NAME"), "{name}: {page}");
    }
    assert!(desk.run(&["man", "--lang", "en"]).out.contains("graphs that survive a crash"));
}

#[test]
fn the_samples_come_back_and_what_is_yours_stays() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", "d", "--yes"]).code, Some(0));
    assert_eq!(desk.run(&["ask", "오늘 에러 건수", "--thread", "mine"]).code, Some(0));
    let asked = desk.run(&["demo", "reset"]);
    assert!(asked.code == Some(6) && asked.err.contains("[needs-yes]"), "{asked:?}");
    let reset = desk.run(&["demo", "reset", "--yes", "--json"]).json();
    assert_eq!((reset["threads"].as_u64(), reset["logs"].as_bool()), (Some(1), Some(true)), "{reset}");
    assert!(!desk.path("duru/threads.published.jsonl").exists());
    let left: Vec<String> = desk
        .run(&["threads", "ls", "--plain"])
        .out
        .lines()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect();
    assert_eq!(left, ["mine"]);
    // A line of one's own keeps the logs as they are.
    std::fs::write(desk.path("own.jsonl"), "{\"timestamp\":\"2026-11-14T03:00:00Z\",\"level\":\"ERROR\",\"service\":\"mine\",\"message\":\"x\"}\n").unwrap();
    assert_eq!(desk.run(&["logs", "ingest", "own.jsonl"]).code, Some(0));
    let reset = desk.run(&["demo", "reset", "--yes", "--json"]).json();
    assert_eq!(reset["logs"], false, "{reset}");
    let rows = desk.run(&[
        "ask",
        "--run",
        "SELECT count(*) AS n FROM logs WHERE service = 'mine' AND deleted = FALSE",
        "--plain",
        "-q",
    ]);
    assert_eq!(rows.out.trim(), "1", "{rows:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_while_it_is_asked_says_how_to_go_on() {
    let desk = Desk::new();
    let mut child = desk
        .command(&["ask", "--agent", "advisor", "마포구 아파트 시세 알려줘", "--thread", "t", "--lang", "en"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .env("DURU_MODEL", "http://127.0.0.1:9/v1#nobody")
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    // It is at work once it says something of its own; the samples are taken in before.
    while !said.contains('☐') {
        assert_ne!(lines.read_line(&mut said).unwrap(), 0, "{said}");
    }
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    lines.read_to_string(&mut said).unwrap();
    let code = child.wait().unwrap().code();
    // It may have been quicker than the signal.
    assert!(code == Some(0) || (code == Some(130) && said.contains("duru resume t")), "{code:?} {said}");
    assert_eq!(desk.run(&["resume", "t", "--json"]).code, Some(0));
}

/// The first asks it to stop, which it does although a model never answers.
#[cfg(unix)]
#[test]
fn ctrl_c_does_not_wait_for_a_model() {
    let desk = Desk::new();
    std::fs::write(desk.path("own.jsonl"), "{\"timestamp\":\"2026-11-14T03:00:00Z\",\"level\":\"ERROR\",\"service\":\"mine\",\"message\":\"x\"}\n").unwrap();
    assert_eq!(desk.run(&["logs", "ingest", "own.jsonl"]).code, Some(0));
    let model = FakeModel::start(&desk, "{\"fails\":\"hang\",\"always\":true}\n");
    let mut ask = desk.command(&["ask", "오늘 에러 건수", "--thread", "t", "--json", "--lang", "en"]);
    model.set(1, &mut ask);
    let mut child = ask.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains('▸') {
        assert_ne!(lines.read_line(&mut said).unwrap(), 0, "{said}");
    }
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    lines.read_to_string(&mut said).unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("[cancelled]") && said.contains("duru resume t"), "{said}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["error"]["code"], "cancelled", "{told}");
    model.stop();
    assert_eq!(desk.run(&["resume", "t", "--json"]).code, Some(0), "it goes on, now that there is no model");
}

/// A person at a real terminal: what they type, and when.
#[cfg(target_os = "linux")]
#[test]
fn hangul_is_edited_at_a_terminal() {
    use std::io::Write;
    let desk = Desk::new();
    // Sample lines are made now, so that the prompt comes at once.
    assert_eq!(desk.run(&["ask", "오늘 에러 건수", "-q"]).code, Some(0));
    let line = format!("{} chat --lang ko --thread t", env!("CARGO_BIN_EXE_duru"));
    let mut command = desk.command(&[]);
    let variables: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = std::process::Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        assert!(std::env::var_os("CI").is_none(), "there is no `script` here");
        eprintln!("\n*** SKIPPED: there is no `script` here ***\n");
        return;
    };
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut seen = Vec::new();
    // Until it was on the screen so many times.
    let mut until = |word: &str, times: usize, seen: &mut Vec<u8>| {
        let mut bytes = [0; 4096];
        while String::from_utf8_lossy(seen).matches(word).count() < times {
            let read = screen.read(&mut bytes).unwrap();
            assert_ne!(read, 0, "no {word:?} in {}", String::from_utf8_lossy(seen));
            seen.extend_from_slice(&bytes[..read]);
        }
    };
    // The prompt, with pastes marked: every key is ours.
    until("\u{1b}[?2004h", 1, &mut seen);
    until("> ", 1, &mut seen);
    // A slip that is taken back, in the middle, syllable by syllable.
    keys.write_all("오늘 에러가나 건수".as_bytes()).unwrap();
    keys.write_all(b"\x1b[D\x1b[D\x1b[D\x7f\x7f\r").unwrap();
    until("> 오늘 에러 건수", 1, &mut seen);
    until("SQL: ", 1, &mut seen);
    until("\u{1b}[?2004h", 2, &mut seen);
    seen.clear();
    // The question before comes back, and Ctrl-C clears it; a second one ends it.
    keys.write_all(b"\x1b[A").unwrap();
    until("> 오늘 에러 건수", 1, &mut seen);
    keys.write_all(b"\x03\x03").unwrap();
    until("chat --thread t", 1, &mut seen);
    assert!(child.wait().unwrap().success());
}
