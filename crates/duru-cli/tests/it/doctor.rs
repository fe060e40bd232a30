//! What the doctor finds, and what it says to do.

use serde_json::Value;

use crate::fake_model::FakeModel;
use crate::{Desk, Seen};

fn of<'a>(report: &'a Value, check: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|found| found["check"] == check).unwrap_or_else(|| panic!("no {check}: {report}"))
}

/// The doctor on a fake that does this to every request, by way of one format.
fn with_model(desk: &Desk, turn: &str, line: usize, lang: &str) -> Seen {
    let fake = FakeModel::start(desk, turn);
    let mut command = desk.command(&["doctor", "--lang", lang, "--json"]);
    fake.set(line, &mut command);
    Seen::of(command.output().unwrap())
}

#[test]
fn without_a_model_the_rules_answer_and_all_is_well() {
    let desk = Desk::new();
    for (lang, words, fix) in [
        ("en", "rules answer meanwhile", "fix: set ANTHROPIC_API_KEY"),
        ("ko", "규칙이 대신 답합니다", "해결: ANTHROPIC_API_KEY"),
    ] {
        let seen = desk.run(&["doctor", "--lang", lang]);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        assert!(seen.out.contains(words) && seen.out.contains(fix), "{seen:?}");
    }
    let report = desk.run(&["doctor", "--json"]).json();
    assert_eq!((&report["well"], &of(&report, "model")["state"]), (&true.into(), &"fair".into()));
    for check in ["configuration", "store", "logs", "documents", "terminal", "clock"] {
        assert_eq!(of(&report, check)["state"], "good", "{report}");
    }
}

