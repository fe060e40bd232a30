//! What the graph remembers of a person, and of its own decisions.

use std::sync::Arc;

use duru::memory::Memory;
use duru::store::MemoryStore;
use duru_agents::advisor::ab::{Outcome, Place, Tracker};
use duru_agents::advisor::memory::{Book, Forget, Notebook};
use duru_agents::advisor::sufficiency::Tier;
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, Variant, graph};
use duru_llm::decision::Decider;
use jiff::SignedDuration;

use super::world::start;

#[tokio::test]
async fn exchanges_and_decisions_outlast_the_thread_and_stay_with_their_person() {
    let store = Arc::new(MemoryStore::new());
    let memory = Memory::new(Arc::clone(&store) as Arc<_>);
    let toolbox = Toolbox::new(&Sources::built_in(jiff::civil::date(2026, 5, 13)))
        .with_memory(Arc::new(Notebook::new(memory.clone())));
    let app = graph(toolbox).unwrap().provide(Decider::by_rules()).on(store);
    let ask = async |thread: &str, user: &str, minutes: i64, text: &str| -> Arc<Advice> {
        let now = start() + SignedDuration::from_mins(minutes);
        let inquiry =
            Inquiry { user: Some(user.to_owned()), now: Some(now.to_string()), ..Inquiry::question(text) };
        app.thread(thread).unwrap().invoke(inquiry).await.unwrap().done().unwrap()
    };
    ask("first", "kim", 0, "노원구 아파트 매매 시세 알려줘").await;
    let reused = ask("first", "kim", 2, "방금 검색한 시세 다시 정리해줘").await;
    assert!(reused.data_reused);
    ask("first", "kim", 4, "최신 시세로 다시 검색해줘").await;

    let (book, tracker) = (Book::new(memory.clone()), Tracker::new(memory.clone()));
    let exchanges = async |user: &str| {
        let all = book.list(user, start()).await.unwrap();
        all.into_iter().filter(|one| one.tier() == Tier::ShortTerm).map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(exchanges("kim").await.len(), 3);
    let outcome = async |turn| {
        tracker.get(Place { user: "kim", thread: "first", turn }).await.unwrap().unwrap().actual_result
    };
    // The wish to search again is evidence about the reuse before it, and about nothing else.
    assert_eq!(outcome(1).await, Outcome::IncorrectSkip);
    assert_eq!(outcome(2).await, Outcome::Unknown);

    let later = ask("second", "kim", 10, "노원구 전세 시세는?").await;
    assert_eq!(later.memories.short_term.len(), 3);
    assert!(!later.memories.searches.is_empty());
    // What was found elsewhere is not carried along.
    let elsewhere = ask("fourth", "kim", 10, "마포구 전세 시세는?").await;
    assert!(elsewhere.memories.searches.iter().all(|search| search.regions != later.planning.regions));
    let other = ask("third", "lee", 10, "노원구 전세 시세는?").await;
    assert!(other.memories.short_term.is_empty() && other.memories.searches.is_empty());

    // Forgetting is of the log, too, and of nobody else's.
    let logged = async || tracker.report().await.unwrap().total.total_requests;
    assert_eq!(logged().await, 6);
    let notebook = Notebook::new(memory);
    let first = exchanges("kim").await.pop().unwrap();
    assert_eq!(notebook.forget("kim", Forget::One(&first)).await.unwrap(), 1);
    assert_eq!(logged().await, 5);
    let left = book.list("kim", start()).await.unwrap().len();
    assert_eq!(exchanges("kim").await.len(), 4);
    assert_eq!(notebook.forget("kim", Forget::All).await.unwrap(), left);
    assert_eq!(logged().await, 1);
    assert!(book.list("kim", start()).await.unwrap().is_empty());
}

/// What another conversation found is used only for the same matter: other law, or a wider place, is searched for.
#[tokio::test]
async fn what_another_conversation_found_about_something_else_is_not_used() {
    let store = Arc::new(MemoryStore::new());
    let memory = Memory::new(Arc::clone(&store) as Arc<_>);
    let toolbox = Toolbox::new(&Sources::built_in(jiff::civil::date(2026, 5, 13)))
        .with_memory(Arc::new(Notebook::new(memory)))
        .for_one("kim");
    let app = graph(toolbox).unwrap().provide(Decider::by_rules()).on(store);
    let ask = async |thread: &str, minutes: i64, text: &str| -> Arc<Advice> {
        let now = start() + SignedDuration::from_mins(minutes);
        let inquiry = Inquiry { now: Some(now.to_string()), ..Inquiry::question(text) };
        app.thread(thread).unwrap().invoke(inquiry).await.unwrap().done().unwrap()
    };
    ask("a", 0, "상가 건물 세입자인데 권리금 받을 수 있나요?").await;
    ask("b", 1, "7억 아파트 취득세 얼마야?").await;
    ask("c", 2, "노원구랑 도봉구 아파트 전세 비교해줘").await;
    for (at, text) in [
        "집주인이 바뀌었는데 전세 계약 그대로 유효한가요?",
        "은평구 빌라 전세 2억 5천인데 집값이 3억이래요. 위험한가요?",
        "서울 아파트 전세 시세 알려줘",
    ]
    .into_iter()
    .enumerate()
    {
        let end = ask(&format!("new {at}"), 3, text).await;
        assert!(!end.data_reused && end.count_of("search_calls") > 0, "{text}: {:?}", end.sufficiency_result);
    }
    // The same matter is not searched for again.
    let same = ask("same", 4, "노원구 아파트 전세 시세 알려줘").await;
    assert!(same.data_reused, "{:?}", same.sufficiency_result);
}

/// A person's variant is theirs, whoever asks for them; nobody in particular has all gates.
#[tokio::test]
async fn a_person_has_the_gates_of_their_own_variant() {
    let app = graph(Toolbox::new(&Sources::built_in(jiff::civil::date(2026, 5, 13))))
        .unwrap()
        .provide(Decider::by_rules())
        .on(Arc::new(MemoryStore::new()));
    let variant = async |user: Option<&str>, said: Option<Variant>| {
        let inquiry = Inquiry {
            user: user.map(str::to_owned),
            variant: said,
            ..Inquiry::question("노원구 아파트 시세 알려줘")
        };
        app.thread("t").unwrap().invoke(inquiry).await.unwrap().done().unwrap().variant
    };
    assert_eq!(variant(Some("kim"), None).await, Variant::B);
    assert_eq!(variant(Some("park"), None).await, Variant::A);
    assert_eq!(variant(Some("park"), Some(Variant::Off)).await, Variant::Off);
    assert_eq!(variant(None, None).await, Variant::B);
}

/// A new search that finds the same says that the reuse was right, one that finds something else that it was not.
#[tokio::test]
async fn a_sampled_search_is_evidence_about_a_reuse() {
    for (moved, outcome) in [(false, Outcome::CorrectSkip), (true, Outcome::IncorrectSkip)] {
        let store = Arc::new(MemoryStore::new());
        let memory = Memory::new(Arc::clone(&store) as Arc<_>);
        let sources = Sources::built_in(jiff::civil::date(2026, 5, 13));
        let other = Sources::built_in(jiff::civil::date(2026, 1, 13));
        let mut toolbox =
            Toolbox::new(&sources).with_memory(Arc::new(Notebook::new(memory.clone()))).for_one("kim");
        toolbox.bounds.shadow_every = 1;
        let app = |toolbox: Toolbox| {
            graph(toolbox).unwrap().provide(Decider::by_rules()).on(Arc::clone(&store) as Arc<_>)
        };
        let ask = async |toolbox: Toolbox, minutes: i64, text: &str| {
            let now = start() + SignedDuration::from_mins(minutes);
            let inquiry = Inquiry { now: Some(now.to_string()), ..Inquiry::question(text) };
            app(toolbox).thread("t").unwrap().invoke(inquiry).await.unwrap().done().unwrap()
        };
        ask(toolbox.clone(), 0, "노원구 아파트 매매 시세 알려줘").await;
        let later = if moved { toolbox.clone().with_tools(other.tools()) } else { toolbox };
        let end = ask(later, 2, "방금 검색한 시세로 투자 수익률 계산해줘").await;
        assert!(end.data_reused && end.count_of("search_calls") == 0);
        let place = Place { user: "kim", thread: "t", turn: 1 };
        let logged = Tracker::new(memory).get(place).await.unwrap().unwrap();
        assert_eq!(logged.actual_result, outcome, "moved: {moved}");
    }
}
