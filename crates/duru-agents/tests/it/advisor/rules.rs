//! The whole graph without a model.

use std::sync::Arc;

use async_trait::async_trait;
use duru_agents::advisor::tools::{Error, Found, Item, Parameters, Team, Tool, Used};
use duru_agents::advisor::understand::{DataKind, Intent};
use duru_agents::advisor::{Action, Advice, Status, TeamStatus, Toolbox};
use duru_llm::decision::Decider;

use super::world::{advisor, advisor_on, answer, asks, counted, said, sources};

fn actions(end: &Advice) -> Vec<&Action> {
    end.orchestration_decisions.iter().map(|decided| &decided.decision).collect()
}

#[tokio::test]
async fn a_plain_question_of_law_is_searched_and_the_rest_is_skipped() {
    let end = answer(&advisor(), "kim", asks("전세금 인상 가능한가요?")).await;
    assert_eq!(end.planning.intent, Some(Intent::LegalConsult));
    let planned: Vec<Team> = end.steps.iter().map(|step| step.team).collect();
    assert_eq!(planned, [Team::Search, Team::Analysis, Team::Document]);
    assert!(end.team_results[&Team::Search].items >= 5);
    assert_eq!(actions(&end), [&Action::Continue, &Action::SkipRemaining]);
    assert!(end.steps[1..].iter().all(|step| step.status == Status::Skipped) && end.skip_remaining);
    assert!(said(&end).contains("5%") && said(&end).contains("제7조"), "{}", said(&end));
    assert_eq!(end.messages.last().unwrap().text(), said(&end));
}

/// Finds two deals the first time, seven when it is asked in other words.
struct Sparse;

#[async_trait]
impl Tool for Sparse {
    fn name(&self) -> &str {
        "market_data"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let count = if parameters.limit.is_some() { 7 } else { 2 };
        let item = |n: usize| Item {
            id: format!("{n}"),
            kind: DataKind::Market,
            region: parameters.regions.first().cloned(),
            deal: None,
            property: None,
            at: None,
            source: "test".into(),
            title: "강남구".into(),
            text: String::new(),
            fit: 1.0,
            record: None,
        };
        Ok(Found { items: (0..count).map(item).collect(), quality: 0.6, ..Found::default() })
    }
}

#[tokio::test]
async fn two_results_are_searched_again_in_other_words() {
    let toolbox = Toolbox::new(&sources());
    let tools = toolbox.tools.clone().with(Arc::new(Sparse));
    let store = Arc::new(duru::store::MemoryStore::new());
    let advisor = advisor_on(store, toolbox.with_tools(tools), Decider::by_rules());
    let end = answer(&advisor, "kim", asks("강남 아파트 시세")).await;
    let again = Action::AddAgent { next_agent: Team::Search };
    assert_eq!(actions(&end)[1], &again, "{:?}", end.orchestration_decisions);
    assert_eq!(end.team_results[&Team::Search].runs, 2);
    assert_eq!(end.count_of("duplicate_runs"), 0);
    assert_eq!(end.team_results[&Team::Search].status, TeamStatus::Accepted);
}

#[tokio::test]
async fn analysis_receives_what_the_search_found() {
    let end = answer(
        &advisor(),
        "kim",
        asks("마포구 아파트 시세 알려주고 그걸로 대출 한도 계산해줘. 연봉은 7천만원이야"),
    )
    .await;
    assert!(end.completed_teams.contains(&Team::Search) && end.completed_teams.contains(&Team::Analysis));
    assert!(said(&end).contains("대출 한도") && said(&end).contains("마포구"), "{}", said(&end));
    assert!(said(&end).contains("2025-10-16"), "the constants' date is told: {}", said(&end));
}

#[tokio::test]
async fn what_was_just_found_is_not_searched_again() {
    let (tools, calls) = counted(Toolbox::new(&sources()).tools);
    let toolbox = Toolbox::new(&sources()).with_tools(tools);
    let advisor = advisor_on(Arc::new(duru::store::MemoryStore::new()), toolbox, Decider::by_rules());
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let before = calls.lock().unwrap().len();
    let end = answer(&advisor, "kim", asks("방금 검색한 시세로 투자 수익률 계산해줘")).await;
    assert!(end.data_reused && !end.completed_teams.contains(&Team::Search), "{:?}", end.sufficiency_result);
    let searched = calls.lock().unwrap().keys().filter(|key| key.starts_with("market_data")).count();
    assert_eq!((before, searched), (1, 1), "{:?}", calls.lock().unwrap());
    assert!(said(&end).contains("수익률") && said(&end).contains("다시 쓴 자료"), "{}", said(&end));
    // Another place is another search.
    let other = answer(&advisor, "kim", asks("서초구는 얼마야?")).await;
    assert!(!other.data_reused && other.completed_teams.contains(&Team::Search));
    // And so is the wish for a new one.
    let mut again = asks("방금 검색한 시세로 투자 수익률 계산해줘");
    again.force_search = true;
    assert!(answer(&advisor, "kim", again).await.completed_teams.contains(&Team::Search));
}

