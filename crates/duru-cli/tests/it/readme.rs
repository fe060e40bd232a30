//! The commands of the README and of the guides, typed one after the other by somebody who has just arrived.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use crate::documents::{blocks, pages, read};
use crate::{Desk, Seen};

/// What a newcomer has at hand when the README says "your logs" and "your manuals".
fn furnish(desk: &Desk) {
    let line =
        r#"{"timestamp":"2026-11-14T03:00:00Z","level":"ERROR","service":"payment","message":"declined"}"#;
    std::fs::write(desk.path("access.jsonl"), format!("{line}\n")).unwrap();
    std::fs::create_dir(desk.path("manuals")).unwrap();
    std::fs::write(
        desk.path("manuals/lease.md"),
        "# 보증금 반환\n\n임대인은 임대차가 끝나면 임차인에게 보증금을 돌려주어야 한다.\n",
    )
    .unwrap();
}

/// The words of a line as a shell takes them: quotes keep words together.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Whether a command goes on until it is stopped.
fn lasts(args: &[&str]) -> bool {
    matches!(args, [] | ["serve", ..] | ["fake-model", ..])
}

/// A server's first line says where it is.
fn starts(desk: &Desk, args: &[&str]) {
    let mut child: Child = desk.command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    drop(child.kill());
    drop(child.wait());
    assert!(line.contains("http://127.0.0.1:"), "{args:?} says {line:?}");
}

/// Somebody asks one thing and leaves.
fn converses(desk: &Desk, args: &[&str]) -> Seen {
    let mut command = desk.command(args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("오늘 에러 건수\n".as_bytes()).unwrap();
    Seen::of(child.wait_with_output().unwrap())
}

fn every_command_works(readme: &str, lang: &str) {
    let desk = Desk::new();
    furnish(&desk);
    let mut ran = 0;
    for line in blocks(&read(readme), "sh").concat().lines() {
        let line = line.split(" #").next().unwrap_or_default().trim();
        let Some(rest) = line.strip_prefix("cargo run").filter(|rest| !rest.starts_with(" -p ")) else {
            continue;
        };
        let typed = words(rest.trim().trim_start_matches("--"));
        // Tests run side by side: none may have the usual port to itself.
        let typed: Vec<&str> =
            typed.iter().map(|word| if word == "2024" { "0" } else { word.as_str() }).collect();
        ran += 1;
        if lasts(&typed) {
            starts(&desk, &typed);
            continue;
        }
        let args: Vec<&str> = typed.iter().copied().chain(["--lang", lang]).collect();
        let seen = if typed.first() == Some(&"chat") { converses(&desk, &args) } else { desk.run(&args) };
        assert_eq!(seen.code, Some(0), "{readme}: `{line}`: {seen:?}");
        assert!(
            !seen.out.trim().is_empty() || !seen.err.trim().is_empty(),
            "{readme}: `{line}` says nothing"
        );
    }
    assert!(ran > 0, "{readme}: no commands");
}

#[test]
fn every_command_of_the_readme_works() {
    every_command_works("README.md", "en");
}

/// The guides for those who ask.
const ASKING: [&str; 4] = ["advisor", "documents", "logs", "start"];
/// And for those who configure, serve and operate.
const RUNNING: [&str; 6] = ["api", "cli", "configuration", "data", "operations", "serve"];

#[test]
fn every_command_of_the_guides_for_those_who_ask_works() {
    for guide in ASKING {
        every_command_works(&format!("docs/{guide}.md"), "en");
    }
}

#[test]
fn every_command_of_the_guides_for_those_who_run_it_works() {
    for guide in RUNNING {
        every_command_works(&format!("docs/{guide}.md"), "en");
    }
}

#[test]
fn no_guide_with_commands_is_left_out() {
    for page in pages() {
        let has_commands = blocks(&read(&page), "sh")
            .concat()
            .lines()
            .any(|line| line.starts_with("cargo run") && !line.starts_with("cargo run -p "));
        let name = page.trim_start_matches("docs/").trim_end_matches(".md");
        let runs = ASKING.contains(&name) || RUNNING.contains(&name);
        assert_eq!(has_commands, runs, "{page}");
    }
}

#[test]
fn every_command_of_the_korean_readme_works() {
    every_command_works("README.ko.md", "ko");
}
