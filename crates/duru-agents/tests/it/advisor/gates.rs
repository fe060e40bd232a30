//! Gate 2 looks at the data, gate 3 asks the person, and a memory that fails costs only the reuse.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use duru::store::{Checkpoints, MemoryStore};
use duru::{Mode, Outcome, TokioClock};
use duru_agents::advisor::draft::Document;
use duru_agents::advisor::progress::{self, Progress};
use duru_agents::advisor::sufficiency::Verdict;
use duru_agents::advisor::tools::Team;
use duru_agents::advisor::{Advice, Inquiry, Memories, Recall, RecallError, Status, Toolbox, Variant, graph};
use duru_llm::decision::Decider;
use serde_json::json;

use super::world::{advisor, advisor_on, answer, asks, patient, said, sources};

fn later(question: &str, days: i64) -> Inquiry {
    let now: jiff::Timestamp = super::world::NOW.parse().unwrap();
    let at = now + jiff::SignedDuration::from_hours(24 * days);
    Inquiry { now: Some(at.to_string()), ..Inquiry::question(question) }
}

#[tokio::test]
async fn data_that_grow_old_are_looked_at_and_used_while_they_hold() {
    let advisor = advisor();
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let end = answer(&advisor, "kim", later("아까 그 강남구 아파트 시세로 투자 수익률 계산해줘", 4)).await;
    assert!(end.using_cached_data && end.data_reused, "{:?}", end.sufficiency_result);
    let checked = end.cached_data_quality.as_ref().unwrap();
    assert!((checked.quality - 0.9).abs() < 1e-9 && checked.sufficient);
    assert_eq!(end.count_of("search_calls"), 0);
    // After a week they are not, and with gate 1 alone nothing is looked at.
    let end = answer(&advisor, "kim", later("강남구 아파트 시세로 투자 수익률 계산해줘", 9)).await;
    assert!(!end.data_reused && end.count_of("search_calls") > 0);
}

#[tokio::test]
async fn with_gate_one_alone_doubt_means_a_search() {
    let advisor = advisor();
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let inquiry = Inquiry {
        variant: Some(Variant::A),
        ..later("아까 그 강남구 아파트 시세로 투자 수익률 계산해줘", 4)
    };
    assert!(answer(&advisor, "kim", inquiry).await.count_of("search_calls") > 0);
    let off = Inquiry {
        variant: Some(Variant::Off), ..asks("방금 검색한 시세로 투자 수익률 계산해줘")
    };
    assert!(answer(&advisor, "kim", off).await.count_of("search_calls") > 0);
}

/// A part of what was found, a doubt: only the person can say.
fn doubtful() -> Inquiry {
    Inquiry { interactive: true, ..asks("강남구 아파트 시세 그사이 바뀌었을까?") }
}

#[tokio::test]
async fn the_person_is_asked_and_decides() {
    for (said_by_person, reused) in [
        (json!("use_previous"), true),
        (json!({ "value": "use_previous" }), true),
        (json!("search_new"), false),
        (json!({ "what": 3 }), false),
    ] {
        let advisor = advisor_on(Arc::new(MemoryStore::new()), patient(), Decider::by_rules());
        answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
        let thread = advisor.thread("kim").unwrap();
        let Outcome::Paused(questions) = thread.invoke(doubtful()).await.unwrap() else {
            panic!("not asked")
        };
        let asked: Progress = questions[0].get().unwrap();
        let Progress::UserConfirmationRequired { message, options, context, .. } = asked else {
            panic!("{asked:?}")
        };
        assert_eq!(message, "이전 대화의 데이터를 사용하시겠습니까?");
        assert_eq!(options[0].value, "use_previous");
        assert!(context.previous_data_summary.contains("강남구"), "{context:?}");
        let end = thread.resume(said_by_person).await.unwrap().done().unwrap();
        assert_eq!(end.user_confirmed, Some(reused));
        assert_eq!((end.data_reused, end.count_of("search_calls") == 0), (reused, reused));
    }
}

#[tokio::test]
async fn nobody_is_asked_where_a_search_takes_less_than_a_second() {
    let advisor = advisor();
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let end = answer(&advisor, "kim", doubtful()).await;
    assert_eq!(end.sufficiency_result.as_ref().unwrap().verdict, Verdict::Confirm);
    assert!(end.searched_at_once && end.user_confirmed.is_none() && !end.data_reused);
    assert!(end.count_of("search_calls") > 0 && end.sufficiency_reasoning.contains("묻지 않고"));
}

