//! What every store of memory across threads must do. A backend's tests run
//! [`check`] with a function that makes an empty store; each case gets its own.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use std::sync::Arc;
//! use duru::store::MemoryStore;
//!
//! duru::testkit::memory_contract::check(async || Arc::new(MemoryStore::new()) as _).await;
//! # }
//! ```
// These are tests, though another crate calls them.
#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::memory_model;
use crate::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search};
use crate::store::Memories;

/// A store under test; empty.
pub type Store = Arc<dyn Memories>;

/// A case: panics when the store breaks the contract.
pub type Case = fn(Store) -> Pin<Box<dyn Future<Output = ()> + Send>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        /// Every case under its name, for backends that want a test for each.
        pub const CASES: &[(&str, Case)] = &[$((stringify!($name), |store| Box::pin($name(store)))),*];
    };
}

cases! {
    an_empty_store_has_nothing,
    what_is_put_is_there_bit_by_bit,
    a_put_replaces_everything_but_the_beginning,
    similar_addresses_are_different,
    a_deleted_item_is_gone,
    an_item_is_gone_at_its_millisecond,
    what_is_put_over_the_expired_is_new,
    only_a_refreshing_read_lets_it_live,
    a_time_to_live_without_end,
    a_sweep_takes_what_is_expired_and_nothing_else,
    a_search_stays_within_its_namespace,
    without_text_the_latest_come_first,
    filters_by_every_operator,
    filters_reach_into_objects,
    korean_words_are_found,
    other_words_are_found,
    a_text_without_words_finds_nothing,
    scores_follow_the_formula,
    only_what_is_there_counts_for_the_score,
    pages_neither_overlap_nor_skip,
    namespaces_are_listed,
    many_items_in_many_namespaces,
    a_long_text_is_found_by_its_end,
    racing_puts_leave_one_item,
    random_operations_match_a_naive_model,
}

/// Runs every case, each on a store of its own, and panics with the names of
/// those that failed.
pub async fn check(make: impl AsyncFn() -> Store) {
    let mut failed = Vec::new();
    for (name, case) in CASES {
        if tokio::spawn(case(make().await)).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "the store breaks the contract: {}", failed.join(", "));
}

async fn an_empty_store_has_nothing(store: Store) {
    let ghost = at("users", "kim");
    assert_eq!(store.get(&ghost, false, 0).await.unwrap(), None);
    assert_eq!(store.get(&ghost, true, 0).await.unwrap(), None);
    assert!(!store.forget(&ghost, 0).await.unwrap());
    assert_eq!(store.search(Search::default(), 0).await.unwrap(), []);
    assert_eq!(store.search(Search::default().text("kim"), 0).await.unwrap(), []);
    assert_eq!(store.namespaces(NamespaceQuery::default(), 0).await.unwrap(), []);
    assert_eq!(store.sweep(u64::MAX).await.unwrap(), 0);
}

async fn what_is_put_is_there_bit_by_bit(store: Store) {
    let value = json!({
        "": "an empty name", "null": null, "yes": true, "min": i64::MIN, "max": u64::MAX,
        "float": 0.1, "tiny": 5e-324, "huge": 1.797_693_134_862_315_7e308, "zero": -0.0,
        "text": "줄\n바꿈 \u{0} \u{1f} \"따옴표\" 🦀 e\u{301}", "list": [[], {}, [null, 1.5]],
        "nested": {"a": {"b": {"c": "깊다"}}}, "a.b": 1, "$eq": 2,
    });
    put(&store, "사용자/김 철수", "이름 %_'\"\\", value.clone(), 7).await;
    let expected = Item {
        namespace: ns("사용자/김 철수"),
        key: "이름 %_'\"\\".to_owned(),
        value: value.as_object().unwrap().clone(),
        created_ms: 7,
        updated_ms: 7,
        ttl_ms: None,
        expires_ms: None,
    };
    let item = get(&store, "사용자/김 철수", "이름 %_'\"\\", 7).await.unwrap();
    assert_eq!(item, expected);
    let zero = item.value["zero"].as_f64().unwrap();
    assert!(zero == 0.0 && zero.is_sign_negative());
    let hits = store.search(Search::default(), 7).await.unwrap();
    assert_eq!(hits, [Hit { item: expected, score: None }]);

    put(&store, "empty", "object", json!({}), 8).await;
    assert!(get(&store, "empty", "object", 8).await.unwrap().value.is_empty());
    // As deep and as long as may be.
    let deep = (1..crate::memory::MAX_DEPTH).fold(json!("바닥"), |inner, _| json!([inner]));
    put(&store, "deep", "deep", json!({ "deep": deep }), 9).await;
    assert_eq!(get(&store, "deep", "deep", 9).await.unwrap().value["deep"], deep);
    let (long_ns, long_key) = ("n".repeat(crate::memory::MAX_NAMESPACE_BYTES - 2), "가".repeat(166));
    put(&store, &long_ns, &long_key, json!({"a": "wordy ".repeat(50_000)}), 9).await;
    assert!(get(&store, &long_ns, &long_key, 9).await.is_some());
}

