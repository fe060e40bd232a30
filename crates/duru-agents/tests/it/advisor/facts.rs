//! What one conversation tells of a person, and what the next makes of it.

use std::sync::Arc;

use duru::App;
use duru::memory::Memory;
use duru::store::MemoryStore;
use duru_agents::advisor::memory::{Body, Book, Correction, Fact, FactKind, FactSource, Forget, Notebook};
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use duru_sql::guard::Lang;
use jiff::{SignedDuration, Timestamp};

struct Desk {
    app: App<Advice, Inquiry>,
    book: Book,
}

fn day(day: i64) -> Timestamp {
    let start: Timestamp = "2026-05-13T10:00:00+09:00".parse().unwrap();
    start + SignedDuration::from_hours(24 * day)
}

impl Desk {
    fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let memory = Memory::new(Arc::clone(&store) as Arc<_>);
        let toolbox = Toolbox::new(&Sources::built_in(jiff::civil::date(2026, 5, 13)))
            .with_memory(Arc::new(Notebook::new(memory.clone())));
        let app = graph(toolbox).unwrap().provide(Decider::by_rules()).on(store);
        Self { app, book: Book::new(memory) }
    }

    async fn ask(&self, user: &str, thread: &str, at: i64, text: &str) -> Arc<Advice> {
        let inquiry = Inquiry {
            user: Some(user.to_owned()),
            now: Some(day(at).to_string()),
            ..Inquiry::question(text)
        };
        self.app.thread(thread).unwrap().invoke(inquiry).await.unwrap().done().unwrap()
    }

    async fn facts(&self, user: &str, at: i64) -> Vec<(String, Fact)> {
        let all = self.book.list(user, day(at)).await.unwrap();
        all.into_iter()
            .filter_map(|one| match one.body {
                Body::Fact(fact) => Some((one.id, fact)),
                _ => None,
            })
            .collect()
    }

    async fn fact(&self, user: &str, at: i64, kind: FactKind) -> Option<(String, Fact)> {
        self.facts(user, at).await.into_iter().find(|(_, fact)| fact.kind == kind)
    }
}

fn said(end: &Advice) -> &str {
    &end.final_response.as_ref().unwrap().text
}

#[tokio::test]
async fn what_one_conversation_said_is_used_in_the_next_and_the_answer_says_so() {
    for (first, second, words) in [
        (
            "연봉 6천만원이고 기존 대출 5천만원 있어요. 7억 아파트 대출 한도 얼마예요?",
            "8억 아파트 대출 한도 알려줘",
            ["지난 대화에서 기억하는", "연소득 6,000만원", "2026-05-13"],
        ),
        (
            "My income is 60 million won. How much can I borrow for a 700 million won apartment?",
            "How much can I borrow for an 800 million won apartment?",
            ["Remembered from earlier conversations", "₩60,000,000", "2026-05-13"],
        ),
    ] {
        let desk = Desk::new();
        let end = desk.ask("kim", "a", 0, first).await;
        assert!(!said(&end).contains(words[0]), "{}", said(&end));
        let (_, income) = desk.fact("kim", 0, FactKind::Income).await.unwrap();
        assert_eq!(income.value.0, "6,000만원");
        assert_eq!(income.source, Some(FactSource::Said { thread: "a".to_owned(), turn: 1 }));
        assert_eq!(income.last, day(0));

        let end = desk.ask("kim", "b", 3, second).await;
        assert_eq!(end.planning.carried.as_ref().unwrap().income, Some(60_000_000));
        for word in words {
            assert!(said(&end).contains(word), "{word}: {}", said(&end));
        }
        // The next question of the same conversation, too; nobody else's.
        let other = desk.ask("lee", "c", 3, second).await;
        assert!(other.planning.remembered.is_empty() && !said(&other).contains(words[1]), "{}", said(&other));
    }
}

