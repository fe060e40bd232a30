//! Memory across threads: what is refused, what nodes do with it, and the
//! contract on the memory store.

use std::sync::Arc;
use std::time::Duration;

use duru::memory::text::{index_terms, query_terms};
use duru::memory::{
    Address, Error, Filter, MAX_DEPTH, MAX_KEY_BYTES, MAX_VALUE_BYTES, Memory, Namespace, Put, Search,
};
use duru::store::{Memories, MemoryStore};
use duru::testkit::{memory_contract, memory_model};
use duru::{Cx, END, FailureKind, Graph, NodeError, Policy, Result, Retry, TokioClock};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{Log, LogUpdate, Tally, by, failure};

#[tokio::test]
async fn the_memory_store_keeps_the_contract() {
    memory_contract::check(async || Arc::new(MemoryStore::new()) as Arc<dyn Memories>).await;
}

#[tokio::test]
async fn the_memory_store_agrees_with_a_list() {
    for seed in 0..60 {
        memory_model::compare(&(Arc::new(MemoryStore::new()) as Arc<dyn Memories>), seed, 150).await;
    }
}

#[test]
fn namespaces_and_keys_are_checked() {
    let long = "가".repeat(400);
    for (labels, reason) in [
        (vec![], "it is empty; an item needs at least one label"),
        (vec!["a", ""], "a label is empty"),
        (vec!["a.b"], "the label \"a.b\" has a dot"),
        (vec!["a", "b\u{1f}c"], "the label \"b\\u{1f}c\" has control characters"),
        (vec!["a\n"], "the label \"a\\n\" has control characters"),
        (vec!["langgraph", "a"], "the first label \"langgraph\" is reserved; begin with another one"),
        (vec![long.as_str()], "it is longer than 1000 bytes"),
    ] {
        let made = Namespace::new(&labels).and_then(|namespace| Address::new(namespace, "k"));
        let Err(Error::Namespace { reason: said, .. }) = made else { panic!("{labels:?}: {made:?}") };
        assert_eq!(said, reason, "{labels:?}");
    }
    for labels in [vec!["a", "langgraph"], vec![" "], vec!["*"], vec!["a", "b c", "한글"]] {
        assert!(Address::new(Namespace::new(&labels).unwrap(), "k").is_ok(), "{labels:?}");
    }
    let longest = "k".repeat(MAX_KEY_BYTES);
    for (key, reason) in [
        ("", Some("is empty")),
        ("a\0", Some("has control characters")),
        (&format!("{longest}k"), Some("is too long")),
        (&longest, None),
        ("a.b/c 한글", None),
    ] {
        let said = match Address::new(Namespace::new(["a"]).unwrap(), key) {
            Err(Error::Key { reason, .. }) => Some(reason),
            made => made.map(|_| None).unwrap(),
        };
        assert_eq!(said, reason, "{key}");
    }
    let error = Namespace::new(["users", "a.b"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"the namespace ["users", "a.b"] can't be used: the label "a.b" has a dot"#
    );
}

#[test]
fn namespaces_keep_their_labels_and_their_order() {
    let lists = [vec![], vec!["a"], vec!["a", "b"], vec!["a", "가"], vec!["a!"], vec!["ab"], vec!["가"]];
    let made: Vec<Namespace> = lists.iter().map(|labels| Namespace::new(labels).unwrap()).collect();
    assert!(made.is_sorted());
    for (labels, namespace) in lists.iter().zip(&made) {
        assert_eq!(&namespace.labels().collect::<Vec<_>>(), labels);
        assert_eq!((namespace.depth(), namespace.is_root()), (labels.len(), labels.is_empty()));
        assert_eq!(namespace.to_string(), labels.join("."));
        assert_eq!(Namespace::from_stored(namespace.as_stored()).as_ref(), Some(namespace));
        for depth in 0..3 {
            let some = &labels[..depth.min(labels.len())];
            assert_eq!(namespace.truncated(depth), Namespace::new(some).unwrap());
        }
        // What lies within is a range.
        for other in &made {
            let (start, end) = (namespace.as_stored(), namespace.stored_end());
            let in_range = other.as_stored() >= start && other.as_stored() < end.as_str();
            assert_eq!(other.is_within(namespace), in_range, "{other:?} in {namespace:?}");
        }
    }
    for damaged in
        ["", "a", "\u{1f}a", "a\u{1f}", "\u{1f}\u{1f}", "\u{1f}a\u{1f}\u{1f}b\u{1f}", "\u{1f}a.b\u{1f}"]
    {
        assert_eq!(Namespace::from_stored(damaged), None, "{damaged:?}");
    }
}

#[test]
fn values_are_checked() {
    let put = |value, ttl| Put::new(Address::new(Namespace::new(["a"]).unwrap(), "k").unwrap(), value, ttl);
    let refused = |value, ttl| put(value, ttl).unwrap_err().to_string();
    for (value, kind) in
        [(json!(null), "null"), (json!(1), "a number"), (json!("x"), "a string"), (json!([]), "an array")]
    {
        let expected = format!(
            "the value of memory \"k\" in a can't be kept: it is {kind}, not an object; put it into a field"
        );
        assert_eq!(refused(value, None), expected);
    }
    let nested = |depth| (0..depth).fold(json!(1), |inner, _| json!({ "in": inner }));
    assert!(put(nested(MAX_DEPTH), None).is_ok());
    assert!(refused(nested(MAX_DEPTH + 1), None).contains("nested deeper than 100"));
    assert!(refused(nested(2000), None).contains("nested deeper than 100"));
    let long = |bytes: usize| json!({"t": "x".repeat(bytes - r#"{"t":""}"#.len())});
    assert!(put(long(MAX_VALUE_BYTES), None).is_ok());
    assert!(refused(long(MAX_VALUE_BYTES + 1), None).contains("it takes 1048577 bytes, more than 1048576"));
    assert!(refused(json!({}), Some(Duration::ZERO)).contains("zero"));
}

#[test]
fn filters_are_checked() {
    let deep = (0..200).fold(json!(1), |inner, _| json!({ "in": inner }));
    for (filter, said) in [
        (json!([]), "the filter: it is an array, not an object"),
        (json!({"$gt": 1}), "\"$gt\": an operator belongs into the object of a field"),
        (json!({"a": {"b": {"$in": [1]}}}), "\"a.b\": there is no operator \"$in\"; use $eq, $ne"),
        (json!({"a": {"$gt": 1, "b": 2}}), "\"a\": there is no operator \"b\""),
        (json!({"a": {"$gt": null}}), "\"a\": $gt compares with a number or a string, not with null"),
        (json!({"a": {"$lte": true}}), "\"a\": $lte compares with a number or a string, not with a boolean"),
        (json!({"a": {"$lt": [1]}}), "\"a\": $lt compares with a number or a string, not with an array"),
        (deep, "nested deeper than 100"),
    ] {
        let error = Filter::parse(filter.clone()).unwrap_err().to_string();
        assert!(error.contains(said), "{filter}: {error}");
    }
    assert!(Filter::parse(json!(null)).unwrap().is_empty());
}

#[test]
fn text_becomes_terms() {
    for (text, indexed, asked) in [
        ("전세", "전세", "전세"),
        ("전세금", "세금 전세 전세금", "전세금 전세 세금"),
        ("계약을", "계약 계약을 약을", "계약을 계약"),
        ("집", "집", "집"),
        ("집을", "집 집을", "집을 집"),
        ("집에서는", "서는 에서 집 집에 집에서는", "집에서는 집"),
        // The longest particle goes, and never all of the word.
        ("학교에서", "교에 에서 학교 학교에서", "학교에서 학교"),
        ("에서", "에서", "에서"),
        ("에는", "에 에는", "에는 에"),
        ("는", "는", "는"),
        ("회의", "회 회의", "회의 회"),
        ("ㅋㅋㅋ", "ㅋㅋ ㅋㅋㅋ", "ㅋㅋㅋ ㅋㅋ"),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글", "한글"),
        ("Cats CAT", "cat cats", "cats cat"),
        ("glass bus gas basis is s", "basis bus gas glass is s", "glass bus gas basis is s"),
        ("3개월 GPT-4o를", "3 4o gpt 개월", "3 개월 gpt 4o"),
        ("ΣΑΣ Straße", "straße σασ", "σασ straße"),
        ("東京都に", "京都 東京 東京都に 都に", "東京都に 東京 京都 都に"),
        ("漢字가 가 x에서는y", "x y 漢字 가", "漢字 가 x y"),
        ("a_b, c.d!", "a b c d", "a b c d"),
        ("🦀 ?! \u{301}", "", ""),
    ] {
        assert_eq!(Vec::from_iter(index_terms(text)).join(" "), indexed, "{text}");
        assert_eq!(query_terms(text).join(" "), asked, "{text}");
    }
    // No end of words, of terms or of a word.
    let many: String = (0..500).map(|i| format!("w{i} ")).collect();
    assert_eq!((index_terms(&many).len(), query_terms(&many).len()), (500, 64));
    assert_eq!(query_terms(&"가나".repeat(100))[0].chars().count(), 64);
    assert_eq!(query_terms("집 집을 집"), ["집", "집을"]);
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Profile {
    name: String,
    visits: u32,
}

#[tokio::test(start_paused = true)]
async fn values_have_types_and_ends() {
    let store = Arc::new(MemoryStore::new());
    let memory = Memory::with_clock(store, TokioClock::starting_at(1000));
    let kim = Profile { name: "김".into(), visits: 1 };
    let user = String::from("kim");
    memory.put(["users", &user], "profile", &kim).await.unwrap();
    assert_eq!(memory.get::<Profile>(["users", "kim"], "profile").await.unwrap(), Some(kim));
    assert_eq!(memory.get::<Profile>(["users", "lee"], "profile").await.unwrap(), None);

    memory.put(["users", "kim"], "note", &json!({"name": 3})).await.unwrap();
    let error = memory.get::<Profile>(["users", "kim"], "note").await.unwrap_err();
    assert!(matches!(error, Error::Unfit { .. }), "{error}");
    assert!(error.to_string().starts_with("memory \"note\" in users.kim holds something else"), "{error}");
    let error = memory.put(["users", "kim"], "note", "text").await.unwrap_err();
    assert!(error.to_string().contains("it is a string, not an object"), "{error}");
    let error = memory.search(Search::within(["nobody"]).unwrap()).await.unwrap();
    assert_eq!(error, []);

    memory.put_for(["users", "kim"], "code", &json!({"pin": 1}), Duration::from_secs(60)).await.unwrap();
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(memory.refresh::<Value>(["users", "kim"], "code").await.unwrap().is_some());
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(memory.get::<Value>(["users", "kim"], "code").await.unwrap().is_some());
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(memory.get::<Value>(["users", "kim"], "code").await.unwrap().is_none());
    assert_eq!(memory.sweep().await.unwrap(), 1);
    assert!(memory.delete(["users", "kim"], "note").await.unwrap());
    let spaces = memory.namespaces(duru::memory::NamespaceQuery::default()).await.unwrap();
    assert_eq!(spaces, [Namespace::new(["users", "kim"]).unwrap()]);
}

/// Remembers how often it was called, over all threads and tries.
async fn remember(cx: &Cx) -> Result<u32> {
    let memory = cx.memory()?;
    let old: Option<Profile> = memory.get(["users"], "kim").await?;
    let visits = old.map_or(0, |old| old.visits) + 1;
    memory.put(["users"], "kim", &Profile { name: "김".into(), visits }).await?;
    Ok(visits)
}

#[tokio::test(start_paused = true)]
async fn nodes_share_memory_over_threads_and_subgraphs() {
    let mut inner = Graph::<Log>::new("inner");
    let node =
        inner.node("node", |_: Arc<Log>, cx: Cx| async move { Ok(by(remember(&cx).await?.to_string())) });
    inner.start(node).edge(node, END);
    let inner = inner.compile().unwrap();
    let mut g = Graph::<Log>::new("g");
    let first =
        g.node("first", |_: Arc<Log>, cx: Cx| async move { Ok(by(remember(&cx).await?.to_string())) });
    let sub = g.subgraph("sub", &inner, |_: &Log| LogUpdate::new(), |end: Arc<Log>| by(end.by.join(" ")));
    g.start(first).edge(first, sub).edge(sub, END);
    let store = Arc::new(MemoryStore::new());
    let graph = g.compile().unwrap().clock(TokioClock::starting_at(5000));
    let app = graph.memories(store.clone()).on(store.clone());
    for (thread, expected) in [("one", ["1", "2"]), ("two", ["3", "4"])] {
        let end = app.thread(thread).unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap();
        assert_eq!(end.by, expected);
    }
    // By the run's clock.
    let hits = store.search(Search::default(), 5000).await.unwrap();
    assert_eq!((hits.len(), hits[0].item.updated_ms), (1, 5000));
    // Without a store for threads too, and another one for a run.
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move { Ok(by(remember(&cx).await?.to_string())) });
    g.start(node).edge(node, END);
    let graph = g.compile().unwrap().memories(store);
    let end = graph.invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["5"]);
    let other: Arc<dyn Memories> = Arc::new(MemoryStore::new());
    let end = graph.invoke(LogUpdate::new()).provide(other).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["1"]);
}

#[tokio::test]
async fn without_memory_a_node_says_so_and_is_not_tried_again() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
        cx.get::<Tally>()?.count("node");
        Ok(by(remember(&cx).await?.to_string()))
    });
    g.policy(node, Policy::new().retry(Retry::times(3)));
    g.start(node).edge(node, END);
    let tally = Tally::default();
    let graph = g.compile().unwrap().provide(tally.clone());
    let failure = failure(graph.invoke(LogUpdate::new()).await.unwrap());
    assert_eq!(failure.kind, FailureKind::Node);
    assert_eq!(failure.message, "the graph has no memory; give it some with `Compiled::memories`");
    assert_eq!(tally.of("node"), 1);
}

/// What the documentation says about retries.
#[tokio::test(start_paused = true)]
async fn a_put_is_repeated_by_a_retry_unless_it_is_an_effect() {
    for (as_effect, expected) in [(false, "3"), (true, "1")] {
        let mut g = Graph::<Log>::new("g");
        let node = g.node("node", move |_: Arc<Log>, cx: Cx| async move {
            let visits = if as_effect {
                cx.effect("remember", |_| remember(&cx)).await?
            } else {
                remember(&cx).await?
            };
            if cx.attempt() < 3 {
                return Err(NodeError::msg("later"));
            }
            Ok(by(visits.to_string()))
        });
        g.policy(node, Policy::new().retry(Retry::times(3)));
        g.start(node).edge(node, END);
        let graph = g.compile().unwrap().memories(Arc::new(MemoryStore::new()));
        assert_eq!(graph.invoke(LogUpdate::new()).await.unwrap().done().unwrap().by, [expected]);
    }
}
