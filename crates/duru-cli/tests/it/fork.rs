//! Comparing checkpoints, and going back to one.

use std::sync::Arc;

use duru::{Cx, Graph, NodeError, Outcome, State};
use duru_store::SqliteStore;
use serde_json::{Value, json};

use crate::Desk;

/// The checkpoint that ended a step.
fn checkpoint(desk: &Desk, thread: &str, step: usize) -> String {
    let shown = desk.run(&["threads", "show", thread, "--json"]).json();
    shown["history"][step]["checkpoint"].as_str().unwrap().to_owned()
}

fn done(thread: &str) -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", thread, "--yes"]).code, Some(0));
    desk
}

#[test]
fn a_diff_tells_what_a_step_changed() {
    let desk = done("t");
    let last = desk.run(&["threads", "diff", "t"]);
    assert_eq!(last.code, Some(0), "{last:?}");
    assert!(last.out.contains("(step 3) → ") && last.out.contains("+ receipt = \"published-"), "{last:?}");
    assert!(last.out.contains("next: publish → —"), "{last:?}");

    let [one, two] = [1, 2].map(|step| checkpoint(&desk, "t", step));
    let korean = desk.run(&["threads", "diff", "t", &one, &two, "--lang", "ko"]);
    assert!(korean.out.contains("다음: check ×3 → ask"), "{korean:?}");
    let json = desk.run(&["threads", "diff", "t", &one, &two, "--json"]).json();
    assert_eq!((&json["from"]["step"], &json["to"]["step"]), (&json!(1), &json!(2)));
    assert_eq!(json["from"]["next"], json!(["check ×3"]));
    let change: &Value = &json["changes"][0];
    assert_eq!((&change["kind"], &change["channel"]), (&json!("appended"), &json!("remarks")), "{json}");
    assert_eq!((&change["from"], change["items"].as_array().map(Vec::len)), (&json!(0), Some(3)), "{json}");

    let again = Desk::new();
    assert_eq!(again.run(&["demo", "--thread", "t", "--answer", "revise"]).code, Some(0));
    let json = again.run(&["threads", "diff", "t", &checkpoint(&again, "t", 2), "--json"]).json();
    let grown =
        json["changes"].as_array().unwrap().iter().find(|change| change["kind"] == "appended").unwrap();
    assert_eq!((&grown["channel"], &grown["from"]), (&json!("remarks"), &json!(3)), "{json}");
    assert_eq!(grown["items"].as_array().map(Vec::len), Some(3), "only what is new");
}

#[test]
fn a_moment_shows_the_tasks_as_they_were() {
    let desk = done("t");
    let one = checkpoint(&desk, "t", 1);
    let seen = desk.run(&["threads", "show", "t", "--at", &one]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("step 1") && seen.out.contains("draft = ") && !seen.out.contains("receipt"));
    assert_eq!(
        desk.run(&["threads", "show", "t", "--at", &one, "--json"]).json()["next"],
        json!(["check ×3"])
    );
    let korean = desk.run(&["threads", "show", "t", "--at", &one, "--lang", "ko"]);
    assert!(korean.out.contains("체크포인트") && korean.out.contains("작업"), "{korean:?}");
}

#[test]
fn the_beginning_of_a_checkpoint_is_enough() {
    let desk = done("t");
    let table = desk.run(&["threads", "show", "t"]).out;
    let rows: Vec<&str> = table.lines().skip_while(|line| !line.starts_with("checkpoint")).collect();
    let short = rows[1].split_whitespace().next().unwrap();
    let seen = desk.run(&["threads", "show", "t", "--at", short, "--json"]);
    assert_eq!(seen.json()["step"], 0, "{short}: {seen:?}");
    let several = desk.run(&["threads", "show", "t", "--at", &short[..1]]);
    assert_eq!(several.code, Some(2));
    assert!(several.err.contains("[ambiguous-checkpoint]"), "{several:?}");
}

#[test]
fn unknown_checkpoints_and_threads_are_errors_in_both_languages() {
    let desk = done("t");
    let nowhere = "1f000000-0000-6000-8000-000000000000";
    for (lang, words) in [("ko", "없습니다"), ("en", "has no checkpoint")] {
        for given in [nowhere, "zzz", ""] {
            for args in [
                &["threads", "diff", "t", given][..],
                &["threads", "fork", "t", given, "--yes"],
                &["threads", "show", "t", "--at", given],
            ] {
                let seen = desk.run(&[args, &["--lang", lang]].concat());
                assert_eq!((seen.code, seen.out.as_str()), (Some(2), ""), "{args:?}: {seen:?}");
                assert!(seen.err.contains("[unknown-checkpoint]") && seen.err.contains(words), "{seen:?}");
                assert!(seen.err.contains("threads show t"), "it says what to do: {seen:?}");
            }
        }
        for args in [&["threads", "diff", "nobody"][..], &["threads", "fork", "nobody", nowhere]] {
            let seen = desk.run(&[args, &["--lang", lang]].concat());
            assert!(seen.code == Some(2) && seen.err.contains("[unknown-thread]"), "{seen:?}");
        }
    }
    let json = desk.run(&["threads", "diff", "t", nowhere, "--json"]).json();
    assert_eq!(json["error"]["code"], "unknown-checkpoint");
}

