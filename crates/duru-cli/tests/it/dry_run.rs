//! What would be done, and that nothing was.

use serde_json::{Value, json};

use crate::Desk;

#[test]
fn keys_threads_and_samples_are_still_there_after_a_trial() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["keys", "add", "kim"]).code, Some(0));
    assert_eq!(desk.run(&["demo", "--thread", "d", "--yes"]).code, Some(0));
    for (lang, words) in [("ko", "아무것도 거두지 않았습니다"), ("en", "none was")] {
        let seen = desk.run(&["keys", "revoke", "kim", "--dry-run", "--lang", lang]);
        assert!(seen.code == Some(0) && seen.out.contains(words), "{seen:?}");
        let unknown = desk.run(&["keys", "revoke", "nobody", "--dry-run", "--lang", lang]);
        assert!(unknown.code == Some(2) && unknown.err.contains("keys list"), "{unknown:?}");
    }
    assert_eq!(desk.run(&["keys", "list", "--json"]).json()["keys"][0]["name"], "kim");

    let tried = desk.run(&["demo", "reset", "--dry-run", "--json"]).json();
    assert_eq!((&tried["would_delete"], &tried["threads"]), (&json!(1), &json!(0)), "{tried}");
    assert_eq!(desk.run(&["threads", "ls", "--json"]).json()["threads"][0]["id"], "d");

    let tried = desk.run(&["memory", "forget", "--all", "--dry-run", "--json"]).json();
    assert_eq!((&tried["forgotten"], &tried["dry_run"]), (&json!(0), &json!(true)), "{tried}");
    let tried =
        desk.run(&["logs", "generate", "--rows", "5", "--into", "new-logs", "--dry-run", "--json"]).json();
    assert_eq!(tried["would_make"], 5, "{tried}");
    assert!(!desk.path("new-logs").exists());
    let erased = desk.run(&["user", "erase", "kim", "--dry-run", "--json"]).json();
    assert_eq!((&erased["erased"], &erased["what"]["keys"]), (&json!(false), &json!(1)), "{erased}");
}

#[test]
fn a_memory_is_still_there_after_a_trial() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("manuals")).unwrap();
    std::fs::write(desk.path("manuals/a.md"), "# 보증금\n\n보증금은 돌려주어야 한다.\n").unwrap();
    assert_eq!(desk.run(&["docs", "ingest", "manuals"]).code, Some(0));
    assert_eq!(desk.run(&["ask", "--agent", "advisor", "마포구 아파트 시세 알려줘"]).code, Some(0));
    let memories = || desk.run(&["memory", "list", "--json"]).json()["memories"].clone();
    let before = memories();
    let id = before[0]["id"].as_str().unwrap();
    let tried = desk.run(&["memory", "forget", id, "--dry-run", "--json"]).json();
    assert_eq!(tried["would_forget"][0]["id"], *id, "{tried}");
    assert_eq!(desk.run(&["memory", "forget", "no-such-id", "--dry-run"]).code, Some(2));
    assert_eq!(memories(), before);
}

#[test]
fn a_backup_is_looked_at_and_left_where_it_is() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", "before", "--yes"]).code, Some(0));
    assert_eq!(desk.run(&["backup", "b.zip"]).code, Some(0));
    assert_eq!(desk.run(&["demo", "--thread", "after", "--yes"]).code, Some(0));
    let tried = desk.run(&["restore", "b.zip", "--dry-run", "--json"]);
    assert_eq!(tried.code, Some(0), "it needs no --force: {tried:?}");
    let parts = tried.json()["would_restore"].as_array().unwrap().clone();
    let store = |part: &&Value| part["to"].as_str().is_some_and(|to| to.ends_with("threads.db"));
    assert_eq!(parts.iter().find(store).unwrap()["is_there"], true, "{parts:?}");
    let threads = desk.run(&["threads", "ls", "--json"]).json()["threads"].as_array().unwrap().len();
    assert_eq!(threads, 2, "nothing was replaced");
    std::fs::write(desk.path("b.zip"), "no zip").unwrap();
    let broken = desk.run(&["restore", "b.zip", "--dry-run"]);
    assert!(broken.code == Some(5) && broken.err.contains("[backup-damaged]"), "{broken:?}");
}