#[tokio::test]
async fn what_is_said_here_counts_more_than_what_is_remembered_and_takes_its_place() {
    let desk = Desk::new();
    desk.ask("kim", "a", 0, "연봉 6천만원인데 7억 아파트 대출 한도 얼마예요?").await;
    let end = desk.ask("kim", "b", 1, "연봉은 8천만원이에요. 7억 아파트 대출 한도 얼마예요?").await;
    assert!(end.planning.remembered.is_empty(), "{:?}", end.planning.remembered);
    let all = desk.facts("kim", 1).await;
    let incomes: Vec<_> = all.iter().filter(|(_, fact)| fact.kind == FactKind::Income).collect();
    assert_eq!(incomes.len(), 1);
    assert_eq!((incomes[0].1.value.0.as_str(), incomes[0].1.last), ("8,000만원", day(1)));
    // What is only supposed changes nothing, and neither does somebody else's income.
    desk.ask("kim", "c", 2, "연봉이 2억이면 7억 아파트 대출 한도 얼마예요?").await;
    desk.ask("kim", "d", 2, "제 동생 연봉이 3억인데 7억 아파트 대출 한도 얼마예요?").await;
    assert_eq!(desk.fact("kim", 2, FactKind::Income).await.unwrap().1.value.0, "8,000만원");
    // Of somebody else nothing is remembered here.
    let end = desk.ask("kim", "e", 3, "제 동생이 7억 아파트 살 때 대출 한도 얼마예요?").await;
    assert!(end.planning.remembered.is_empty(), "{:?}", end.planning.remembered);
}

#[tokio::test]
async fn a_fact_is_put_right_and_forgotten_and_does_not_come_back() {
    let desk = Desk::new();
    desk.ask("kim", "a", 0, "연봉 6천만원인데 7억 아파트 대출 한도 얼마예요?").await;
    let (id, _) = desk.fact("kim", 0, FactKind::Income).await.unwrap();
    let put = async |user: &str, id: &str, to: &str| desk.book.correct(user, id, to, day(1)).await.unwrap();
    assert_eq!(put("kim", &id, "아주 많이").await, Correction::Unread(FactKind::Income));
    assert_eq!(put("lee", &id, "1억").await, Correction::Unknown);
    let talk = desk.book.list("kim", day(1)).await.unwrap()[0].id.clone();
    assert_eq!(put("kim", &talk, "1억").await, Correction::NotAFact);
    let Correction::Done(right) = put("kim", &id, "9천만원").await else { panic!("{id}") };
    assert_eq!(right.text(Lang::En), "yearly income: ₩90,000,000");
    let end = desk.ask("kim", "b", 2, "8억 아파트 대출 한도 알려줘").await;
    assert_eq!(end.planning.carried.as_ref().unwrap().income, Some(90_000_000));
    assert!(said(&end).contains("연소득 9,000만원"), "{}", said(&end));

    assert_eq!(desk.book.forget("kim", Forget::One(&right.id)).await.unwrap(), 1);
    let end = desk.ask("kim", "c", 3, "8억 아파트 대출 한도 알려줘").await;
    assert!(!said(&end).contains("9,000만원"), "{}", said(&end));
    // Not even when the exchange that told it has grown old.
    for at in [10, 100, 400] {
        desk.ask("kim", "d", at, "노원구 아파트 시세 알려줘").await;
        assert_eq!(desk.fact("kim", at, FactKind::Income).await, None, "day {at}");
    }
}

#[tokio::test]
async fn a_place_that_was_given_up_is_forgotten_and_the_last_one_is_meant_where_none_is_named() {
    let desk = Desk::new();
    desk.ask("kim", "a", 0, "노원구 아파트 매매 시세 알려줘").await;
    desk.ask("kim", "a", 1, "노원구 말고 마포구 아파트 매매 시세 알려줘").await;
    let places: Vec<String> = desk
        .facts("kim", 1)
        .await
        .into_iter()
        .filter(|(_, fact)| fact.kind == FactKind::Region)
        .map(|(_, fact)| fact.value.0)
        .collect();
    assert_eq!(places, ["서울 마포구"]);
    for (text, words) in [
        ("아파트 시세 알려줘", ["지난 대화에서 기억하는", "마포구"]),
        ("What do apartments cost?", ["Remembered from earlier conversations", "Mapo"]),
    ] {
        let end = desk.ask("kim", text, 2, text).await;
        assert_eq!(end.planning.regions.len(), 1, "{:?}", end.planning);
        for word in words {
            assert!(said(&end).contains(word), "{word}: {}", said(&end));
        }
    }
    let end = desk.ask("kim", "c", 2, "강남구 아파트 시세 알려줘").await;
    assert!(end.planning.remembered.is_empty() && !said(&end).contains("마포구"), "{}", said(&end));
}

