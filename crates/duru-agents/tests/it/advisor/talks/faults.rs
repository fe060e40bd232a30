//! Every single fault of every tool: there is always an answer, and most of
//! them still say what they should.

use std::collections::BTreeMap;

use duru_agents::advisor::tools::{Fault, Registry};
use duru_llm::decision::Decider;

use super::world::{Conversation, Trial, World, conversations, talk};

const TOOLS: [&str; 11] = [
    "legal_search",
    "law_digest",
    "market_data",
    "real_estate_search",
    "loan_data",
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
    for conversation in conversations() {
        let (mut used, mut whole) = (Vec::new(), Vec::new());
        talk(world, Trial::gates_on(), Decider::by_rules(), &conversation, |turn, seen| {
            let seen = seen.unwrap();
            whole.push(turn.lacking(seen.answer()).is_empty());
            used.extend(seen.calls.into_iter().map(|(name, _)| name));
        })
        .await;
        let new =
            TOOLS.iter().find(|tool| !found.contains_key(**tool) && used.iter().any(|name| name == *tool));
        if let Some(tool) = new {
            found.insert(*tool, (conversation, whole));
        }
        if found.len() == TOOLS.len() {
            break;
        }
    }
    found
}

#[tokio::test(start_paused = true)]
async fn a_single_fault_never_costs_the_answer() {
    let world = World::new().await;
    let registry = Registry::built_in();
    let uses = uses(&world).await;
    let (mut turns, mut answered, mut useful, mut expected) = (0, 0, 0, 0);
    println!("{:<20} {:<26} talk  answered  useful", "tool", "fault");
    for tool in TOOLS {
        assert!(registry.tool(tool).is_some(), "{tool}");
        // The digest only ever stands in for the index: its faults alone are seen by nobody.
        let used = uses.get(tool).or_else(|| uses.get("legal_search").filter(|_| tool == "law_digest"));
        let Some((conversation, whole)) = used else { panic!("no conversation uses {tool}") };
        for (fault, times) in Fault::ALL.into_iter().flat_map(|fault| [(fault, 1), (fault, usize::MAX)]) {
            let trial = Trial { fault: Some((tool, fault, times)), ..Trial::gates_on() };
            let (mut said, mut complete, mut nth) = (0, 0, 0);
            talk(&world, trial, Decider::by_rules(), conversation, |turn, seen| {
                let answer = seen.as_ref().map(|seen| seen.answer()).unwrap_or_default();
                said += usize::from(!answer.trim().is_empty());
                complete += usize::from(whole[nth] && turn.lacking(answer).is_empty());
                nth += 1;
            })
            .await;
            let all = whole.iter().filter(|whole| **whole).count();
            let often = if times == 1 { "once" } else { "always" };
            let fault = format!("{fault:?} {often}");
            println!("{tool:<20} {fault:<26} {:<5} {said}/{nth}       {complete}/{all}", conversation.id);
            turns += nth;
            answered += said;
            useful += complete;
            expected += all;
        }
    }
    println!(
        "{answered} of {turns} answered; of {expected} that say all without a fault, {useful} do with one"
    );
    assert_eq!(answered, turns);
    assert!(useful * 100 >= expected * 70, "{useful} of {expected}");
}