async fn a_put_replaces_everything_but_the_beginning(store: Store) {
    put_for(&store, "a", "k", json!({"old": "전세 계약", "both": "집"}), 100, 10).await;
    put(&store, "a", "k", json!({"new": "월세 계약", "both": "집"}), 50).await;
    let item = get(&store, "a", "k", 1_000_000).await.unwrap();
    assert_eq!(Value::Object(item.value), json!({"new": "월세 계약", "both": "집"}));
    assert_eq!((item.created_ms, item.updated_ms), (10, 50));
    assert_eq!((item.ttl_ms, item.expires_ms), (None, None));
    assert_eq!(found(&store, Search::default().text("전세"), 60).await, [""; 0]);
    for text in ["월세", "계약", "집"] {
        assert_eq!(found(&store, Search::default().text(text), 60).await, ["k"], "{text}");
    }
    // And one that gets an end.
    put_for(&store, "a", "k", json!({}), 5, 70).await;
    let item = get(&store, "a", "k", 74).await.unwrap();
    assert_eq!((item.created_ms, item.ttl_ms, item.expires_ms), (10, Some(5), Some(75)));
}

async fn similar_addresses_are_different(store: Store) {
    let spaces = ["a", "A", "ab", "a/b", "a/b/c", "b/a", "a b", "a%", "a_", "á", "a\u{301}", "가", "가 "];
    let keys = ["k", "K", "k ", "k%", "k_", "k.k", "k/k", "\u{110f}", "ㅋ"];
    for (i, space) in spaces.iter().enumerate() {
        for (j, key) in keys.iter().enumerate() {
            put(&store, space, key, json!({"at": [i, j]}), 1).await;
        }
    }
    for (i, space) in spaces.iter().enumerate() {
        for (j, key) in keys.iter().enumerate() {
            let item = get(&store, space, key, 2).await.unwrap();
            assert_eq!(item.value["at"], json!([i, j]), "{space} {key}");
        }
        assert!(get(&store, space, "kk", 2).await.is_none());
    }
    assert!(get(&store, "a/b/c/d", "k", 2).await.is_none());
    assert!(store.forget(&at("a", "k"), 2).await.unwrap());
    let all = store.search(Search::default().limit(1000), 2).await.unwrap();
    assert_eq!(all.len(), spaces.len() * keys.len() - 1);
}

async fn a_deleted_item_is_gone(store: Store) {
    put(&store, "a", "k", json!({"text": "전세 계약"}), 1).await;
    put(&store, "a", "other", json!({"text": "전세"}), 1).await;
    assert!(store.forget(&at("a", "k"), 2).await.unwrap());
    assert!(!store.forget(&at("a", "k"), 2).await.unwrap());
    assert!(get(&store, "a", "k", 2).await.is_none());
    assert_eq!(found(&store, Search::default(), 2).await, ["other"]);
    assert_eq!(found(&store, Search::default().text("전세 계약"), 2).await, ["other"]);
    assert!(store.forget(&at("a", "other"), 2).await.unwrap());
    assert_eq!(store.namespaces(NamespaceQuery::default(), 2).await.unwrap(), []);
    // What comes after it is a new item, and has nothing of the old one.
    put(&store, "a", "k", json!({"text": "월세"}), 3).await;
    assert_eq!(get(&store, "a", "k", 3).await.unwrap().created_ms, 3);
    assert_eq!(found(&store, Search::default().text("계약"), 3).await, [""; 0]);
}