#[tokio::test]
async fn prices_that_were_just_found_are_kept_for_a_loan() {
    let advisor = advisor();
    answer(&advisor, "kim", asks("마포구 아파트 시세 알려줘")).await;
    let end = answer(&advisor, "kim", asks("방금 찾은 시세로 대출 한도 계산해줘. 연봉은 7천만원이야")).await;
    let searched: Vec<&str> = end.used.iter().map(|used| used.tool.as_str()).collect();
    assert!(end.data_reused && searched == ["loan_data", "loan_simulator"], "{searched:?}");
    assert!(said(&end).contains("대출 한도는 약"), "{}", said(&end));
}

#[tokio::test]
async fn what_is_no_question_about_homes_is_answered_at_once() {
    let end = answer(&advisor(), "kim", asks("오늘 날씨 어때?")).await;
    assert!(end.steps.is_empty() && said(&end).contains("부동산"), "{}", said(&end));
    let end = answer(&advisor(), "kim", asks("도와줘")).await;
    assert!(said(&end).contains("무엇을 도와드릴까요"), "{}", said(&end));
}

#[tokio::test]
async fn an_english_question_has_an_english_answer() {
    let end = answer(&advisor(), "kim", asks("What do apartments in Gangnam cost?")).await;
    assert!(said(&end).contains("Median prices") && said(&end).contains('₩'), "{}", said(&end));
}

#[tokio::test]
async fn a_loan_that_two_searches_find_is_listed_once() {
    let question = "연봉 6천만원인데 마포구 7억 아파트 사려면 대출 얼마나 나와요?";
    let end = answer(&advisor(), "lee", asks(question)).await;
    let text = said(&end);
    let loans: Vec<&str> =
        text.split("## 대출 상품").nth(1).unwrap().split("##").next().unwrap().lines().collect();
    let listed: Vec<&&str> = loans.iter().filter(|line| line.starts_with("- ")).collect();
    let mut once = listed.clone();
    once.sort();
    once.dedup();
    assert!(!listed.is_empty() && listed.len() == once.len(), "{text}");
}

/// The first of each in the summary, and the sections.
async fn order_of(question: &str, marks: &[&str]) -> (Vec<usize>, Vec<String>) {
    let end = answer(&advisor(), question, asks(question)).await;
    let response = end.final_response.as_ref().unwrap();
    let place = |mark: &&str| {
        response.summary.find(*mark).unwrap_or_else(|| panic!("{question}: {mark}: {}", response.summary))
    };
    let headings = response.sections.iter().map(|section| section.heading.clone()).collect();
    (marks.iter().map(place).collect(), headings)
}

#[tokio::test]
async fn what_a_question_asks_for_first_is_told_first() {
    for (question, marks, headings) in [
        // Places are only where: what can be borrowed is what is asked.
        (
            "My salary is 60 million won. How much can I borrow? I want to live in Mapo-gu or Seongdong-gu. Jeonse.",
            ["3 loans fit", "Average jeonse"],
            ["Loans on offer", "Prices"],
        ),
        (
            "연봉 7천, 3억 있어요. 얼마까지 빌릴 수 있나요? 마포구와 강남구 보고 있어요.",
            ["대출 한도는", "매매 3억원은"],
            ["대출 한도", "상환 계획"],
        ),
        // A figure that the question says itself is not asked for.
        (
            "매매가 8억인데 대출 한도랑 취득세 얼마야? 연봉 7천",
            ["대출 한도는", "취득세는"],
            ["대출 한도", "상환 계획"],
        ),
        // As many ways round as people ask.
        (
            "마포구랑 강남구 아파트 시세 비교해주고 연봉 7천이면 대출 얼마까지 되는지 알려줘",
            ["매매 평균은", "대출 한도는"],
            ["시세", "시장 분석"],
        ),
        (
            "Compare prices in Mapo and Gangnam, and how much can I borrow with an income of 70 million won?",
            ["Average sale", "the highest loan"],
            ["Prices", "The market"],
        ),
        (
            "취득세는 얼마고 대출은 얼마까지 나와? 8억 아파트, 연봉 7천",
            ["취득세는", "대출 한도는"],
            ["세금", "대출 한도"],
        ),
        (
            "What is the brokerage fee and the acquisition tax on an 800 million won apartment?",
            ["The brokerage fee", "The acquisition tax"],
            ["Brokerage", "Taxes"],
        ),
        (
            "전세금 인상 가능한가요? 그리고 마포구 전세 시세도 알려줘",
            ["5%", "시세(중앙값)"],
            ["법률 근거", "시세"],
        ),
    ] {
        let (places, sections) = order_of(question, &marks).await;
        assert!(places.is_sorted(), "{question}: {places:?}");
        assert_eq!(sections[..2], headings, "{question}");
    }
}
