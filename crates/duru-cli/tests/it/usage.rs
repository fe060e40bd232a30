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
            // The list of all commands may take a tall screen.
            let screen = if args == ["--help"] { 48 } else { 40 };
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
fn nobody_reading_is_no_error() {
    let desk = Desk::new();
    let mut child = desk.command(&["graph"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().code().is_some_and(|code| code == 0));
}
