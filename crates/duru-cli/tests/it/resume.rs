//! Killed, stopped or left waiting: the next call goes on where it stopped.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use crate::Desk;

/// Starts the program and lets it run until it says this.
fn until(desk: &Desk, args: &[&str], words: &str) -> Child {
    let mut child = desk.command(args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let said = lines.by_ref().map_while(Result::ok).any(|line| line.contains(words));
    assert!(said, "it never said {words:?}");
    // Read on, so that it is not held up by a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    child
}

fn published(desk: &Desk) -> usize {
    let file = desk.path("duru/threads.published.jsonl");
    std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

#[test]
fn a_killed_run_goes_on_and_publishes_once() {
    let desk = Desk::new();
    // The node that publishes goes on for a minute after it has published: killed there.
    let waiting = desk.run(&["demo", "--thread", "t", "--no-input"]);
    assert_eq!(waiting.code, Some(6), "{waiting:?}");
    let mut child = until(&desk, &["demo", "--thread", "t", "--pace", "60000"], "publishing to the world");
    // The event is shown before the act; the act is recorded right after it.
    wait_until(|| effect_is_recorded(&desk));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(published(&desk), 1);

    let seen = desk.run(&["demo", "--thread", "t", "--json"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.err.contains("The thread is unfinished"), "{seen:?}");
    assert!(seen.err.contains("published before"), "the recorded result was used: {seen:?}");
    assert!(!seen.err.contains("publishing to the world"), "{seen:?}");
    assert_eq!(seen.json()["status"], "idle");
    assert_eq!(published(&desk), 1, "published once");
}

#[test]
fn a_run_that_is_killed_in_a_fan_out_keeps_what_had_finished() {
    let desk = Desk::new();
    let mut child = until(&desk, &["demo", "--thread", "t", "--pace", "300"], "2: check");
    child.kill().unwrap();
    child.wait().unwrap();
    let seen = desk.run(&["demo", "--thread", "t", "--json"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let json = seen.json();
    assert_eq!(json["state"]["remarks"].as_array().map(Vec::len), Some(3), "{seen:?}");
    assert_eq!(json["history"].as_array().map(Vec::len), Some(5), "no step was taken twice: {seen:?}");
}

#[test]
fn a_thread_that_another_process_runs_is_left_to_it() {
    let desk = Desk::new();
    let mut child = until(&desk, &["demo", "--thread", "t", "--pace", "60000"], "draft");
    for (lang, words) in [("ko", "그 프로세스를 멈추세요"), ("en", "or stop that process")] {
        let seen = desk.run(&["demo", "--thread", "t", "--lang", lang]);
        assert_eq!(seen.code, Some(1), "{seen:?}");
        let owner = format!("process {}", child.id());
        assert!(seen.err.contains("[owned]") && seen.err.contains(words), "{seen:?}");
        assert!(seen.err.contains(&owner), "{seen:?}");
        // Looking is free.
        assert_eq!(desk.run(&["threads", "show", "t", "--json"]).json()["status"], "busy");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Its lease lasts for a while, but it is known to be dead.
    let seen = desk.run(&["demo", "--thread", "t", "--yes", "--json"]);
    assert_eq!(seen.json()["status"], "idle", "{seen:?}");
}

#[test]
fn a_question_waits_for_its_answer() {
    let desk = Desk::new();
    for (lang, words) in [("ko", "답을 기다립니다"), ("en", "waits for an answer")] {
        let seen = desk.run(&["demo", "--thread", lang, "--lang", lang, "--no-input", "--json"]);
        assert_eq!(seen.code, Some(6), "{seen:?}");
        assert!(seen.err.contains("[needs-input]") && seen.err.contains(words), "{seen:?}");
        assert_eq!(seen.json()["error"]["code"], "needs-input");
        let shown = desk.run(&["threads", "show", lang, "--json"]).json();
        assert_eq!(shown["status"], "paused");
        assert_eq!(shown["questions"][0]["node"], "ask");
        assert_eq!(shown["questions"][0]["default"], "hold");
    }
    let seen = desk.run(&["demo", "--thread", "en", "--answer", "publish", "--json"]);
    assert_eq!(seen.json()["state"]["verdict"], "publish", "{seen:?}");
}

#[test]
fn a_thread_that_is_done_is_only_shown() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", "t", "--yes"]).code, Some(0));
    let again = desk.run(&["demo", "--thread", "t", "--yes", "--json"]);
    assert_eq!(again.code, Some(0));
    assert!(again.err.contains("This thread is done"), "{again:?}");
    assert_eq!(again.json()["history"].as_array().map(Vec::len), Some(5));
    assert_eq!(published(&desk), 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_it_and_says_how_to_go_on() {
    let desk = Desk::new();
    let mut child = desk
        .command(&["demo", "--thread", "t", "--pace", "60000"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("1: draft") {
        assert_ne!(lines.read_line(&mut said).unwrap(), 0, "{said}");
    }
    let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    lines.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("[cancelled]") && said.contains("duru resume t"), "{said}");
    assert_eq!(desk.run(&["demo", "--thread", "t"]).code, Some(0));
}

/// Whether the store says that the effect happened. The JSON of a thread does
/// not show single effects, its event count does.
fn effect_is_recorded(desk: &Desk) -> bool {
    let events = |desk: &Desk| desk.run(&["threads", "show", "t", "--json"]).json()["events"].as_u64();
    published(desk) == 1 && {
        let before = events(desk);
        std::thread::sleep(std::time::Duration::from_millis(200));
        before == events(desk)
    }
}

fn wait_until(condition: impl Fn() -> bool) {
    for _ in 0..200 {
        if condition() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("it took too long");
}