async fn an_item_is_gone_at_its_millisecond(store: Store) {
    put_for(&store, "a", "k", json!({"text": "전세"}), 10, 100).await;
    let text = Search::default().text("전세");
    for now in [0, 100, 109] {
        let item = get(&store, "a", "k", now).await.unwrap();
        assert_eq!((item.ttl_ms, item.expires_ms), (Some(10), Some(110)));
        assert_eq!(found(&store, Search::default(), now).await, ["k"]);
        assert_eq!(found(&store, text.clone(), now).await, ["k"]);
        assert_eq!(store.namespaces(NamespaceQuery::default(), now).await.unwrap(), [ns("a")]);
        assert_eq!(store.sweep(now).await.unwrap(), 0);
    }
    for now in [110, 111, u64::MAX] {
        assert!(get(&store, "a", "k", now).await.is_none());
        // A read can't bring it back.
        assert_eq!(store.get(&at("a", "k"), true, now).await.unwrap(), None);
        assert_eq!(found(&store, Search::default(), now).await, [""; 0]);
        assert_eq!(found(&store, text.clone(), now).await, [""; 0]);
        assert_eq!(store.namespaces(NamespaceQuery::default(), now).await.unwrap(), []);
    }
    assert!(!store.forget(&at("a", "k"), 110).await.unwrap());
}

async fn what_is_put_over_the_expired_is_new(store: Store) {
    for swept in [false, true] {
        put_for(&store, "a", "k", json!({"text": "전세"}), 10, 100).await;
        if swept {
            store.sweep(110).await.unwrap();
        }
        put(&store, "a", "k", json!({"text": "월세"}), 110).await;
        let item = get(&store, "a", "k", 110).await.unwrap();
        assert_eq!((item.created_ms, item.updated_ms), (110, 110), "swept: {swept}");
        assert_eq!(found(&store, Search::default().text("전세"), 110).await, [""; 0]);
        assert!(store.forget(&at("a", "k"), 110).await.unwrap());
    }
}

async fn only_a_refreshing_read_lets_it_live(store: Store) {
    put_for(&store, "a", "k", json!({}), 10, 100).await;
    assert_eq!(get(&store, "a", "k", 105).await.unwrap().expires_ms, Some(110));
    let read = store.get(&at("a", "k"), true, 105).await.unwrap().unwrap();
    assert_eq!((read.expires_ms, read.ttl_ms), (Some(115), Some(10)));
    assert_eq!((read.created_ms, read.updated_ms), (100, 100));
    assert_eq!(get(&store, "a", "k", 114).await.unwrap(), read);
    assert!(get(&store, "a", "k", 115).await.is_none());
    assert_eq!(store.sweep(114).await.unwrap(), 0);
    assert_eq!(store.sweep(115).await.unwrap(), 1);
    // Without an end there is nothing to put off.
    put(&store, "a", "ever", json!({}), 1).await;
    assert_eq!(store.get(&at("a", "ever"), true, 9).await.unwrap().unwrap().expires_ms, None);
}

async fn a_time_to_live_without_end(store: Store) {
    let put = Put::new(at("a", "k"), json!({}), Some(Duration::MAX)).unwrap();
    store.put(put, 1000).await.unwrap();
    let item = get(&store, "a", "k", 1 << 60).await.unwrap();
    assert_eq!(item.expires_ms, Some(i64::MAX as u64));
    assert_eq!(store.get(&at("a", "k"), true, 1 << 60).await.unwrap(), Some(item));
    // A part of a millisecond is a whole one.
    let put = Put::new(at("a", "short"), json!({}), Some(Duration::from_nanos(1))).unwrap();
    store.put(put, 1000).await.unwrap();
    assert_eq!(get(&store, "a", "short", 1000).await.unwrap().expires_ms, Some(1001));
}

async fn a_sweep_takes_what_is_expired_and_nothing_else(store: Store) {
    for i in 0..450 {
        put_for(&store, &format!("a/{}", i % 7), &format!("{i:03}"), json!({"n": i}), 1 + i, 1000).await;
    }
    put(&store, "a", "ever", json!({}), 1000).await;
    assert_eq!(store.sweep(1000).await.unwrap(), 0);
    assert_eq!(store.sweep(1001).await.unwrap(), 1);
    assert_eq!(store.sweep(1001).await.unwrap(), 0);
    // Enough for a backend that takes them in groups.
    assert_eq!(store.sweep(1430).await.unwrap(), 429);
    assert_eq!(found(&store, Search::default().limit(1000), 0).await.len(), 21);
    assert_eq!(found(&store, Search::default().text("429"), 0).await, [""; 0]);
    assert_eq!(found(&store, Search::default().text("430"), 0).await, ["430"]);
    assert_eq!(store.sweep(u64::MAX).await.unwrap(), 20);
    assert_eq!(found(&store, Search::default(), 0).await, ["ever"]);
}

