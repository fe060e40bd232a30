//! Which decisions a question asks of a model: one at each boundary, none where there is nothing to decide.

use super::reuse::most_calls;
use super::scripted::{Manner, Scripted};
use super::world::{Trial, World, conversations, questions_of, talk};

/// The decisions that each question asks a sensible model for.
async fn decisions(world: &World, questions: &[&str]) -> Vec<Vec<String>> {
    let model = Scripted::new(Manner::Sensible);
    let mut all = Vec::new();
    talk(world, Trial::gates_on(), model.decider(), &questions_of(questions), |_, seen| {
        assert!(seen.is_some());
        all.push(model.asked());
    })
    .await;
    all
}

const SIMPLE: [&str; 4] = ["intent", "tool_orchestration", "result_analysis", "response_synthesis"];

#[tokio::test]
async fn a_plain_question_asks_once_at_each_boundary() {
    let world = World::new().await;
    // Without a conversation before it there is no gate; a single step is selected, ordered and reviewed by the rules.
    for question in ["강남구 아파트 시세 알려줘", "전세금 인상 가능한가요?", "전세대출 금리 알려줘"]
    {
        assert_eq!(decisions(&world, &[question]).await, [SIMPLE], "{question}");
    }
    // With one, gate 1 is asked.
    let both = decisions(&world, &["강남구 아파트 시세 알려줘", "서초구는?"]).await;
    assert_eq!(
        both[1],
        ["intent", "sufficiency", "tool_orchestration", "result_analysis", "response_synthesis"]
    );
}

#[tokio::test]
async fn a_compound_question_asks_before_the_first_team_after_each_and_at_the_end() {
    let world = World::new().await;
    let question = "마포구 아파트 시세 알려주고 그걸로 대출 한도 계산해줘. 연봉은 7천만원이야";
    let asked = decisions(&world, &[question]).await.remove(0);
    assert_eq!(
        asked,
        [
            "intent",
            "team_selection",
            "decomposition",
            // Whether the plan goes on, and what for if it does, are asked side by side.
            "strategy",
            "tool_orchestration",
            "result_analysis",
            "tool_orchestration",
            "market_insights",
            "result_analysis",
            "execution_review",
            "response_synthesis"
        ]
    );
}

#[tokio::test]
async fn a_question_from_data_that_are_there_asks_what_it_means_whether_they_do_and_what_to_say() {
    let world = World::new().await;
    let asked =
        decisions(&world, &["강남구 아파트 시세 알려줘", "방금 검색한 시세로 투자 수익률 계산해줘"]).await;
    assert_eq!(asked[1], ["intent", "sufficiency", "response_synthesis"]);
}

/// Whatever a model says, it is not asked more often than a question of its kind may.
#[tokio::test]
async fn a_model_that_wants_more_or_answers_badly_is_held_within_the_bounds() {
    let world = World::new().await;
    for manner in [Manner::Greedy, Manner::Garbled] {
        let model = Scripted::new(manner);
        for id in ["M01", "L01", "P01", "P02", "N04"] {
            let conversation = conversations().into_iter().find(|talk| talk.id == id).unwrap();
            talk(&world, Trial::gates_on(), model.decider(), &conversation, |turn, seen| {
                let (seen, asked) = (seen.unwrap(), model.asked());
                assert!(!seen.answer().is_empty(), "{}", turn.ask);
                assert!(asked.len() <= most_calls(&seen.end), "{manner:?} {id} {}: {asked:?}", turn.ask);
                assert_eq!(seen.end.count_of("model_calls"), asked.len() as u64, "{manner:?} {}", turn.ask);
            })
            .await;
        }
    }
}