#[tokio::test]
async fn where_nobody_is_there_the_data_are_looked_at_instead() {
    let advisor = advisor();
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let end = answer(&advisor, "kim", Inquiry { interactive: false, ..doubtful() }).await;
    assert!(end.user_confirmed.is_none() && end.cached_data_quality.is_some());
}

#[tokio::test(start_paused = true)]
async fn without_an_answer_in_time_a_search_is_made_even_after_a_restart() {
    let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
    let clock = TokioClock::starting_at(1_800_000_000_000);
    let app = || graph(patient()).unwrap().provide(Decider::by_rules()).clock(clock).on(Arc::clone(&store));
    {
        let advisor = app();
        answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
        assert!(matches!(
            advisor.thread("kim").unwrap().invoke(doubtful()).await.unwrap(),
            Outcome::Paused(_)
        ));
    }
    tokio::time::advance(Duration::from_secs(31)).await;
    let advisor = app();
    let end = advisor.thread("kim").unwrap().go_on().await.unwrap().done().unwrap();
    assert_eq!(end.user_confirmed, Some(false));
    assert!(end.count_of("search_calls") > 0 && !end.data_reused);
}

/// A memory that fails, or that wants a step skipped.
struct Memory {
    fails: bool,
}

#[async_trait]
impl Recall for Memory {
    async fn recall(&self, _: &str, _: &str, _: jiff::Timestamp) -> Result<Memories, RecallError> {
        if self.fails { Err(RecallError::Unavailable("gone".into())) } else { Ok(Memories::default()) }
    }

    async fn remember(&self, _: &str, _: &str, _: &Advice) -> Result<(), RecallError> {
        if self.fails { Err(RecallError::Unavailable("gone".into())) } else { Ok(()) }
    }

    async fn keep(&self, _: &str, _: &Document) -> Result<(), RecallError> {
        if self.fails { Err(RecallError::Unavailable("gone".into())) } else { Ok(()) }
    }

    async fn compared(&self, _: &str, _: &str, _: usize, _: bool) -> Result<(), RecallError> {
        if self.fails { Err(RecallError::Unavailable("gone".into())) } else { Ok(()) }
    }

    async fn skipped(&self, _: &str) -> Result<Vec<String>, RecallError> {
        if self.fails { Err(RecallError::Unavailable("gone".into())) } else { Ok(vec!["analysis-1".into()]) }
    }
}

#[tokio::test]
async fn a_memory_that_fails_costs_only_the_reuse() {
    let toolbox = Toolbox::new(&sources()).with_memory(Arc::new(Memory { fails: true }));
    let advisor = advisor_on(Arc::new(MemoryStore::new()), toolbox, Decider::by_rules());
    let inquiry = Inquiry { user: Some("kim".into()), ..asks("강남구 아파트 시세 알려줘") };
    let mut stream = advisor.thread("kim").unwrap().invoke(inquiry).stream([Mode::Custom]).await.unwrap();
    let mut warnings = 0;
    while let Some(event) = stream.next().await.unwrap() {
        warnings += usize::from(matches!(progress::read(&event), Some(Progress::Warning { .. })));
    }
    let state = advisor.thread("kim").unwrap().state().await.unwrap().decode::<Advice>().unwrap();
    assert!(said(&state).contains("강남구") && state.errors.is_empty());
    assert_eq!(warnings, 2, "reading and writing");
}

#[tokio::test]
async fn a_step_that_the_person_skips_is_not_taken() {
    let toolbox = Toolbox::new(&sources()).with_memory(Arc::new(Memory { fails: false }));
    let advisor = advisor_on(Arc::new(MemoryStore::new()), toolbox, Decider::by_rules());
    let end = answer(&advisor, "kim", asks("마포구 아파트 시세로 대출 한도 계산해줘")).await;
    let analysis = end.steps.iter().find(|step| step.team == Team::Analysis).unwrap();
    assert_eq!((analysis.id.as_str(), analysis.status), ("analysis-1", Status::Skipped));
    assert!(!end.completed_teams.contains(&Team::Analysis));
}

#[tokio::test]
async fn what_is_still_good_is_kept_and_only_the_rest_is_searched() {
    let advisor = advisor();
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let end = answer(&advisor, "kim", asks("강남구 아파트 시세하고 대출 같이 봐줘. 연봉 8천만원")).await;
    let searched: Vec<&str> = end.used.iter().map(|used| used.tool.as_str()).collect();
    assert!(
        end.data_reused && searched.contains(&"loan_data") && !searched.contains(&"market_data"),
        "{searched:?}"
    );
}