async fn a_search_stays_within_its_namespace(store: Store) {
    let spaces = ["a", "a/b", "a/b/c", "a/bc", "ab", "ab/c", "b", "b/a", "가", "가/나", "a!", "\u{10ffff}"];
    for space in spaces {
        put(&store, space, space, json!({"text": "전세 계약"}), 1).await;
    }
    for (within, expected) in [
        ("", &["a", "a!", "a/b", "a/b/c", "a/bc", "ab", "ab/c", "b", "b/a", "가", "가/나", "\u{10ffff}"][..]),
        ("a", &["a", "a/b", "a/b/c", "a/bc"]),
        ("a/b", &["a/b", "a/b/c"]),
        ("a/b/c", &["a/b/c"]),
        ("a/b/c/d", &[]),
        ("ab", &["ab", "ab/c"]),
        ("b", &["b", "b/a"]),
        ("가", &["가", "가/나"]),
        ("\u{10ffff}", &["\u{10ffff}"]),
        ("c", &[]),
    ] {
        let search = Search { within: ns(within), limit: 99, ..Search::default() };
        for text in [None, Some("계약을"), Some("전세 없음")] {
            let search = Search { text: text.map(str::to_owned), ..search.clone() };
            let mut keys = found(&store, search, 1).await;
            keys.sort();
            assert_eq!(keys, expected, "{within} {text:?}");
        }
    }
}

async fn without_text_the_latest_come_first(store: Store) {
    for (space, key, now) in
        [("b", "x", 5), ("a", "z", 5), ("a", "y", 5), ("a/b", "a", 5), ("c", "c", 9), ("d", "d", 1)]
    {
        put(&store, space, key, json!({}), now).await;
    }
    assert_eq!(found(&store, Search::default(), 10).await, ["c", "y", "z", "a", "x", "d"]);
    // A text that is blank is none.
    assert_eq!(found(&store, Search::default().text(" \n"), 10).await, ["c", "y", "z", "a", "x", "d"]);
    put(&store, "d", "d", json!({}), 10).await;
    assert_eq!(found(&store, Search::default().limit(2), 10).await, ["d", "c"]);
    assert_eq!(found(&store, Search::default().offset(4), 10).await, ["a", "x"]);
    assert_eq!(found(&store, Search::default().limit(0), 10).await, [""; 0]);
    assert_eq!(found(&store, Search::default().offset(usize::MAX).limit(usize::MAX), 10).await, [""; 0]);
}

async fn filters_by_every_operator(store: Store) {
    let values = [
        ("null", json!(null)),
        ("false", json!(false)),
        ("true", json!(true)),
        ("-1", json!(-1)),
        ("0", json!(0)),
        ("1", json!(1)),
        ("1.0", json!(1.0)),
        ("1.5", json!(1.5)),
        ("big", json!(9_007_199_254_740_993_u64)),
        ("\"\"", json!("")),
        ("\"1\"", json!("1")),
        ("\"a\"", json!("a")),
        ("\"가\"", json!("가")),
        ("[]", json!([])),
        ("[1]", json!([1])),
        ("{}", json!({})),
    ];
    for (i, (key, value)) in values.iter().enumerate() {
        put(&store, "a", key, json!({"v": value}), 100 - i as u64).await;
    }
    put(&store, "a", "missing", json!({"w": 1}), 1).await;
    let numbers = ["-1", "0", "1", "1.0", "1.5", "big"];
    let strings = ["\"\"", "\"1\"", "\"a\"", "\"가\""];
    for (filter, expected) in [
        (json!({}), values.iter().map(|(key, _)| *key).chain(["missing"]).collect()),
        (json!({"v": null}), vec!["null", "missing"]),
        (json!({"v": {"$eq": null}}), vec!["null", "missing"]),
        (json!({"v": 1}), vec!["1", "1.0"]),
        (json!({"v": 1.0}), vec!["1", "1.0"]),
        (json!({"v": {"$eq": 1}}), vec!["1", "1.0"]),
        (json!({"v": true}), vec!["true"]),
        (json!({"v": false}), vec!["false"]),
        (json!({"v": "1"}), vec!["\"1\""]),
        (json!({"v": ""}), vec!["\"\""]),
        (json!({"v": [1.0]}), vec!["[1]"]),
        (json!({"v": []}), vec!["[]"]),
        (json!({"v": {}}), vec!["{}"]),
        (json!({"v": {"$eq": {}}}), vec!["{}"]),
        // One more than a float can tell from its neighbour.
        (json!({"v": 9_007_199_254_740_993_u64}), vec!["big"]),
        (json!({"v": 9_007_199_254_740_992.0}), vec![]),
        (json!({"v": {"$gt": 9_007_199_254_740_992.0}}), vec!["big"]),
        (json!({"v": {"$gt": 0}}), numbers[2..].to_vec()),
        (json!({"v": {"$gte": 0}}), numbers[1..].to_vec()),
        (json!({"v": {"$lt": 1}}), numbers[..2].to_vec()),
        (json!({"v": {"$lte": 1}}), numbers[..4].to_vec()),
        (json!({"v": {"$gt": 0.5, "$lt": 1.5}}), vec!["1", "1.0"]),
        (json!({"v": {"$gt": 5, "$lt": 1}}), vec![]),
        (json!({"v": {"$gte": ""}}), strings.to_vec()),
        (json!({"v": {"$gt": "1"}}), strings[2..].to_vec()),
        (json!({"v": {"$lte": "a"}}), strings[..3].to_vec()),
        (json!({"v": {"$lt": "가"}}), strings[..3].to_vec()),
        (json!({"v": {"$ne": 1}, "w": 1}), vec!["missing"]),
        (json!({"w": {"$ne": null}}), vec!["missing"]),
        (json!({"v": {"$ne": null, "$lt": 0}}), vec!["-1"]),
        (json!({"nowhere": {"$gt": 0}}), vec![]),
    ] {
        let search = Search::default().limit(99).filter(filter.clone()).unwrap();
        assert_eq!(found(&store, search, 200).await, expected, "{filter}");
    }
    // $ne passes exactly what $eq does not.
    for (_, value) in &values {
        let passes = async |operator: &str| {
            let search = Search::default().limit(99).filter(json!({"v": {operator: value}})).unwrap();
            found(&store, search, 200).await
        };
        let (eq, ne) = (passes("$eq").await, passes("$ne").await);
        assert!(!eq.is_empty() && eq.iter().all(|key| !ne.contains(key)), "{value}");
        assert_eq!(eq.len() + ne.len(), values.len() + 1, "{value}");
    }
}

