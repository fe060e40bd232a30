//! Help, versions and wrong arguments.

use crate::Desk;

#[test]
fn help_is_in_the_language_of_its_reader() {
    let desk = Desk::new();
    for (lang, words) in [("ko", ["사용법", "종료 코드"]), ("en", ["Usage", "Exit codes"])] {
        for args in [
            &["--help"][..],
            &["demo", "--help"],
            &["threads", "-h"],
            &["threads", "fork", "-h"],
            &["graph", "-h"],
            &["decisions", "-h"],
            &["fake-model", "-h"],
            &["doctor", "-h"],
            &["ask", "-h"],
            &["chat", "-h"],
            &["resume", "-h"],
        ] {
            let seen = desk.run(&[args, &["--lang", lang]].concat());
            assert_eq!(seen.code, Some(0), "{seen:?}");
            assert!(words.iter().all(|word| seen.out.contains(word)), "{seen:?}");
            // The list of all commands, with an example before it, may take a tall screen.
            let screen = if args == ["--help"] { 52 } else { 44 };
            assert!(seen.out.lines().count() <= screen, "one screen: {}", seen.out);
        }
    }
}

#[test]
fn the_version_is_the_package_s() {
    let seen = Desk::new().run(&["--version"]);
    assert_eq!((seen.code, seen.out.trim()), (Some(0), concat!("duru ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn wrong_arguments_say_what_is_wrong() {
    let desk = Desk::new();
    let cases: [(&[&str], &str, &str); 9] = [
        (&["dmeo"], "unknown command: dmeo", "모르는 명령입니다: dmeo"),
        (&["demo", "--fast"], "unknown argument: --fast", "모르는 인자입니다: --fast"),
        (&["demo", "--answer", "maybe"], "maybe is no value", "쓸 수 없는 값입니다: maybe"),
        (&["demo", "--yes", "--no-input"], "can't be used with", "함께 쓸 수 없습니다"),
        (&["threads"], "a command is missing", "명령이 빠졌습니다"),
        (&["threads", "show"], "missing: <ID>", "인자가 빠졌습니다: <ID>"),
        (&["threads", "diff"], "missing: <ID>", "인자가 빠졌습니다: <ID>"),
        (&["threads", "fork", "t"], "missing: <CHECKPOINT>", "인자가 빠졌습니다: <CHECKPOINT>"),
        (&["graph", "--format", "png"], "png is no value", "쓸 수 없는 값입니다: png"),
    ];
    for (args, en, ko) in cases {
        for (lang, words) in [("en", en), ("ko", ko)] {
            let seen = desk.run(&[args, &["--lang", lang]].concat());
            assert_eq!((seen.code, seen.out.as_str()), (Some(2), ""), "{seen:?}");
            assert!(seen.err.contains("[usage]") && seen.err.contains(words), "{seen:?}");
        }
    }
    assert_eq!(desk.run(&["demo", "--thread", ""]).code, Some(2));
    let seen = desk.run(&["demo", "--thread", "a\u{1b}b"]);
    assert!(seen.err.contains("[invalid-thread]"), "{seen:?}");
}

#[test]
fn what_was_meant_is_said_and_where_to_look() {
    let desk = Desk::new();
    let cases: [(&[&str], &str, &str); 9] = [
        (&["ask", "--agnet", "analyst", "x"], "did you mean --agent?", "혹시 --agent?"),
        (&["graph", "anlyst"], "did you mean analyst?", "혹시 analyst?"),
        (&["ask", "--rows", "0", "x"], "(from 1 to 10000)", "(1~10000)"),
        (&["ask", "--rows", "many", "x"], "a number is needed", "수를 쓰세요"),
        (&["logs", "generate", "--now", "soon"], "2026-03-18T14:30", "2026-03-18T14:30"),
        (&["demo", "--yes=1"], "--yes takes no value 1", "--yes에는 값 1"),
        (&["ask", "--rows", "1", "--rows", "2", "x"], "only once", "한 번만"),
        (&["memory", "forget"], "missing: <ID|--all>", "인자가 빠졌습니다: <ID|--all>"),
        (&["ask", "--run", "x", "--agent", "advisor"], "for --agent analyst alone", "--agent analyst에서만"),
    ];
    for (args, en, ko) in cases {
        for (lang, words) in [("en", en), ("ko", ko)] {
            let seen = desk.run(&[args, &["--lang", lang]].concat());
            assert_eq!(seen.code, Some(2), "{seen:?}");
            assert!(seen.err.contains(words), "{words} in {seen:?}");
            let command = if args[0] == "logs" { "logs generate" } else { args[0] };
            assert!(seen.err.contains(&format!("`duru {command}")), "where to look: {seen:?}");
            let english = ["unexpected", "found", "invalid", "expected"];
            assert!(lang == "en" || !english.iter().any(|word| seen.err.contains(word)), "{seen:?}");
        }
    }
}

#[test]
fn a_password_on_the_command_line_is_remarked_on_and_never_repeated() {
    let desk = Desk::new();
    let url = "postgres://kim:s3cret@127.0.0.1:9/app";
    for (lang, words) in [("ko", "다른 사용자에게 보입니다"), ("en", "can be seen by others")] {
        let seen = desk.run(&["threads", "ls", "--store", url, "--lang", lang]);
        assert_eq!(seen.code, Some(5), "{seen:?}");
        assert!(seen.err.contains(words) && !seen.err.contains("s3cret"), "{seen:?}");
    }
    let seen = desk.run(&["threads", "ls", "--store=postgres://kim@127.0.0.1:9/app", "--lang", "en"]);
    assert!(!seen.err.contains("seen by others"), "{seen:?}");
}

#[test]
fn help_is_a_word_too() {
    let desk = Desk::new();
    let asked = desk.run(&["--lang", "ko", "help", "threads", "show"]);
    assert_eq!(asked.out, desk.run(&["threads", "show", "--help", "--lang", "ko"]).out);
    assert!(
        asked.code == Some(0) && asked.out.contains("사용법: duru threads show [옵션] <ID>"),
        "{asked:?}"
    );
    assert!(desk.run(&["help"]).out.contains("Usage: duru [OPTIONS] [COMMAND]"));
    assert_eq!(desk.run(&["help", "nothing"]).code, Some(2));
    let mut command = desk.command(&["help"]);
    let painted = crate::Seen::of(command.env("CLICOLOR_FORCE", "1").output().unwrap());
    assert!(painted.out.contains('\u{1b}') && !desk.run(&["help"]).out.contains('\u{1b}'));
}

/// Every exit code that the help names, by the shortest way to it; 124 and 130 take a model that says nothing, see
/// `terminal.rs`.
#[test]
fn exit_codes_are_those_of_the_help() {
    let desk = Desk::new();
    std::fs::write(desk.path("bad.jsonl"), "{\"nothing\": 1}\n").unwrap();
    std::fs::write(desk.path("no.db"), "this is no database, and never was one").unwrap();
    let cases: [(i32, &[&str], &str); 8] = [
        (0, &["config", "path"], ""),
        (1, &["logs", "ingest", "bad.jsonl", "--dry-run"], "bad-rows"),
        (2, &["ask"], "usage"),
        (3, &["serve", "--host", "0.0.0.0", "--port", "0"], "no-keys"),
        (4, &["sql", "check", "DROP TABLE logs"], ""),
        (5, &["--store", "no.db", "threads", "ls"], "store-"),
        (6, &["demo", "--thread", "t", "--no-input"], "needs-input"),
        (6, &["demo", "reset", "--no-input"], "needs-yes"),
    ];
    for (code, args, name) in cases {
        for lang in ["ko", "en"] {
            let seen = desk.run(&[args, &["--lang", lang]].concat());
            assert_eq!(seen.code, Some(code), "{args:?}: {seen:?}");
            assert!(code == 0 || seen.err.contains(&format!("[{name}")), "{args:?}: {seen:?}");
        }
        let documented = crate::documents::read("docs/cli.md");
        assert!(documented.contains(&format!("\n| {code} | ")), "{code}");
        // Programs get the same.
        assert_eq!(desk.run(&[args, &["--json"]].concat()).code, Some(code), "{args:?}");
    }
    let help = desk.run(&["--help", "--lang", "en"]).out;
    for code in
        ["0 ok", "1 failed", "2 usage", "3 conf", "4 query", "5 store", "6 waits", "124 timeout", "130 inter"]
    {
        assert!(help.contains(code), "{code}: {help}");
    }
}

#[test]
fn nobody_reading_is_no_error() {
    let desk = Desk::new();
    let mut child = desk.command(&["graph"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().code().is_some_and(|code| code == 0));
}