#[tokio::test]
async fn a_budget_that_is_remembered_limits_a_later_search_for_homes_and_the_answer_says_so() {
    for (first, second, words) in [
        (
            "예산 6억으로 노원구 아파트 매매 찾아줘",
            "도봉구 아파트 매매 매물 찾아줘",
            ["지난번에 말씀하신 예산 6억원 이하로 찾았습니다", "예산 6억원(2026-05-13)"],
        ),
        (
            "My budget is 600 million won. Find me an apartment for sale in Nowon-gu",
            "Find me an apartment for sale in Dobong-gu",
            ["the budget of ₩600,000,000 that you named last time", "budget ₩600,000,000"],
        ),
    ] {
        let desk = Desk::new();
        desk.ask("kim", "a", 0, first).await;
        let end = desk.ask("kim", "b", 3, second).await;
        for word in words {
            assert!(said(&end).contains(word), "{word}: {}", said(&end));
        }
        let searched = end.used.iter().filter(|used| used.tool == "real_estate_search");
        let limits: Vec<Option<u64>> = searched.map(|used| used.parameters.most_price).collect();
        assert_eq!(limits, [Some(600_000_000)]);
        let items = end.used.iter().flat_map(|used| &used.found.items);
        assert!(items.filter_map(|item| item.record.as_ref()).all(|home| home.price <= 600_000_000));
        // Nobody else's, and not where another sum is named.
        let other = desk.ask("lee", "c", 3, second).await;
        assert!(other.planning.remembered.is_empty() && !said(&other).contains(words[1]), "{}", said(&other));
    }
}

#[tokio::test]
async fn a_remembered_budget_limits_nothing_that_it_was_not_named_for() {
    let desk = Desk::new();
    desk.ask("kim", "a", 0, "예산 2억으로 노원구 아파트 전세 찾아줘").await;
    for text in [
        // What a home costs is asked of all of them; a deposit is no price; a sum that is said counts more.
        "노원구 아파트 전세 시세 알려줘",
        "노원구 아파트 매매 매물 찾아줘",
        "노원구 아파트 전세 4억 이하로 찾아줘",
    ] {
        let end = desk.ask("kim", text, 1, text).await;
        let limits = end.used.iter().filter_map(|used| used.parameters.most_price);
        assert!(limits.clone().all(|most| most != 200_000_000), "{text}: {}", said(&end));
        assert!(end.planning.remembered.is_empty(), "{text}: {:?}", end.planning.remembered);
    }
    let end = desk.ask("kim", "again", 1, "도봉구 아파트 전세 매물 찾아줘").await;
    assert!(said(&end).contains("지난번에 말씀하신 예산 2억원 이하로 찾았습니다"), "{}", said(&end));
}

#[tokio::test]
async fn nothing_that_looks_like_a_secret_is_kept() {
    let store = Arc::new(MemoryStore::new());
    let memory = Memory::new(Arc::clone(&store) as Arc<_>);
    let toolbox = Toolbox::new(&Sources::built_in(jiff::civil::date(2026, 5, 13)))
        .with_memory(Arc::new(Notebook::new(memory.clone())));
    let app = graph(toolbox).unwrap().provide(Decider::by_rules()).on(store);
    let secrets = ["900101-1234567", "110-234-567890", "kim@example.com", "hunter22"];
    let text = format!(
        "주민번호 {}, 계좌 {}, 메일 {}, 비밀번호는 {}예요. 노원구 아파트 시세 알려줘. 꼭 기억해 줘",
        secrets[0], secrets[1], secrets[2], secrets[3]
    );
    let inquiry = Inquiry { user: Some("kim".to_owned()), ..Inquiry::question(text) };
    app.thread("t").unwrap().invoke(inquiry).await.unwrap().done().unwrap();
    let all = memory.search(duru::memory::Search::within(["advisor"]).unwrap().limit(500)).await.unwrap();
    assert!(!all.is_empty());
    for hit in all {
        let kept = serde_json::to_string(&hit.item.value).unwrap();
        for secret in secrets {
            assert!(!kept.contains(secret), "{secret}: {kept}");
        }
    }
}