async fn filters_reach_into_objects(store: Store) {
    put(&store, "a", "1", json!({"by": {"name": "김", "at": {"city": "서울"}}, "n": 1}), 9).await;
    put(&store, "a", "2", json!({"by": {"name": "이", "at": {"city": "서울", "gu": 3}}, "n": 2}), 8).await;
    put(&store, "a", "3", json!({"by.name": "김", "n": 3}), 7).await;
    put(&store, "a", "4", json!({"by": "김", "n": 4}), 6).await;
    put(&store, "a", "5", json!({"by": {"at.city": "서울"}, "n": 5}), 5).await;
    for (filter, expected) in [
        (json!({"by.name": "김"}), &["1", "3"][..]),
        (json!({"by": {"name": "김"}}), &["1"]),
        (json!({"by.at.city": "서울"}), &["1", "2", "5"]),
        (json!({"by": {"at": {"city": "서울"}}}), &["1", "2"]),
        (json!({"by": {"at.city": "서울"}}), &["1", "2", "5"]),
        (json!({"by.at": {"gu": {"$gt": 2}}}), &["2"]),
        (json!({"by.at": {"$eq": {"city": "서울"}}}), &["1"]),
        (json!({"by": {}}), &["1", "2", "5"]),
        (json!({"by": "김"}), &["4"]),
        (json!({"by.name": null}), &["4", "5"]),
        (json!({"by.name": "김", "n": {"$lt": 3}}), &["1"]),
        (json!({"by.name.x": "김"}), &[]),
    ] {
        let search = Search::default().filter(filter.clone()).unwrap();
        assert_eq!(found(&store, search, 10).await, expected, "{filter}");
    }
    // With a text, what the filter keeps back does not take a place on the page.
    let search = Search::default().text("서울").filter(json!({"n": {"$gte": 2}})).unwrap().limit(2);
    assert_eq!(found(&store, search.clone(), 10).await, ["2", "5"]);
    assert_eq!(found(&store, search.offset(1), 10).await, ["5"]);
}

