//! How fields merge over the steps of a run, in memory and from the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Command, Compiled, Cx, END, FailureKind, Graph, Result, State};
use duru_messages::{Message, Messages};

use crate::support::{failure, memory};

#[derive(State, Clone, Debug, PartialEq)]
struct All {
    last: String,
    #[merge(overwrite)]
    any: String,
    #[merge(append)]
    list: Vec<u32>,
    #[merge(append)]
    map: BTreeMap<String, u32>,
    #[merge(messages)]
    messages: Messages,
    #[merge(sum)]
    sum: i64,
    #[merge(min)]
    #[state(default = 1000)]
    min: i64,
    #[merge(max)]
    max: i64,
    #[merge(with = join)]
    text: String,
    #[merge(ephemeral)]
    hint: String,
    #[merge(untracked)]
    secret: String,
}

fn join(old: &mut String, new: String) {
    old.push_str(&new);
    assert!(!old.contains("boom"), "text went {old}");
}

/// What a node writes.
type Write = fn() -> AllUpdate;

/// One step of nodes that write, then one that says what it sees.
fn fan(writes: &[(&str, Write)]) -> Compiled<All> {
    let mut g = Graph::<All>::new("fan");
    let see = g.node("see", |s: Arc<All>, _: Cx| async move {
        Ok(AllUpdate::new().any(format!("hint={} secret={}", s.hint, s.secret)))
    });
    for (name, write) in writes {
        let write = *write;
        let node = g.node(name, move |_: Arc<All>, _: Cx| async move { Ok(write()) });
        g.start(node).edge(node, see);
    }
    g.edge(see, END);
    g.compile().unwrap()
}

/// The end of a run, the same from memory and read back from the store.
async fn end(graph: Compiled<All>, input: AllUpdate) -> All {
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let end = All::clone(&*thread.invoke(input).await.unwrap().done().unwrap());
    let mut stored: All = thread.state().await.unwrap().decode().unwrap();
    assert_eq!(stored.secret, "");
    stored.secret = end.secret.clone();
    assert_eq!(stored, end);
    end
}

#[tokio::test]
async fn every_merge_through_a_run() {
    let graph = fan(&[
        ("a", || AllUpdate::new().list([1]).sum(2).min(5).max(5).text("a").any("a").map([("k".into(), 1)])),
        ("b", || {
            AllUpdate::new()
                .list([2, 3])
                .sum(3)
                .min(7)
                .max(7)
                .text("b")
                .any("b")
                .last("b")
                .map([("l".into(), 2)])
        }),
    ]);
    let end = end(graph, AllUpdate::new().list([0]).sum(10)).await;
    assert_eq!(end.last, "b");
    assert_eq!(end.list, [0, 1, 2, 3]);
    assert_eq!(end.map, BTreeMap::from([("k".into(), 1), ("l".into(), 2)]));
    assert_eq!((end.sum, end.min, end.max), (15, 5, 7));
    assert_eq!(end.text, "ab");
    assert_eq!(end.any, "hint= secret=");
}

#[tokio::test]
async fn messages_merge_by_id_and_get_one_if_they_have_none() {
    let graph = fan(&[
        ("a", || AllUpdate::new().messages([Message::ai("new").with_id("1"), Message::ai("more")])),
        ("b", || AllUpdate::new().messages([Message::remove("2")])),
    ]);
    let input = [Message::human("old").with_id("1"), Message::human("gone").with_id("2")];
    let end = end(graph, AllUpdate::new().messages(input)).await;
    let texts: Vec<String> = end.messages.iter().map(|message| message.text().into_owned()).collect();
    assert_eq!(texts, ["new", "more"]);
    let ids: Vec<_> = end.messages.iter().map(|message| message.id.clone().unwrap()).collect();
    assert_eq!(ids[0], "1");
    assert_eq!(ids[1].len(), 36);
}

#[tokio::test]
async fn an_overwrite_wins_whatever_its_position() {
    for writes in [
        [
            ("a", (|| AllUpdate::new().overwrite_list([9]).overwrite_sum(90)) as Write),
            ("b", || AllUpdate::new().list([1]).sum(1)),
        ],
        [
            ("a", (|| AllUpdate::new().list([1]).sum(1)) as Write),
            ("b", || AllUpdate::new().overwrite_list([9]).overwrite_sum(90)),
        ],
    ] {
        let end = end(fan(&writes), AllUpdate::new().list([0, 0]).sum(5)).await;
        assert_eq!((end.list.as_slice(), end.sum), (&[9][..], 90));
    }
}

#[tokio::test]
async fn a_task_adds_to_what_it_overwrote_itself() {
    let mut g = Graph::<All>::new("g");
    let a = g.node("a", |_: Arc<All>, _: Cx| async {
        Ok(Command::<All>::update(AllUpdate::new().list([1]))
            .and(AllUpdate::new().overwrite_list([7]))
            .and(AllUpdate::new().list([8])))
    });
    g.start(a).edge(a, END);
    assert_eq!(end(g.compile().unwrap(), AllUpdate::new().list([0])).await.list, [7, 8]);
}

