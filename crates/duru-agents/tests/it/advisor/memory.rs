//! What is remembered of a person: on every store, across restarts, and never
//! of anybody else.

use std::sync::Arc;

use duru::memory::Memory;
use duru::store::{Memories, MemoryStore};
use duru_agents::advisor::memory::{Ages, Book, Exchange, Forget, Held};
use duru_agents::advisor::sufficiency::{Found, Search, Tier};
use duru_agents::advisor::understand::{DataKind, Terms};
use duru_sql::guard::Lang;
use duru_store::SqliteStore;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::pg_server;

fn day(day: i64) -> Timestamp {
    let start: Timestamp = "2026-05-13T10:00:00+09:00".parse().unwrap();
    start + SignedDuration::from_hours(24 * day)
}

fn asked(at: Timestamp, text: &str) -> Exchange {
    Exchange::new("talk", at, text, "중앙값은 6억 2,000만원입니다.")
}

fn book(store: Arc<dyn Memories>) -> Book {
    Book::new(Memory::new(store))
}

/// A whole life of a book, on any store.
async fn lives(store: Arc<dyn Memories>) {
    let book = book(store);
    book.remember("kim.lee@example.com", asked(day(0), "예산 5억인데 노원구 아파트 시세는?")).await.unwrap();
    book.remember("kim.lee@example.com", asked(day(20), "마포구 전세 시세는?")).await.unwrap();
    // The same again, as a node does that is tried twice.
    book.remember("kim.lee@example.com", asked(day(20), "마포구 전세 시세는?")).await.unwrap();
    book.remember("kim", asked(day(20), "강남구 시세는?")).await.unwrap();

    let list = book.list("kim.lee@example.com", day(20)).await.unwrap();
    let tiers: Vec<Tier> = list.iter().map(|one| one.tier()).collect();
    assert_eq!(tiers[..2], [Tier::ShortTerm, Tier::MidTerm], "{list:?}");
    // Facts are there at once: a budget, two places, a kind of deal, a kind of home.
    assert_eq!(tiers[2..], [Tier::LongTerm; 5], "{list:?}");
    assert!(list[1].text(Lang::Ko).starts_with("예산 5억인데 노원구 아파트 시세는? → 중앙값은"));

    let later = book.recall("kim.lee@example.com", 4_000, day(400)).await.unwrap();
    assert!(later.recent.is_empty() && later.summaries.is_empty());
    let facts: Vec<String> = later.facts.iter().map(|fact| fact.text(Lang::Ko)).collect();
    for wanted in ["예산: 5억원", "관심 지역: 서울 노원구", "관심 지역: 서울 마포구", "관심 거래: 전세"]
    {
        assert!(facts.contains(&wanted.to_owned()), "{wanted}: {facts:?}");
    }
    // Nothing of kim's is in it, and nothing of it is kim's.
    assert!(!later.text(Lang::Ko).contains("강남구"));
    assert_eq!(book.list("kim", day(20)).await.unwrap().len(), 2);
    assert!(book.list("ki", day(20)).await.unwrap().is_empty());

    assert_eq!(book.forget("kim.lee@example.com", Forget::One(&list[0].id)).await.unwrap(), 1);
    assert_eq!(book.forget("kim.lee@example.com", Forget::One(&list[0].id)).await.unwrap(), 0);
    assert_eq!(book.list("kim.lee@example.com", day(20)).await.unwrap().len(), 6);
    assert_eq!(book.forget("kim.lee@example.com", Forget::All).await.unwrap(), 6);
    assert!(book.recall("kim.lee@example.com", 4_000, day(20)).await.unwrap().is_empty());
    assert_eq!(book.list("kim", day(20)).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_book_lives_in_memory_and_in_sqlite() {
    lives(Arc::new(MemoryStore::new())).await;
    let folder = tempfile::tempdir().unwrap();
    lives(Arc::new(SqliteStore::open(folder.path().join("m.db")).unwrap())).await;
}

#[tokio::test]
async fn a_book_lives_in_postgres() {
    let Some(server) = pg_server::shared() else {
        return pg_server::skip("the advisor's memory was not tried on PostgreSQL");
    };
    lives(Arc::new(server.store().await)).await;
}

#[tokio::test]
async fn a_book_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.db");
    let first = book(Arc::new(SqliteStore::open(&file).unwrap()));
    first.remember("kim", asked(day(0), "나는 고양이를 키워, 기억해 줘")).await.unwrap();
    drop(first);
    let second = book(Arc::new(SqliteStore::open(&file).unwrap()));
    let recalled = second.recall("kim", 1_000, day(1)).await.unwrap();
    assert_eq!((recalled.recent.len(), recalled.facts.len()), (1, 1));
    assert!(recalled.text(Lang::Ko).contains("고양이"));
}

#[tokio::test]
async fn what_is_recalled_never_exceeds_the_budget() {
    let ages = Ages { recent: (SignedDuration::from_hours(24 * 7), 4), ..Ages::default() };
    let book = book(Arc::new(MemoryStore::new())).ageing(ages);
    let places = ["노원구", "마포구", "강남구", "서초구", "송파구", "구로구", "금천구", "중랑구"];
    for (n, place) in places.iter().cycle().take(40).enumerate() {
        let text =
            format!("{place} 아파트 전세 {n}번째로 묻습니다. {}", "자세히 알려 주세요. ".repeat(n % 7));
        book.remember("kim", asked(day(0) + SignedDuration::from_mins(n as i64), &text)).await.unwrap();
    }
    let mut seen = 0;
    for budget in [0, 1, 10, 50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 100_000] {
        for at in [day(0), day(30), day(500)] {
            let recalled = book.recall("kim", budget, at).await.unwrap();
            for lang in [Lang::Ko, Lang::En] {
                let size = recalled.text(lang).chars().count();
                assert!(size <= budget, "{size} of {budget} at {at}");
            }
            seen = seen.max(recalled.recent.len() + recalled.summaries.len());
        }
    }
    // With room enough, all forty are there.
    assert_eq!(seen, 40);
    let tight = book.recall("kim", 400, day(0)).await.unwrap();
    assert!(!tight.is_empty() && tight.left_out > 0);
}

#[tokio::test]
async fn only_law_outlasts_its_exchange_and_says_its_tier() {
    let held = |kind| Held {
        search: Search {
            query: "q".to_owned(),
            regions: vec![],
            terms: Terms::default(),
            stated: Terms::default(),
            tier: Tier::Conversation,
            found: vec![Found { kind, count: 3, at: Some(day(0)), source: "s".to_owned(), items: vec![] }],
        },
        data: json!({"text": "제7조 …"}),
    };
    let book = book(Arc::new(MemoryStore::new()));
    let exchange = asked(day(0), "시세와 법?").holding([held(DataKind::Market), held(DataKind::Legal)]);
    book.remember("kim", exchange).await.unwrap();
    let kinds = |held: Vec<Held>| -> Vec<(DataKind, Tier)> {
        held.iter().map(|one| (one.search.found[0].kind, one.search.tier)).collect()
    };
    let now = book.recall("kim", 1_000, day(1)).await.unwrap();
    assert_eq!(kinds(now.held()), [(DataKind::Market, Tier::ShortTerm), (DataKind::Legal, Tier::ShortTerm)]);
    let later = book.recall("kim", 1_000, day(30)).await.unwrap();
    assert_eq!(kinds(later.held()), [(DataKind::Legal, Tier::MidTerm)]);
    assert_eq!(later.held()[0].data, json!({"text": "제7조 …"}));
}

#[tokio::test]
async fn odd_names_and_huge_texts_are_kept_apart_and_small() {
    let book = book(Arc::new(MemoryStore::new()));
    for (n, user) in ["a.b", "a%2eb", "a\u{1f}b", "a*b", "*"].into_iter().enumerate() {
        book.remember(user, asked(day(0), &format!("{n} 노원구 시세?"))).await.unwrap();
    }
    for user in ["a.b", "a%2eb", "a\u{1f}b", "a*b", "*"] {
        assert_eq!(book.list(user, day(0)).await.unwrap().len(), 2, "{user:?}");
    }
    let huge = Exchange::new("t", day(0), "가".repeat(500_000), "나".repeat(500_000));
    book.remember("big", huge).await.unwrap();
    assert!(book.list("big", day(0)).await.unwrap()[0].text(Lang::Ko).len() < 200_000);
    assert!(book.remember("", asked(day(0), "?")).await.is_err());
}
