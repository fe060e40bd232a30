//! The example, without any options and with most of them.

use crate::Desk;

#[test]
fn it_runs_without_options() {
    let seen = Desk::new().run(&["demo"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("flowchart TD"), "{seen:?}");
    assert!(seen.out.contains("receipt = \"published-"), "{seen:?}");
    assert!(seen.err.contains("Duru"), "{seen:?}");
    assert!(seen.err.contains("demo --thread demo-"), "it says how to go on: {seen:?}");
}

#[test]
fn it_speaks_korean_when_the_locale_does() {
    let desk = Desk::new();
    for (name, value, korean) in
        [("LANG", "ko_KR.UTF-8", true), ("LC_ALL", "ko_KR.UTF-8", true), ("LANG", "en_US.UTF-8", false)]
    {
        let output = desk.command(&["demo"]).env(name, value).output().unwrap();
        let seen = crate::Seen::of(output);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        assert_eq!(seen.err.contains("글을 쓰고"), korean, "{name}={value}: {seen:?}");
        assert_eq!(seen.out.contains("바뀐 값"), korean, "{name}={value}: {seen:?}");
    }
    assert!(desk.run(&["demo", "--lang", "ko"]).out.contains("체크포인트"));
}

#[test]
fn json_is_one_object_that_tells_everything() {
    let desk = Desk::new();
    let seen = desk.run(&["demo", "--json", "--thread", "one", "--topic", "tests"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let json = seen.json();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["thread"], "one");
    assert_eq!(json["graph"], "article");
    assert_eq!(json["status"], "idle");
    assert_eq!(json["state"]["topic"], "tests");
    assert_eq!(json["state"]["remarks"].as_array().map(Vec::len), Some(3));
    let steps: Vec<i64> =
        json["history"].as_array().unwrap().iter().filter_map(|h| h["step"].as_i64()).collect();
    assert_eq!(steps, [0, 1, 2, 3, 4]);
    assert_eq!(json["history"][3]["changed"], serde_json::json!({ "verdict": "publish" }));
    assert!(json["graph_mermaid"].as_str().unwrap().starts_with("flowchart"));
    let published = std::fs::read_to_string(json["published_file"].as_str().unwrap()).unwrap();
    assert_eq!(published.lines().count(), 1);
}

#[test]
fn quiet_leaves_only_data() {
    let seen = Desk::new().run(&["demo", "--quiet"]);
    assert_eq!((seen.code, seen.err.as_str()), (Some(0), ""), "{seen:?}");
    assert!(seen.out.contains("receipt"));
}

#[test]
fn an_answer_may_send_it_round_again() {
    let desk = Desk::new();
    let seen = desk.run(&["demo", "--json", "--answer", "revise"]);
    let state = &seen.json()["state"];
    assert_eq!(state["round"], 2, "{seen:?}");
    assert_eq!(state["remarks"].as_array().map(Vec::len), Some(6), "{seen:?}");
    assert!(state["remarks"].as_array().unwrap()[3..].iter().all(|remark| remark["ok"] == true), "{seen:?}");

    let held = desk.run(&["demo", "--json", "--answer", "hold"]).json();
    assert_eq!(held["state"]["verdict"], "hold");
    assert!(held["state"].get("receipt").is_none(), "nothing was published");
}

#[test]
fn what_a_terminal_would_obey_is_not_printed() {
    let seen = Desk::new().run(&["demo", "--topic", "a\u{1b}[31mb\u{9b}c"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let obeyed = |text: &str| text.contains(['\u{1b}', '\u{9b}']);
    assert!(!obeyed(&seen.out) && !obeyed(&seen.err), "{seen:?}");
    assert!(seen.out.contains("topic = \"a"), "{seen:?}");
}

#[test]
fn the_graph_is_drawn_alone() {
    let desk = Desk::new();
    let seen = desk.run(&["graph"]);
    assert!(seen.out.starts_with("flowchart TD\n"), "{seen:?}");
    let json = desk.run(&["graph", "--json"]).json();
    assert_eq!(json["mermaid"].as_str(), Some(seen.out.as_str()));
    assert_eq!(std::fs::read_dir(desk.folder.path()).unwrap().count(), 0, "drawing makes no file");
}

#[test]
fn a_data_folder_that_can_not_be_made_is_replaced_by_a_temporary_one() {
    let desk = Desk::new();
    std::fs::write(desk.path("file"), "").unwrap();
    let output =
        desk.command(&["demo"]).env("XDG_DATA_HOME", desk.path("file")).env("TMPDIR", desk.path("")).output();
    let seen = crate::Seen::of(output.unwrap());
    assert_eq!(seen.code, Some(0), "{seen:?}");
}