#[tokio::test]
async fn two_overwriters_are_an_error_that_names_them() {
    let graph = fan(&[
        ("a", || AllUpdate::new().overwrite_list([1])),
        ("b", || AllUpdate::new().sum(1)),
        ("c", || AllUpdate::new().overwrite_list([2])),
    ]);
    let failure = failure(graph.invoke(AllUpdate::new()).await.unwrap());
    assert_eq!(failure.kind, FailureKind::Conflict);
    assert!(failure.message.contains("nodes a and c both wrote field \"list\""), "{}", failure.message);
}

#[tokio::test]
async fn two_writers_of_a_plain_an_ephemeral_or_an_untracked_field_are_an_error() {
    let cases: [(&str, Write); 3] = [
        ("last", || AllUpdate::new().last("x")),
        ("hint", || AllUpdate::new().hint("x")),
        ("secret", || AllUpdate::new().secret("x")),
    ];
    for (field, write) in cases {
        let failure = failure(fan(&[("a", write), ("b", write)]).invoke(AllUpdate::new()).await.unwrap());
        assert_eq!(failure.kind, FailureKind::Conflict);
        assert!(
            failure.message.contains(&format!("nodes a and b both wrote field {field:?}")),
            "{}",
            failure.message
        );
        assert_eq!((failure.graph.as_str(), failure.step), ("fan", 1));
    }
}

#[tokio::test]
async fn an_ephemeral_value_lasts_for_one_step() {
    let mut g = Graph::<All>::new("g");
    let write = g.node("write", |_: Arc<All>, _: Cx| async { Ok(AllUpdate::new().hint("now")) });
    async fn see(s: Arc<All>, _: Cx) -> Result<AllUpdate> {
        Ok(AllUpdate::new().text(format!("[{}]", s.hint)))
    }
    let [one, two] = ["one", "two"].map(|name| g.node(name, see));
    g.start(write).edge(write, one).edge(one, two).edge(two, END);
    let graph = g.compile().unwrap();
    assert_eq!(end(graph.clone(), AllUpdate::new().hint("input")).await.text, "[now][]");
    // The same when each step is run by another process.
    let app = graph.clone().on(memory());
    let mut outcome = app.thread("t").unwrap().invoke(AllUpdate::new()).pause_before(["*"]).await.unwrap();
    for _ in 0..3 {
        assert!(matches!(outcome, duru::Outcome::Breakpoint(_)));
        let thread = graph.clone().on(Arc::clone(app.store())).thread("t").unwrap();
        outcome = thread.go_on().pause_before(["*"]).await.unwrap();
    }
    assert_eq!(outcome.done().unwrap().text, "[now][]");
}

#[tokio::test]
async fn an_untracked_value_is_seen_in_its_run_and_in_no_other() {
    let graph = fan(&[("a", || AllUpdate::new())]);
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let end = thread.invoke(AllUpdate::new().secret("key")).await.unwrap().done().unwrap();
    assert_eq!((end.any.as_str(), end.secret.as_str()), ("hint= secret=key", "key"));
    // Neither with the thread still in memory, nor read back.
    let warm = thread.invoke(AllUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(warm.any, "hint= secret=");
    let cold = graph.on(Arc::clone(app.store())).thread("t").unwrap();
    assert_eq!(cold.invoke(AllUpdate::new()).await.unwrap().done().unwrap().any, "hint= secret=");
    assert!(!thread.state().await.unwrap().values.contains_key("secret"));
}

#[tokio::test]
async fn a_reducer_that_panics_fails_the_run_and_names_the_node() {
    let graph = fan(&[("a", || AllUpdate::new().text("fine")), ("b", || AllUpdate::new().text("boom"))]);
    let app = graph.on(memory());
    let thread = app.thread("t").unwrap();
    let failure = failure(thread.invoke(AllUpdate::new()).await.unwrap());
    assert_eq!(failure.kind, FailureKind::Panic);
    assert_eq!(failure.node.as_deref(), Some("b"));
    assert!(failure.message.contains("text went fineboom"), "{}", failure.message);
    assert_eq!(failure.to_string().split(": ").next().unwrap(), "graph fan, node b, step 1, thread t");
    // The last checkpoint is as it was.
    assert_eq!(thread.state().await.unwrap().decode::<All>().unwrap().text, "");
}

#[tokio::test]
async fn null_sets_a_field_back_to_its_default() {
    let graph =
        fan(&[("a", || serde_json::from_str(r#"{"list": null, "min": null, "last": null}"#).unwrap())]);
    let end = end(graph, AllUpdate::new().list([1]).min(3).last("x")).await;
    assert_eq!((end.list.len(), end.min, end.last.as_str()), (0, 1000, ""));
}