async fn korean_words_are_found(store: Store) {
    for (key, text) in [
        ("deposit", "전세금 반환 소송"),
        ("contract", "임대차 계약"),
        ("sign", "어제 계약을 했다"),
        ("meeting", "회의실을 예약"),
        ("home", "집에서 일한다"),
        ("medicine", "감기 때문에 약을 먹었다"),
        ("cat", "고양이는 나비라고 부른다"),
        ("city", "고양시 덕양구"),
        ("jamo", "\u{110c}\u{1165}\u{11ab}\u{1109}\u{1166}"),
        ("mixed", "3개월 동안 GPT를 썼다"),
    ] {
        put(&store, "a", key, json!({"note": text}), 1).await;
    }
    for (text, expected) in [
        ("전세", &["deposit", "jamo"][..]),
        ("전세금을", &["deposit", "jamo"]),
        ("\u{110c}\u{1165}\u{11ab}\u{1109}\u{1166}", &["deposit", "jamo"]),
        ("계약", &["contract", "sign"]),
        ("계약을", &["sign", "contract"]),
        ("계약서에는", &["contract", "sign"]),
        ("약을", &["medicine", "sign"]),
        ("회의", &["meeting"]),
        ("집", &["home"]),
        ("집을", &["home"]),
        ("고양이", &["cat", "city"]),
        ("고양이가", &["cat", "city"]),
        ("나비", &["cat"]),
        ("개월", &["mixed"]),
        ("3개월", &["mixed"]),
        ("gpt", &["mixed"]),
        ("반환 계약", &["deposit", "contract", "sign"]),
        ("월세", &[]),
        ("에서", &["home"]),
        ("GPT를 3개월에", &["mixed"]),
    ] {
        assert_eq!(found(&store, Search::default().text(text), 1).await, expected, "{text}");
    }
}

async fn other_words_are_found(store: Store) {
    put(&store, "a", "en", json!({"title": "Signed Contracts", "tags": ["Draft-2", {"x": "STRASSE"}]}), 3)
        .await;
    put(&store, "a", "no", json!({"contract": "the name of a field is no text", "n": 2024, "f": 2.75}), 2)
        .await;
    put(&store, "a", "ja", json!({"t": "東京都に住む"}), 1).await;
    for (text, expected) in [
        ("contract", &["en"][..]),
        ("CONTRACTS", &["en"]),
        ("signed", &["en"]),
        ("sign", &[]),
        ("draft 99", &["en"]),
        ("strasse", &["en"]),
        ("2024", &["no"]),
        ("75", &["no"]),
        ("fields", &["no"]),
        ("東京", &["ja"]),
        ("京都", &["ja"]),
        ("true", &[]),
    ] {
        assert_eq!(found(&store, Search::default().text(text), 9).await, expected, "{text}");
    }
}

async fn a_text_without_words_finds_nothing(store: Store) {
    put(&store, "a", "k", json!({"note": "?! 전세"}), 1).await;
    for text in ["?!", "%", "*", "_", "'", "🦀"] {
        assert_eq!(found(&store, Search::default().text(text), 1).await, [""; 0], "{text}");
    }
}

async fn scores_follow_the_formula(store: Store) {
    put(&store, "a", "both", json!({"t": "rare common"}), 1).await;
    for key in ["c1", "c2", "c3"] {
        put(&store, "a", key, json!({"t": "common words"}), 2).await;
    }
    put(&store, "a", "rare", json!({"t": "rare rare rare"}), 1).await;
    let hits = store.search(Search::default().text("common rare nowhere common"), 3).await.unwrap();
    let (common, rare, nowhere) = (1.0 / (1.0 + 4_f64.ln()), 1.0 / (1.0 + 2_f64.ln()), 1.0);
    let all = common + rare + nowhere;
    let scored: Vec<_> = hits.iter().map(|hit| (hit.item.key.as_str(), hit.score.unwrap())).collect();
    let expected = [
        ("both", (common + rare) / all),
        ("rare", rare / all),
        ("c1", common / all),
        ("c2", common / all),
        ("c3", common / all),
    ];
    assert_eq!(scored, expected);
    let hits = store.search(Search::default().text("rare"), 3).await.unwrap();
    assert_eq!(hits.iter().map(|hit| hit.score).collect::<Vec<_>>(), [Some(1.0), Some(1.0)]);
}

async fn only_what_is_there_counts_for_the_score(store: Store) {
    put(&store, "a", "x", json!({"t": "one", "n": 1}), 2).await;
    put(&store, "a", "y", json!({"t": "two", "n": 2}), 2).await;
    let search = Search::within(["a"]).unwrap().text("one two");
    let scores = async |search: &Search| {
        let hits = store.search(search.clone(), 9).await.unwrap();
        hits.into_iter().map(|hit| (hit.item.key, hit.score.unwrap())).collect::<Vec<_>>()
    };
    let even = [("x".to_owned(), 0.5), ("y".to_owned(), 0.5)];
    assert_eq!(scores(&search).await, even);
    // Neither other namespaces nor what is expired or replaced.
    put(&store, "ab", "z", json!({"t": "one"}), 2).await;
    put_for(&store, "a", "old", json!({"t": "one"}), 5, 2).await;
    put(&store, "a", "changed", json!({"t": "one"}), 2).await;
    put(&store, "a", "changed", json!({"t": "other"}), 2).await;
    assert_eq!(scores(&search).await, even);
    // But what the filter keeps back.
    put(&store, "a", "more", json!({"t": "one", "n": 3}), 2).await;
    let filtered = scores(&search.clone().filter(json!({"n": {"$lt": 3}})).unwrap()).await;
    assert_eq!(filtered.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["y", "x"]);
    let all = scores(&search).await;
    assert_eq!(filtered[..], [all[0].clone(), all[2].clone()]);
}

