//! What a server does when it is told something from outside.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::Desk;
use crate::serve::Serving;

fn signal(server: &Serving, signal: &str) {
    let sent = Command::new("kill").args([signal, &server.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn set(desk: &Desk, text: &str) {
    std::fs::create_dir_all(desk.path("config/duru")).unwrap();
    std::fs::write(desk.path("config/duru/config.toml"), text).unwrap();
}

/// Limits are those of the file from then on; what needs a restart is named; a file that can't be used changes nothing.
#[test]
fn a_hangup_reads_the_limits_again_and_names_what_needs_a_restart() {
    for (lang, restart, stay) in [
        ("en", "these change only with a restart: DURU_LOGS", "the limits stay: DURU_LONGEST_QUEUE"),
        ("ko", "다시 시작해야 바뀌는 것: DURU_LOGS", "한도는 그대로 둡니다: DURU_LONGEST_QUEUE"),
    ] {
        let desk = Desk::new();
        set(&desk, "longest_queue = \"7\"\n");
        let mut command = desk.command(&["serve", "--port", "0", "--lang", lang]);
        command.stderr(Stdio::piped());
        let mut server = Serving::of(command);
        let mut lines = BufReader::new(server.child.stderr.take().unwrap()).lines().map_while(Result::ok);
        set(&desk, "longest_queue = \"9\"\nlogs = \"elsewhere\"\n");
        signal(&server, "-HUP");
        let said = lines.find(|line| line.contains("DURU_LONGEST_QUEUE")).unwrap();
        assert!(said.contains('9') && said.contains(restart), "{said}");
        set(&desk, "longest_queue = \"many\"\n");
        signal(&server, "-HUP");
        assert!(lines.any(|line| line.contains(stay)), "it says nothing of the limits");
        assert_eq!(server.ask("GET", "/ok", None)["ok"], true, "it lives");
    }
}

/// A wrong number is refused at the start, in both languages.
#[test]
fn limits_that_are_none_are_refused() {
    let desk = Desk::new();
    for (lang, said) in [("en", "write a number from 1"), ("ko", "1부터")] {
        for wrong in ["0", "-1", "many", "1.5"] {
            let told = [("DURU_RUNS_AT_ONCE", wrong), ("DURU_LANG", lang)];
            let seen = desk.with_env(&["serve", "--port", "0"], &told);
            assert!(seen.code != Some(0) && seen.err.contains(said), "{seen:?}");
            assert!(seen.err.contains("DURU_RUNS_AT_ONCE"), "{seen:?}");
        }
    }
}

/// Told to stop, it says that it is not ready and works on; a run of that time is accepted and ends.
#[test]
fn told_to_stop_it_works_on_for_the_time_of_a_lame_duck() {
    let desk = Desk::new();
    let mut command = desk.command(&["serve", "--port", "0"]);
    command.env("DURU_LAME_DUCK_SECONDS", "600").env("DURU_EXAMPLE_PACE_MS", "1").stderr(Stdio::null());
    let server = Serving::of(command);
    signal(&server, "-TERM");
    server.until("/metrics?format=json", |numbers| {
        let all = numbers.as_array().unwrap();
        all.iter().any(|family| family["name"] == "duru_leaving" && family["samples"][0]["value"] == 1.0)
    });
    assert_eq!(server.ask("GET", "/ok", None)["ok"], true);
    let thread = server.ask("POST", "/threads", Some(json!({})));
    assert!(thread["thread_id"].is_string());
}
