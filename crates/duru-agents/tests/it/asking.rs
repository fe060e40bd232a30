//! Nodes that ask the person: what they decided before the question holds after the answer, whatever a model would
//! say the second time.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use duru::store::MemoryStore;
use duru::{Outcome, State};
use duru_agents::advisor::{self, Toolbox};
use duru_llm::fake::{Fake, Says};
use serde_json::{Value, json};

use crate::advisor::models::agreeable;
use crate::advisor::world::{advisor_on, answer, asks as asks_advisor, patient, sources};
use crate::analyst::world::{World, asks as asks_analyst};
use crate::support::decider;

/// A model that changes its mind: asked for the same again, it says something else. What it was asked for again.
fn fickle(
    fake: &Fake,
    first: impl Fn(&str) -> String + Send + Sync + 'static,
    then: impl Fn(&str) -> String + Send + Sync + 'static,
) -> Arc<Mutex<Vec<String>>> {
    let seen: Mutex<BTreeSet<String>> = Mutex::default();
    let again: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&again);
    fake.otherwise(move |request| {
        let body = request.body.to_string();
        if seen.lock().unwrap().insert(body.clone()) {
            return Says::text(first(&body));
        }
        noted.lock().unwrap().push(request.body["response_format"]["json_schema"]["name"].to_string());
        Says::text(then(&body))
    });
    again
}

/// The question that a run stopped at.
fn asked<S: State>(outcome: &Outcome<Arc<S>>) -> Value {
    let [question] = outcome.questions() else { panic!("it does not ask one thing") };
    question.get().unwrap()
}

const OPEN: &str = r#"{"has_service": false, "service_type": "none", "is_aggregation": false, "is_filter_query": true, "time_clarity": "clear", "needs_service_clarification": true, "needs_time_clarification": false}"#;
const CLEAR: &str = r#"{"has_service": true, "service_type": "none", "is_aggregation": false, "is_filter_query": true, "time_clarity": "clear", "needs_service_clarification": false, "needs_time_clarification": false}"#;

/// What a model says that knows how to analyse a question, and nothing else.
fn analyses(body: &str, analysis: &str) -> String {
    if body.contains("query_analysis") { analysis.to_owned() } else { "?".to_owned() }
}

/// The analyst's `clarifier`: its model finds a service missing, and the second time it does not.
#[tokio::test]
async fn the_clarifier_keeps_the_answer_though_its_model_changes_its_mind() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    let again = fickle(&fake, |body| analyses(body, OPEN), |body| analyses(body, CLEAR));
    let store = Arc::new(MemoryStore::new());
    let open = || world.analyst_on(Arc::clone(&store) as Arc<_>, decider(&fake, "openai:m"));
    let outcome = open().thread("kim").unwrap().invoke(asks_analyst("에러 로그 보여줘")).await.unwrap();
    assert_eq!(asked(&outcome)["clarifications"][0]["field"], "service");
    let before = fake.seen().len();
    // By another process, too.
    let end = open().thread("kim").unwrap().resume("order-api").await.unwrap().done().unwrap();
    assert_eq!(end.user_clarifications.get("service").map(String::as_str), Some("order-api"));
    assert_eq!((end.clarification_count, end.formatted_results.as_ref().unwrap().count), (1, 2));
    assert_eq!(*again.lock().unwrap(), Vec::<String>::new(), "nothing is asked of a model again");
    assert!(fake.seen().len() > before, "what comes after the answer is");
}

/// The same without a model at first, and with one when the answer comes.
#[tokio::test]
async fn the_clarifier_keeps_the_answer_though_it_has_a_model_by_then() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|request| Says::text(analyses(&request.body.to_string(), CLEAR)));
    let store = Arc::new(MemoryStore::new());
    let by_rules = world.analyst_on(Arc::clone(&store) as Arc<_>, duru_llm::decision::Decider::by_rules());
    let outcome = by_rules.thread("kim").unwrap().invoke(asks_analyst("에러 로그 보여줘")).await.unwrap();
    assert_eq!(asked(&outcome)["clarifications"][0]["field"], "service");
    let analyst = world.analyst_on(store, decider(&fake, "openai:m"));
    let end = analyst.thread("kim").unwrap().resume("order-api").await.unwrap().done().unwrap();
    assert_eq!((end.clarification_count, end.formatted_results.as_ref().unwrap().count), (1, 2));
}