async fn pages_neither_overlap_nor_skip(store: Store) {
    for i in 0..60_u64 {
        let text = ["전세", "전세 계약", "월세 계약", "계약"][i as usize % 4];
        put(&store, &format!("a/{}", i % 3), &format!("{i:02}"), json!({"t": text, "n": i}), i / 10).await;
    }
    let searches = [
        Search::default(),
        Search::default().text("전세 계약을"),
        Search::default().filter(json!({"n": {"$gte": 7}})).unwrap(),
        Search::default().text("계약").filter(json!({"n": {"$lt": 50}})).unwrap(),
    ];
    for search in searches {
        let whole = store.search(search.clone().limit(usize::MAX), 99).await.unwrap();
        assert!(whole.len() > 30, "{search:?}");
        for size in [1, 7, 10, 100] {
            let mut pages = Vec::new();
            for page in 0.. {
                let search = search.clone().limit(size).offset(page * size);
                let hits = store.search(search, 99).await.unwrap();
                if hits.is_empty() {
                    break;
                }
                assert!(hits.len() <= size);
                pages.extend(hits);
            }
            assert_eq!(pages, whole, "{search:?} by {size}");
        }
    }
}

async fn namespaces_are_listed(store: Store) {
    for space in ["b", "a", "a/b/c", "a/b/d", "a/x/c", "ab/c", "a/b"] {
        put(&store, space, "one", json!({}), 1).await;
        put(&store, space, "two", json!({}), 1).await;
    }
    put_for(&store, "expired/c", "k", json!({}), 1, 1).await;
    let query = |prefix: &str, suffix: &str| NamespaceQuery {
        prefix: ns(prefix),
        suffix: ns(suffix),
        ..NamespaceQuery::default()
    };
    let deep = |depth, query| NamespaceQuery { max_depth: Some(depth), ..query };
    for (query, expected) in [
        (query("", ""), &["a", "a/b", "a/b/c", "a/b/d", "a/x/c", "ab/c", "b"][..]),
        (query("a", ""), &["a", "a/b", "a/b/c", "a/b/d", "a/x/c"]),
        (query("a/b", ""), &["a/b", "a/b/c", "a/b/d"]),
        (query("", "c"), &["a/b/c", "a/x/c", "ab/c"]),
        (query("a", "c"), &["a/b/c", "a/x/c"]),
        (query("a", "b/c"), &["a/b/c"]),
        (query("a/b/c", "a/b/c"), &["a/b/c"]),
        (query("a/b", "b/c"), &["a/b/c"]),
        (query("*", "c"), &["a/b/c", "a/x/c", "ab/c"]),
        (query("*/c", ""), &["ab/c"]),
        (query("a/*/c", ""), &["a/b/c", "a/x/c"]),
        (query("", "*/c"), &["a/b/c", "a/x/c", "ab/c"]),
        (query("", "b/*"), &["a/b/c", "a/b/d"]),
        (query("*/*/*", ""), &["a/b/c", "a/b/d", "a/x/c"]),
        (query("nowhere", ""), &[]),
        (deep(1, query("", "")), &["a", "ab", "b"]),
        (deep(2, query("", "")), &["a", "a/b", "a/x", "ab/c", "b"]),
        (deep(2, query("a", "c")), &["a/b", "a/x"]),
        (deep(9, query("ab", "")), &["ab/c"]),
        (NamespaceQuery { limit: 2, ..query("", "") }, &["a", "a/b"]),
        (NamespaceQuery { limit: 2, offset: 5, ..query("", "") }, &["ab/c", "b"]),
        (NamespaceQuery { offset: 1, ..deep(1, query("", "")) }, &["ab", "b"]),
        (NamespaceQuery { limit: 0, ..query("", "") }, &[]),
        (NamespaceQuery { offset: 99, ..query("", "") }, &[]),
    ] {
        let listed = store.namespaces(query.clone(), 2).await.unwrap();
        assert_eq!(listed, expected.iter().map(|space| ns(space)).collect::<Vec<_>>(), "{query:?}");
    }
}

