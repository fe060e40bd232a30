//! Looking at store files, ours and others'.

use crate::Desk;

#[test]
fn who_only_looks_makes_no_store() {
    let desk = Desk::new();
    for args in [
        &["threads", "ls"][..],
        &["keys", "list"],
        &["runs", "dead", "list"],
        &["memory", "list"],
        &["feedback"],
        &["ab", "report"],
        &["decisions"],
        &["user", "erase", "kim", "--dry-run"],
        &["retention", "--dry-run"],
    ] {
        assert_eq!(desk.run(args).code, Some(0), "{args:?}");
        assert!(!desk.path("duru/threads.db").exists(), "{args:?}");
    }
    assert_eq!(desk.run(&["keys", "revoke", "kim"]).code, Some(2));
}

#[test]
fn threads_are_listed_and_shown() {
    let desk = Desk::new();
    let none = desk.run(&["threads", "ls"]);
    assert_eq!((none.code, none.out.as_str()), (Some(0), ""), "{none:?}");
    assert!(none.err.contains("There are no threads yet"), "{none:?}");

    assert_eq!(desk.run(&["demo", "--thread", "첫째"]).code, Some(0));
    assert_eq!(desk.run(&["demo", "--thread", "second"]).code, Some(0));
    let list = desk.run(&["threads", "ls"]);
    let names: Vec<&str> =
        list.out.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["second", "첫째"], "{list:?}");
    let list = desk.run(&["threads", "ls", "--json", "--limit", "1"]).json();
    assert_eq!(list["threads"].as_array().map(Vec::len), Some(1));
    assert_eq!(list["threads"][0]["id"], "second");
    assert_eq!(list["threads"][0]["graph"], "article");
    assert_eq!(list["threads"][0]["steps"], 4);

    let shown = desk.run(&["threads", "show", "첫째", "--lang", "ko"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("check ×3") && shown.out.contains("바뀐 값"), "{shown:?}");
    assert_eq!(desk.run(&["threads", "show", "첫째", "--json"]).json()["graph"], "article");
}

#[test]
fn an_unknown_thread_is_an_error_in_both_languages() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo"]).code, Some(0));
    for (lang, words, help) in [("ko", "없습니다", "해결"), ("en", "there is no thread \"nobody\"", "help")]
    {
        let seen = desk.run(&["threads", "show", "nobody", "--lang", lang]);
        assert_eq!((seen.code, seen.out.as_str()), (Some(2), ""), "{seen:?}");
        assert!(seen.err.contains("[unknown-thread]"), "{seen:?}");
        assert!(seen.err.contains(words) && seen.err.contains(help), "{seen:?}");
        assert!(seen.err.contains("threads ls"), "it says what to do: {seen:?}");
    }
    let json = desk.run(&["threads", "show", "nobody", "--json"]).json();
    assert_eq!(json["error"]["code"], "unknown-thread");
    assert_eq!(Desk::new().run(&["threads", "show", "nobody"]).code, Some(2), "without a store file, too");
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let desk = Desk::new();
    let file = desk.path("notes.txt");
    let text = "These are my notes, and they are worth more than a demo. ".repeat(50);
    std::fs::write(&file, &text).unwrap();
    let file = file.to_str().unwrap();
    for command in [&["demo"][..], &["threads", "ls"], &["threads", "show", "x"]] {
        for (lang, words) in
            [("ko", "저장소를 쓸 수 없습니다"), ("en", "the store failed to open the database")]
        {
            let args = [command, &["--store", file, "--lang", lang]].concat();
            let seen = desk.run(&args);
            assert_eq!(seen.code, Some(5), "{seen:?}");
            assert!(seen.err.contains("[store-unavailable]") && seen.err.contains(words), "{seen:?}");
            assert!(seen.err.contains("not a database") && seen.err.contains("--store"), "{seen:?}");
        }
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_looking() {
    let desk = Desk::new();
    let file = desk.path("absent.db");
    let seen = desk.run(&["threads", "ls", "--store", file.to_str().unwrap()]);
    assert_eq!(seen.code, Some(5), "{seen:?}");
    assert!(seen.err.contains("[no-store]"), "{seen:?}");
    assert!(!file.exists());
}

#[test]
fn a_folder_that_can_not_be_made_is_a_matter_of_configuration() {
    let desk = Desk::new();
    std::fs::write(desk.path("file"), "").unwrap();
    let seen = desk.run(&["demo", "--store", desk.path("file/sub/demo.db").to_str().unwrap()]);
    assert_eq!(seen.code, Some(3), "{seen:?}");
    assert!(seen.err.contains("[no-folder]"), "{seen:?}");
}
