//! Every single fault of every tool: there is always an answer, and most of
//! them still say what they should.

use std::collections::BTreeMap;

use duru_agents::advisor::tools::{Fault, Registry};
use duru_llm::decision::Decider;

use super::scripted::{Broken, Manner, Scripted};
use super::world::{Conversation, Trial, World, conversations, questions_of, talk};

const TOOLS: [&str; 12] = [
    "legal_search",
    "law_digest",
    "market_data",
    "real_estate_search",
    "loan_data",
    "infrastructure",
    "contract_analysis",
    "market_analysis",
    "loan_simulator",
    "roi_calculator",
    "cost_calculator",
    "lease_draft",
];

/// For every tool the first conversation in which it has something to do, and
/// which of its answers say all they should where nothing fails.
async fn uses(world: &World) -> BTreeMap<&'static str, (Conversation, Vec<bool>)> {
    let mut found = BTreeMap::new();
    for mut conversation in conversations() {
        let (mut used, mut whole) = (Vec::new(), Vec::new());
        talk(world, Trial::gates_on(), Decider::by_rules(), &conversation, |turn, seen| {
            let seen = seen.unwrap();
            whole.push(turn.lacking(seen.answer()).is_empty());
            used.push(seen.calls.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        })
        .await;
        let in_turn = |tool: &str| used.iter().rposition(|names| names.iter().any(|name| name == tool));
        let new = TOOLS.iter().find(|tool| !found.contains_key(**tool) && in_turn(tool).is_some());
        if let Some(tool) = new {
            // What follows its last use says nothing of it.
            let turns = in_turn(tool).map_or(0, |last| last + 1);
            conversation.turns.truncate(turns);
            whole.truncate(turns);
            found.insert(*tool, (conversation, whole));
        }
        // The digest is nobody's first choice.
        if TOOLS.iter().all(|tool| *tool == "law_digest" || found.contains_key(*tool)) {
            break;
        }
    }
    found
}

#[tokio::test(start_paused = true)]
async fn a_single_fault_never_costs_the_answer() {
    let world = World::new().await;
    let registry = Registry::built_in();
    let mut all = world.tools();
    all.sort_unstable();
    let mut known = TOOLS.map(str::to_owned);
    known.sort_unstable();
    assert_eq!(all, known, "every tool that there is");
    let uses = uses(&world).await;
    let (mut turns, mut answered, mut useful, mut expected) = (0, 0, 0, 0);
    println!("{:<20} {:<26} talk  answered  useful", "tool", "fault");
    for tool in TOOLS {
        assert!(registry.tool(tool).is_some(), "{tool}");
        // The digest stands in for the index, so that has failed before it.
        let first = (tool == "law_digest").then_some(("legal_search", Fault::Exception, usize::MAX));
        let used = uses.get(tool).or_else(|| uses.get("legal_search").filter(|_| first.is_some()));
        let Some((conversation, whole)) = used else { panic!("no conversation uses {tool}") };
        for (fault, times) in Fault::ALL.into_iter().flat_map(|fault| [(fault, 1), (fault, usize::MAX)]) {
            let trial = Trial { faults: [first, Some((tool, fault, times))], ..Trial::gates_on() };
            let (mut said, mut complete, mut nth, mut met) = (0, 0, 0, false);
            talk(&world, trial, Decider::by_rules(), conversation, |turn, seen| {
                let answer = seen.as_ref().map(|seen| seen.answer()).unwrap_or_default();
                said += usize::from(!answer.trim().is_empty());
                complete += usize::from(whole[nth] && turn.lacking(answer).is_empty());
                met |= seen.iter().flat_map(|seen| &seen.calls).any(|(name, _)| name == tool);
                nth += 1;
            })
            .await;
            assert!(met, "{tool} was never called, so its fault is nobody's");
            let all = whole.iter().filter(|whole| **whole).count();
            let often = if times == 1 { "once" } else { "always" };
            let fault = format!("{fault:?} {often}");
            println!("{tool:<20} {fault:<26} {:<5} {said}/{nth}       {complete}/{all}", conversation.id);
            turns += nth;
            answered += said;
            // Two faults at once must be answered, too, but count for no single one.
            if first.is_none() {
                useful += complete;
                expected += all;
            }
        }
    }
    println!(
        "{answered} of {turns} answered; of {expected} that say all without a fault, {useful} do with one"
    );
    assert_eq!(answered, turns);
    assert!(useful * 100 >= expected * 70, "{useful} of {expected}");
}

/// A model that fails at one decision, in every way that models fail: the rules decide that one.
#[tokio::test]
async fn a_model_that_fails_at_one_decision_costs_nothing_that_was_asked() {
    let world = World::new().await;
    let questions = [
        ("마포구 아파트 시세 알려주고 그걸로 대출 한도 계산해줘. 연봉은 7천만원이야", "한도"),
        ("방금 찾은 시세 평균이 얼마였지?", "마포구"),
        (
            "계약서 검토해줘. 제1조 임차인은 계약갱신요구권을 행사하지 않기로 한다. 제2조 보증금은 2억원으로 한다.",
            "제6조의3",
        ),
    ];
    let decisions = [
        "intent",
        "sufficiency",
        "team_selection",
        "decomposition",
        "strategy",
        "tool_orchestration",
        "result_analysis",
        "market_insights",
        "contract_analysis",
        "execution_review",
        "response_synthesis",
    ];
    let conversation = questions_of(&questions.map(|(question, _)| question));
    for decision in decisions {
        for how in [Broken::Unreachable, Broken::Garbled] {
            let model = Scripted::new(Manner::Sensible).failing(decision, how);
            let (mut nth, mut asked) = (0, Vec::new());
            talk(&world, Trial::gates_on(), model.decider(), &conversation, |turn, seen| {
                let answer = seen.as_ref().map(|seen| seen.answer()).unwrap_or_default();
                assert!(answer.contains(questions[nth].1), "{decision} {how:?} {}: {answer}", turn.ask);
                asked.extend(model.asked());
                nth += 1;
            })
            .await;
            assert!(asked.iter().any(|one| one == decision), "{decision} was never asked for: {asked:?}");
        }
    }
}