async fn many_items_in_many_namespaces(store: Store) {
    for i in 0..5000_u64 {
        let value = json!({"note": format!("메모 {i} 번호"), "even": i % 2 == 0});
        put(&store, &format!("users/{}", i % 100), &i.to_string(), value, i).await;
    }
    let one = Search::within(["users", "42"]).unwrap();
    assert_eq!(found(&store, one.clone().limit(3), 9999).await, ["4942", "4842", "4742"]);
    assert_eq!(found(&store, one.clone().text("메모를").limit(99), 9999).await.len(), 50);
    assert_eq!(found(&store, one.text("4042"), 9999).await, ["4042"]);
    let all = Search::within(["users"]).unwrap().text("번호 4042");
    assert_eq!(found(&store, all.limit(2), 9999).await, ["4042", "4999"]);
    let even = Search::default().filter(json!({"even": true})).unwrap().offset(2400).limit(1000);
    assert_eq!(found(&store, even, 9999).await.len(), 100);
    let listed = store.namespaces(NamespaceQuery::default(), 9999).await.unwrap();
    assert_eq!(listed.len(), 100);
}

async fn a_long_text_is_found_by_its_end(store: Store) {
    let mut random = fastrand::Rng::with_seed(3);
    let mut text = String::new();
    for _ in 0..20_000 {
        text.extend((0..random.usize(1..5)).map(|_| random.char('가'..='힣')));
        text.push(' ');
    }
    // A word without an end has one for the index.
    let word = "x".repeat(10_000);
    put(&store, "a", "long", json!({"t": format!("{text}{word} 마지막 낱말")}), 1).await;
    put(&store, "a", "other", json!({"t": "처음"}), 1).await;
    for text in ["낱말", "마지막", &word] {
        assert_eq!(found(&store, Search::default().text(text), 1).await, ["long"]);
    }
    // Of a search only so much counts, but that much does.
    assert_eq!(found(&store, Search::default().text(&text), 1).await, ["long"]);
    put(&store, "a", "long", json!({"t": "짧다"}), 2).await;
    assert_eq!(found(&store, Search::default().text("낱말"), 2).await, [""; 0]);
}

async fn racing_puts_leave_one_item(store: Store) {
    let mut racers = JoinSet::new();
    for i in 0..16 {
        let store = Arc::clone(&store);
        racers.spawn(async move {
            for j in 0..8 {
                put(&store, "a", "k", json!({"t": format!("word{i}x{j}")}), 1).await;
                if j % 3 == 0 {
                    store.forget(&at("a", "k"), 1).await.unwrap();
                }
                store.search(Search::default().text("word3x3"), 1).await.unwrap();
            }
        });
    }
    while let Some(racer) = racers.join_next().await {
        racer.unwrap();
    }
    let item = get(&store, "a", "k", 1).await.unwrap();
    for i in 0..16 {
        for j in 0..8 {
            let word = format!("word{i}x{j}");
            let hits = found(&store, Search::default().text(&word), 1).await;
            assert_eq!(hits.len(), usize::from(item.value["t"] == word.as_str()), "{word}");
        }
    }
}

async fn random_operations_match_a_naive_model(store: Store) {
    memory_model::compare(&store, 20_240_506, 400).await;
}

/// Labels with slashes between them.
pub(super) fn ns(path: &str) -> Namespace {
    Namespace::new(path.split('/').filter(|label| !label.is_empty())).unwrap()
}

pub(super) fn at(path: &str, key: &str) -> Address {
    Address::new(ns(path), key).unwrap()
}

async fn put(store: &Store, path: &str, key: &str, value: Value, now_ms: u64) {
    store.put(Put::new(at(path, key), value, None).unwrap(), now_ms).await.unwrap();
}

async fn put_for(store: &Store, path: &str, key: &str, value: Value, ttl_ms: u64, now_ms: u64) {
    let ttl = Some(Duration::from_millis(ttl_ms));
    store.put(Put::new(at(path, key), value, ttl).unwrap(), now_ms).await.unwrap();
}

async fn get(store: &Store, path: &str, key: &str, now_ms: u64) -> Option<Item> {
    store.get(&at(path, key), false, now_ms).await.unwrap()
}

/// The keys that a search finds, in order.
async fn found(store: &Store, search: Search, now_ms: u64) -> Vec<String> {
    let hits = store.search(search, now_ms).await.unwrap();
    hits.into_iter().map(|hit| hit.item.key).collect()
}