const MARKET: &str = r#"{"intent": "market_inquiry", "confidence": 0.95, "keywords": [], "regions": ["강남구"], "suggested_teams": ["search"], "clarify": null}"#;
const LEASE: &str = r#"{"intent": "contract_creation", "confidence": 0.95, "keywords": [], "regions": ["마포구"], "suggested_teams": ["document"], "clarify": null}"#;

/// The advisor's `confirm`, gate 3.
#[tokio::test]
async fn the_confirmation_is_taken_though_the_model_changes_its_mind() {
    let fake = Fake::start().await.unwrap();
    let again = fickle(&fake, |body| agreeable(body, MARKET), |_| "?".to_owned());
    let store = Arc::new(MemoryStore::new());
    let open = || advisor_on(Arc::clone(&store) as Arc<_>, patient(), decider(&fake, "openai:m"));
    answer(&open(), "kim", asks_advisor("강남구 아파트 시세 알려줘")).await;
    let doubt = advisor::Inquiry {
        interactive: true,
        ..asks_advisor("강남구 아파트 시세 그사이 바뀌었을까?")
    };
    let outcome = open().thread("kim").unwrap().invoke(doubt).await.unwrap();
    assert_eq!(asked(&outcome)["type"], "user_confirmation_required");
    let end = open().thread("kim").unwrap().resume("use_previous").await.unwrap().done().unwrap();
    assert_eq!((end.user_confirmed, end.data_reused), (Some(true), true));
    assert_eq!(*again.lock().unwrap(), Vec::<String>::new(), "nothing is asked of a model again");
}

/// The advisor's `review` of a draft.
#[tokio::test]
async fn the_review_is_taken_though_the_model_changes_its_mind() {
    let fake = Fake::start().await.unwrap();
    let again = fickle(&fake, |body| agreeable(body, LEASE), |_| "?".to_owned());
    let store = Arc::new(MemoryStore::new());
    let open =
        || advisor_on(Arc::clone(&store) as Arc<_>, Toolbox::new(&sources()), decider(&fake, "openai:m"));
    let text = "보증금 3억 전세계약서 초안 만들어 주세요, 마포구 연남동 집이에요";
    let inquiry = advisor::Inquiry { interactive: true, ..asks_advisor(text) };
    let outcome = open().thread("kim").unwrap().invoke(inquiry).await.unwrap();
    assert_eq!(asked(&outcome)["type"], "draft_review_required");
    let names = json!({ "value": "save", "fields": { "tenant.name": "이영희" } });
    let outcome = open().thread("kim").unwrap().resume(names).await.unwrap();
    assert!(asked(&outcome).to_string().contains("이영희"));
    let end = open().thread("kim").unwrap().resume("cancel").await.unwrap().done().unwrap();
    assert_eq!(end.draft.as_ref().unwrap().form.tenant.name.as_deref(), Some("이영희"));
    assert_eq!(*again.lock().unwrap(), Vec::<String>::new(), "nothing is asked of a model again");
}

/// Rust files below a folder, and what is in them.
fn sources_below(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            let name = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap();
            found.push((name.to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Whoever writes a node that asks adds a test here; and a node decides in one way only, by which its decisions are
/// recorded.
#[test]
fn every_node_that_asks_is_here_and_nobody_decides_unrecorded() {
    let mut sources = Vec::new();
    sources_below(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut sources);
    let with = |words: &[&str]| -> BTreeSet<&str> {
        let found = sources.iter().filter(|(_, text)| words.iter().any(|word| text.contains(word)));
        found.map(|(name, _)| name.as_str()).collect()
    };
    assert_eq!(
        with(&["cx.interrupt"]),
        BTreeSet::from(["advisor/nodes/confirm.rs", "advisor/teams/review.rs", "analyst/nodes/clarifier.rs"])
    );
    assert_eq!(
        with(&["get::<Decider>", "Decider::new", "Decider::by_rules"]),
        BTreeSet::from(["decided.rs"])
    );
}
