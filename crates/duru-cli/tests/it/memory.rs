//! What the advisor remembers, as a person looks at it and deletes it; and how its decisions did.

use std::path::Path;
use std::sync::Arc;

use duru::memory::Memory;
use duru_agents::advisor::ab::{Decision, Evidence, Outcome, Place, Tracker, Variant};
use duru_agents::advisor::memory::{Book, Exchange};
use duru_agents::advisor::sufficiency::Verdict;
use duru_store::SqliteStore;
use jiff::Timestamp;

use crate::Desk;

fn memory(file: &Path) -> Memory {
    Memory::new(Arc::new(SqliteStore::open(file).unwrap()))
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn written(file: &Path) {
    wait(async {
        let book = Book::new(memory(file));
        for (user, text) in [("kim", "노원구 아파트 시세는?"), ("kim", "마포구는?"), ("lee", "비밀 질문")]
        {
            book.remember(user, Exchange::new("t", Timestamp::now(), text, "중앙값 6억원")).await.unwrap();
        }
    });
}

#[test]
fn what_is_remembered_is_listed_and_forgotten_by_its_person_only() {
    let desk = Desk::new();
    let file = desk.path("m.db");
    written(&file);
    let store = file.to_str().unwrap();
    for (lang, words) in [("ko", ["대화", "노원구"]), ("en", ["exchange", "노원구"])] {
        let seen = desk.run(&["memory", "list", "--user", "kim", "--store", store, "--lang", lang]);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        assert!(words.iter().all(|word| seen.out.contains(word)) && !seen.out.contains("비밀"), "{seen:?}");
    }
    let list = |user: &str| desk.run(&["memory", "list", "--user", user, "--store", store, "--json"]).json();
    let all = list("kim");
    let id = all["memories"][0]["id"].as_str().unwrap();
    assert_eq!(
        (all["memories"].as_array().unwrap().len(), &all["memories"][0]["tier"]),
        (5, &"short_term".into())
    );

    let forget =
        |rest: &[&str]| desk.run(&[&["memory", "forget", "--store", store, "--json"], rest].concat());
    // Another person's id forgets nothing.
    let seen = forget(&[id, "--user", "lee"]);
    assert_eq!((seen.code, seen.json()["error"]["code"].as_str()), (Some(2), Some("unknown-memory")));
    assert_eq!(forget(&[id, "--user", "kim"]).json()["forgotten"], 1);
    assert_eq!(forget(&["--all", "--user", "kim"]).json()["forgotten"], 4);
    assert!(list("kim")["memories"].as_array().unwrap().is_empty());
    assert_eq!(list("lee")["memories"].as_array().unwrap().len(), 1);
    assert_eq!(desk.run(&["memory", "forget", "--store", store]).code, Some(2));
}

/// Facts say where they are from, and are put right one by one by their person alone.
#[test]
fn a_fact_is_shown_put_right_and_forgotten() {
    let desk = Desk::new();
    let file = desk.path("m.db");
    wait(async {
        let exchange = Exchange::new("talk", Timestamp::now(), "예산 5억인데 노원구 아파트 시세는?", "…");
        Book::new(memory(&file)).remember("kim", exchange.entered(3, [])).await.unwrap();
    });
    let store = file.to_str().unwrap();
    for (lang, words) in [
        ("ko", ["예산: 5억원", "대화 talk의 3번째 질문"]),
        ("en", ["budget: ₩500,000,000", "question 3 of talk"]),
    ] {
        let seen = desk.run(&["memory", "list", "--user", "kim", "--store", store, "--lang", lang]);
        assert!(words.iter().all(|word| seen.out.contains(word)), "{seen:?}");
    }
    let list = || desk.run(&["memory", "list", "--user", "kim", "--store", store, "--json"]).json();
    let all = list();
    let all = all["memories"].as_array().unwrap();
    let budget = all.iter().find(|one| one["fact"]["kind"] == "budget").unwrap();
    assert_eq!(budget["fact"]["source"]["turn"], 3, "{budget}");
    let id = budget["id"].as_str().unwrap();
    let correct = |id: &str, value: &str, user: &str| {
        desk.run(&["memory", "correct", id, value, "--user", user, "--store", store, "--json"])
    };
    for (id, value, user) in [(id, "6억", "lee"), ("fact-none", "6억", "kim"), (id, "많이", "kim")] {
        let seen = correct(id, value, user);
        assert_eq!(seen.code, Some(2), "{id} {value} {user}: {seen:?}");
    }
    let said = all[0]["id"].as_str().unwrap();
    assert_eq!(correct(said, "6억", "kim").code, Some(2));
    let seen = correct(id, "6억", "kim").json();
    assert_eq!(seen["memory"]["fact"]["value"]["ko"], "6억원", "{seen}");
    let all = list();
    let budgets: Vec<_> =
        all["memories"].as_array().unwrap().iter().filter(|one| one["fact"]["kind"] == "budget").collect();
    assert_eq!(budgets.len(), 1);
    assert_eq!(budgets[0]["fact"]["source"]["from"], "corrected", "{budgets:?}");
    let gone = desk.run(&["memory", "forget", id, "--user", "kim", "--store", store, "--json"]).json();
    assert_eq!(gone["forgotten"], 1);
    assert!(!list().to_string().contains("6억원"));
}

#[test]
fn a_report_has_every_metric_and_unknown_is_not_right() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["ab", "report", "--json"]).json()["total"]["accuracy"], serde_json::Value::Null);
    let file = desk.path("ab.db");
    let decision = |variant| Decision {
        timestamp: Timestamp::now(),
        variant,
        query: "방금 시세로 수익률".to_owned(),
        supervisor_decision: Verdict::Reuse,
        execute_node_decision: None,
        actual_result: Outcome::Unknown,
        execution_time: 2.0,
    };
    wait(async {
        let tracker = Tracker::new(memory(&file));
        for (turn, variant) in [Variant::A, Variant::B, Variant::B].into_iter().enumerate() {
            tracker.log(Place { user: "kim", thread: "t", turn }, decision(variant)).await.unwrap();
        }
        tracker.learn(Place { user: "kim", thread: "t", turn: 1 }, Evidence::AskedAgain).await.unwrap();
    });
    let store = file.to_str().unwrap();
    let json = desk.run(&["ab", "report", "--store", store, "--json"]).json();
    assert_eq!(
        (&json["variants"]["B"]["incorrect_skips"], &json["total"]["total_requests"]),
        (&1.into(), &3.into())
    );
    assert_eq!(
        (&json["variants"]["A"]["accuracy"], &json["variants"]["B"]["accuracy"]),
        (&serde_json::Value::Null, &0.0.into())
    );
    for (lang, words) in [("ko", "모든 관문"), ("en", "all gates")] {
        let seen = desk.run(&["ab", "report", "--store", store, "--lang", lang]);
        for name in [
            words,
            "total_requests",
            "correct_skips",
            "incorrect_skips",
            "correct_searches",
            "incorrect_searches",
            "accuracy",
            "avg_execution_time",
            "skip_rate",
            "2.00 s",
            "100.0%",
        ] {
            assert!(seen.out.contains(name), "{name}: {seen:?}");
        }
    }
    // Who forgets everything leaves no decisions behind either.
    desk.run(&["memory", "forget", "--all", "--user", "kim", "--store", store]);
    let json = desk.run(&["ab", "report", "--store", store, "--json"]).json();
    assert_eq!(json["total"]["total_requests"], 0);
}