#[test]
fn a_model_that_answers_is_well_in_both_formats() {
    for line in [0, 1] {
        let seen = with_model(&Desk::new(), r#"{"says": "ok", "always": true}"#, line, "en");
        let report = seen.json();
        assert_eq!((seen.code, &of(&report, "model")["state"]), (Some(0), &"good".into()), "{seen:?}");
    }
}

/// The words come one by one: so the doctor says how fast, and that nobody will wait for an answer at that speed.
#[test]
fn the_speed_of_a_model_is_told_and_a_slow_one_is_named() {
    let turn = |tokens: u32| {
        format!(
            r#"{{"says": "one two three four five", "tokens": [20, {tokens}], "pause_ms": 60, "always": true}}"#
        )
    };
    for (lang, speed, slow) in
        [("en", "tokens a second", "It is too slow"), ("ko", "초당 토큰", "너무 느립니다")]
    {
        let seen = with_model(&Desk::new(), &turn(2000), 1, lang);
        let report = seen.json();
        let found = of(&report, "model");
        assert_eq!((seen.code, &found["state"]), (Some(0), &"good".into()), "{seen:?}");
        let what = found["what"].as_str().unwrap();
        assert!(what.contains(speed) && !what.contains(slow), "{what}");

        let seen = with_model(&Desk::new(), &turn(1), 1, lang);
        let report = seen.json();
        let found = of(&report, "model");
        assert_eq!((seen.code, &found["state"]), (Some(0), &"fair".into()), "it works, though: {seen:?}");
        let (what, fix) = (found["what"].as_str().unwrap(), found["fix"].as_str().unwrap());
        assert!(what.contains(speed) && what.contains(slow) && what.contains("90"), "{what}");
        assert!(fix.contains("DURU_QUESTION_SECONDS="), "{fix}");
    }
}

#[test]
fn each_fault_of_a_model_is_one_line_that_says_what_to_set() {
    let cases = [
        (r#"{"fails": "wrong_key", "always": true}"#, 0, "ANTHROPIC_API_KEY", "refused the key", "키를 거절"),
        (r#"{"fails": "wrong_key", "always": true}"#, 1, "OPENAI_API_KEY", "refused the key", "키를 거절"),
        (
            r#"{"fails": "unknown_model", "always": true}"#,
            1,
            "DURU_MODEL",
            "has no model \"fake\"",
            "모델 \"fake\"",
        ),
        (
            r#"{"fails": {"status": 503}, "always": true}"#,
            1,
            "",
            "cannot answer now",
            "지금은 답할 수 없습니다",
        ),
    ];
    for (turn, line, variable, en, ko) in cases {
        for (lang, words, meanwhile) in
            [("en", en, "rules answer meanwhile"), ("ko", ko, "규칙이 대신 답합니다")]
        {
            let seen = with_model(&Desk::new(), turn, line, lang);
            let report = seen.json();
            let found = of(&report, "model");
            assert_eq!((seen.code, &report["well"]), (Some(1), &false.into()), "{seen:?}");
            let (what, fix) = (found["what"].as_str().unwrap(), found["fix"].as_str().unwrap());
            assert!(what.contains(words) && what.contains(meanwhile) && fix.contains(variable), "{found}");
            assert!(!seen.out.contains("fake-key"), "{seen:?}");
        }
    }
}

#[test]
fn no_key_and_nobody_there() {
    let desk = Desk::new();
    let mut command = desk.command(&["doctor", "--json"]);
    let seen = Seen::of(command.env("DURU_MODEL", "anthropic:claude").output().unwrap());
    let report = seen.json();
    assert_eq!(seen.code, Some(1), "{seen:?}");
    assert!(of(&report, "model")["fix"].as_str().unwrap().contains("export ANTHROPIC_API_KEY="), "{report}");

    let fake = FakeModel::start(&desk, "");
    let mut command = desk.command(&["doctor", "--json"]);
    fake.set(1, &mut command);
    fake.stop();
    let seen = Seen::of(command.output().unwrap());
    assert_eq!(seen.code, Some(1), "{seen:?}");
    assert!(
        of(&seen.json(), "model")["what"].as_str().unwrap().contains("cannot reach 127.0.0.1"),
        "{seen:?}"
    );
    // Not asked, it is well.
    let mut command = desk.command(&["doctor", "--offline"]);
    assert_eq!(command.env("DURU_MODEL", "ollama:m").output().unwrap().status.code(), Some(0));
}

#[test]
fn settings_that_mean_nothing_are_found() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("prompts/researcher")).unwrap();
    std::fs::write(desk.path("prompts/researcher/query_router.md"), "{{ question }} {{ histroy }}").unwrap();
    let mut command = desk.command(&["doctor", "--json"]);
    command.env("DURU_PROMPTS", desk.path("prompts")).env("DURU_MODEL_RESERCHER", "none");
    let seen = Seen::of(command.output().unwrap());
    assert_eq!(seen.code, Some(1), "{seen:?}");
    assert!(seen.out.contains("query_router.md") && seen.out.contains("histroy"), "{seen:?}");
    assert!(
        seen.out.contains("DURU_MODEL_RESERCHER") && seen.out.contains("DURU_MODEL_RESEARCHER"),
        "{seen:?}"
    );
}

#[test]
fn names_that_nobody_reads_and_values_that_mean_nothing_are_found() {
    let desk = Desk::new();
    let mut command = desk.command(&["doctor", "--offline", "--lang", "en"]);
    let seen = Seen::of(command.env("DURU_STOER", "/x").output().unwrap());
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(
        seen.out.contains("nothing reads DURU_STOER") && seen.out.contains("did you mean DURU_STORE?"),
        "{seen:?}"
    );
    for (name, value, ko, fix) in [
        ("DURU_LANG", "french", "모르는 말입니다", "ko, en"),
        ("DURU_KEEP_LOGS", "long", "기간이 아닙니다", "30d"),
        ("DURU_LOG_LEVEL", "loud", "모르는 말입니다", "error, warn, info, debug"),
        ("DURU_LOG", "duru_server=loud", "쓸 수 없습니다", "duru=info,duru_server=debug"),
    ] {
        let mut command = desk.command(&["doctor", "--offline", "--lang", "ko"]);
        let seen = Seen::of(command.env(name, value).output().unwrap());
        assert_eq!(seen.code, Some(1), "{seen:?}");
        assert!(seen.out.contains(ko) && seen.out.contains(fix), "{seen:?}");
    }
}

#[test]
fn a_store_that_cannot_be_used_is_found() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--yes", "-q"]).code, Some(0));
    let seen = desk.run(&["doctor", "--json"]);
    assert!(of(&seen.json(), "store")["what"].as_str().unwrap().contains("read and written"), "{seen:?}");

    let broken = desk.path("broken.db");
    std::fs::write(&broken, "this is no database, and never was one").unwrap();
    let seen = desk.run(&["doctor", "--json", "--store", broken.to_str().unwrap()]);
    assert_eq!((seen.code, &of(&seen.json(), "store")["state"]), (Some(1), &"bad".into()), "{seen:?}");
    std::fs::write(desk.path("words.tsv"), "one column only\n").unwrap();
    std::fs::create_dir_all(desk.path("duru/documents")).unwrap();
    let mut command = desk.command(&["doctor", "--offline", "--json", "--lang", "ko"]);
    let seen = Seen::of(command.env("DURU_THESAURUS", desk.path("words.tsv")).output().unwrap());
    assert_eq!((seen.code, &of(&seen.json(), "documents")["state"]), (Some(1), &"bad".into()), "{seen:?}");
    // What was looked at is as it was.
    assert_eq!(std::fs::read(&broken).unwrap(), b"this is no database, and never was one");
}
