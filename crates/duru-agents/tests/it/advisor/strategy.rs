//! Strategies: what is done later differs by what was found before, steps wait for what they depend on, and every change
//! of a plan says why.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::advisor::tools::{Fault, Faulty, Team};
use duru_agents::advisor::{Advice, Change, Status, Strategy, Toolbox};
use duru_llm::decision::Decider;
use duru_llm::fake::{Fake, Says};
use serde_json::{Value, json};

use super::models::agreeable;
use super::world::{advisor, advisor_on, answer, asks, patient, said, sources};
use crate::support::decider;

/// The same question with tools that find something and with tools that find nothing: what follows is not the same.
#[tokio::test]
async fn an_adaptive_plan_goes_on_by_what_was_found() {
    let question = "노원구 아파트 전세 들어가려는데 깡통전세 위험이 있나요?";
    let end = answer(&advisor(), "kim", asks(question)).await;
    assert_eq!(end.strategy, Strategy::Adaptive);
    assert!(end.completed_teams.contains(&Team::Analysis) && end.plan_changes.is_empty());

    let tools = sources().tools().map(|inner| Arc::new(Faulty::new(inner, Fault::Empty, usize::MAX)));
    let advisor = advisor_on(Arc::new(MemoryStore::new()), patient().with_tools(tools), Decider::by_rules());
    let end = answer(&advisor, "kim", asks(question)).await;
    assert!(!end.completed_teams.contains(&Team::Analysis), "{:?}", end.completed_teams);
    let change = end.plan_changes.last().unwrap();
    assert_eq!((change.team, change.change, change.by_model), (Team::Analysis, Change::Skipped, false));
    assert_eq!(change.after, Some(Team::Search));
    assert!(change.reason.contains("분석할 것이 없습니다"), "{change:?}");
    // Searches that were made again are changes of the plan, too.
    assert!(
        end.plan_changes.iter().any(|change| change.change == Change::Added && !change.reason.is_empty())
    );
    assert!(!said(&end).is_empty());
}

const INTENT: &str = r#"{"intent": "comprehensive", "confidence": 0.9, "keywords": [], "regions": [], "suggested_teams": ["search", "analysis"], "clarify": null}"#;

/// A model that plans a draft, too, and drops it where the results tell what homes cost.
fn planning(fake: &Fake, strategy: &'static str, draft_waits_for: &'static [u32]) {
    fake.otherwise(move |seen| {
        let body = seen.body.to_string();
        let task = |team: &str, waits: &[u32]| json!({ "description": team, "team": team, "depends_on": waits });
        let go_on = json!({ "action": "continue", "next_agent": null, "collaboration": null, "reasoning": "계속", "confidence": 0.9 });
        if body.contains("필요한 팀을 고릅니다") {
            return Says::text(r#"{"teams": ["search", "analysis", "document"], "reasoning": "셋 다"}"#);
        }
        let said = if body.contains("차례대로 할 일로 나눕니다") {
            json!({ "sub_tasks": [task("search", &[]), task("analysis", &[1]), task("document", draft_waits_for)] })
        } else if body.contains("어떤 순서로 실행할지") {
            json!({ "strategy": strategy, "reasons": "?", "orchestration": go_on })
        } else if body.contains("결과가 얼마나 쓸모 있는지") {
            let plan = match results(&seen.body) {
                text if text.contains("중앙값") => {
                    json!([{ "edit": "skip", "team": "document", "with": null, "reason": "시세가 있어 초안은 필요 없습니다." }])
                }
                _ => json!([]),
            };
            json!({ "quality": 0.9, "gaps": [], "next": "continue", "keywords": [], "extra_tools": [], "orchestration": go_on, "plan": plan })
        } else {
            return Says::text(agreeable(&body, INTENT));
        };
        Says::text(said.to_string())
    });
}

/// The results that a prompt shows, without its examples.
fn results(body: &Value) -> String {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let last = messages.last().and_then(|message| message["content"].as_str()).unwrap_or_default().to_owned();
    let shown = last.split("# 결과").nth(1).unwrap_or_default();
    shown.split("# ").next().unwrap_or_default().to_owned()
}

async fn asked(strategy: &'static str, waits: &'static [u32], place: &str) -> (Arc<Advice>, Fake) {
    let fake = Fake::start().await.unwrap();
    planning(&fake, strategy, waits);
    let advisor =
        advisor_on(Arc::new(MemoryStore::new()), Toolbox::new(&sources()), decider(&fake, "openai:m"));
    let question = format!("{place} 아파트 시세하고 전세 계약서 관련 법도 같이 알려줘");
    (answer(&advisor, "kim", asks(&question)).await, fake)
}

/// A model sees what is in the results, changes an adaptive plan by it, and only an adaptive one.
#[tokio::test]
async fn a_model_changes_the_steps_that_are_left_by_what_is_in_the_results() {
    let (end, fake) = asked("adaptive", &[2], "마포구").await;
    let change = &end.plan_changes[0];
    assert_eq!((change.team, change.change, change.by_model), (Team::Document, Change::Skipped, true));
    assert_eq!(change.reason, "시세가 있어 초안은 필요 없습니다.");
    assert!(!end.completed_teams.contains(&Team::Document), "{:?}", end.completed_teams);
    let shown: Vec<String> = fake
        .seen()
        .iter()
        .filter(|seen| {
            let body = seen.body.to_string();
            body.contains("쓸모 있는지") || body.contains("마지막으로 살핍니다")
        })
        .map(|seen| results(&seen.body))
        .collect();
    assert!(shown.len() >= 2 && shown.iter().all(|shown| shown.contains("중앙값")), "{shown:?}");

    let (end, _) = asked("sequential", &[2], "마포구").await;
    assert!(end.completed_teams.contains(&Team::Document), "{:?}", end.completed_teams);
    assert!(end.plan_changes.iter().all(|change| change.change != Change::Skipped), "{:?}", end.plan_changes);
}

/// What the parts of a question wait for is waited for, whatever the strategy.
#[tokio::test]
async fn a_step_begins_after_those_it_depends_on() {
    for waits in [&[2][..], &[]] {
        let (end, _) = asked("parallel", waits, "부산 해운대구").await;
        let begun = |team: Team| end.completed_teams.iter().position(|one| *one == team).unwrap();
        assert!(begun(Team::Search) < begun(Team::Analysis), "{:?}", end.completed_teams);
        // What waits for nothing begins beside the search; what waits for the analysis comes after it.
        assert_eq!(
            begun(Team::Document) > begun(Team::Analysis),
            !waits.is_empty(),
            "{:?}",
            end.completed_teams
        );
        let document = end.steps.iter().find(|step| step.team == Team::Document).unwrap();
        assert_eq!((document.depends_on.is_empty(), document.status), (waits.is_empty(), Status::Completed));
    }
}