#[test]
fn a_fork_changes_what_the_next_run_does() {
    let desk = done("t");
    let asked = checkpoint(&desk, "t", 2);
    for (lang, words) in [("ko", "--yes"), ("en", "nothing was changed")] {
        let seen = desk.run(&["threads", "fork", "t", &asked, "--lang", lang]);
        assert_eq!((seen.code, seen.out.as_str()), (Some(6), ""), "nobody can be asked: {seen:?}");
        assert!(seen.err.contains("[needs-yes]") && seen.err.contains(words), "{seen:?}");
    }
    assert_eq!(desk.run(&["threads", "show", "t", "--json"]).json()["status"], "idle", "nothing was changed");

    let forked = desk.run(&["threads", "fork", "t", &asked, "--yes", "--json"]);
    assert_eq!(forked.code, Some(0), "{forked:?}");
    assert!(forked.err.contains("act on the world again"), "{forked:?}");
    let json = forked.json();
    assert_eq!((&json["parent"], &json["next"]), (&json!(asked), &json!(["ask"])), "{forked:?}");
    // The question is asked again, and another answer leads elsewhere.
    let held = desk.run(&["demo", "--thread", "t", "--answer", "hold", "--json"]);
    assert_eq!(held.code, Some(0), "{held:?}");
    assert_eq!(held.json()["state"]["verdict"], "hold", "{held:?}");
    assert!(held.json()["state"].get("receipt").is_none(), "{held:?}");
    let marked = desk.run(&["graph", "--thread", "t"]);
    assert!(marked.out.contains("[\"ask<br/>×2 · "), "both branches ran: {marked:?}");
}

#[test]
fn a_fork_says_what_it_gives_up() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", "t", "--no-input"]).code, Some(6));
    let one = checkpoint(&desk, "t", 1);
    for (lang, words) in [("en", "1 question(s) that wait"), ("ko", "질문 1개를 버립니다")] {
        let seen = desk.run(&["threads", "fork", "t", &one, "--lang", lang]);
        assert!(seen.err.contains(words), "{seen:?}");
    }
    assert_eq!(desk.run(&["threads", "fork", "t", &one, "--yes", "--quiet"]).code, Some(0));
    let shown = desk.run(&["threads", "show", "t", "--json"]).json();
    assert_eq!(shown["questions"], json!([]));
    assert_eq!(shown["next"], json!(["check", "check", "check"]));
}

#[derive(State, Clone, Debug)]
struct Notes {
    #[merge(append)]
    lines: Vec<String>,
}

/// A thread of a graph that this program has never seen: in its last step one
/// node has finished and one has failed.
async fn strange(file: &std::path::Path) {
    let mut g = Graph::<Notes>::new("strange");
    let plan =
        g.node("plan", async |_: Arc<Notes>, _: Cx| Ok(NotesUpdate::new().lines(["p\u{1b}[2J".to_owned()])));
    let good = g.node("good", async |_: Arc<Notes>, _: Cx| Ok(NotesUpdate::new().lines(["g".to_owned()])));
    let bad = g.node("bad", async |_: Arc<Notes>, _: Cx| {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        Err::<NotesUpdate, _>(NodeError::msg("br\u{1b}[31moken"))
    });
    g.start(plan).edge(plan, good).edge(plan, bad);
    let app = g.compile().unwrap().on(Arc::new(SqliteStore::open(file).unwrap()));
    let outcome = app.thread("s").unwrap().invoke(NotesUpdate::new()).await.unwrap();
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
}

#[test]
fn a_stranger_s_thread_needs_no_graph() {
    let desk = Desk::new();
    let file = desk.path("strange.db");
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(strange(&file));
    let run = |args: &[&str]| desk.run(&[args, &["--store", file.to_str().unwrap()]].concat());
    assert_eq!(run(&["threads", "ls", "--json"]).json()["threads"][0]["graph"], "strange");
    let zero = run(&["threads", "show", "s", "--json"]).json()["history"][0]["checkpoint"].clone();
    let one = run(&["threads", "show", "s", "--json"]).json()["history"][1]["checkpoint"].clone();
    let (zero, one) = (zero.as_str().unwrap(), one.as_str().unwrap());

    let moment = run(&["threads", "show", "s", "--at", one]);
    assert!(moment.out.contains("good") && moment.out.contains("failed"), "{moment:?}");
    for args in
        [&["threads", "show", "s"][..], &["threads", "diff", "s"], &["threads", "show", "s", "--at", one]]
    {
        let seen = run(args);
        assert!(seen.code == Some(0) && !seen.out.contains('\u{1b}'), "{seen:?}");
    }
    let other = run(&["graph", "--thread", "s"]);
    assert!(other.code == Some(2) && other.err.contains("[other-graph]"), "{other:?}");

    let forked = run(&["threads", "fork", "s", zero, "--yes", "--json", "--quiet"]);
    assert!(forked.err.contains("Finished work of the unfinished step is given up: good"), "{forked:?}");
    assert_eq!(forked.json()["discarded"], json!(["good"]), "{forked:?}");
    assert_eq!(run(&["threads", "show", "s", "--json"]).json()["next"], json!(["plan"]));
}
