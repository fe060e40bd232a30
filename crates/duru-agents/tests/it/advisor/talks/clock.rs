//! What a question costs, by a paused clock: the registry's seconds for every
//! tool and 1.5 s for every call of a model.

use std::time::Duration;

use duru_agents::advisor::Variant;
use tokio::time::Instant;

use super::scripted::{Manner, Scripted};
use super::world::{Conversation, Trial, World, conversations, talk};

const CALL: Duration = Duration::from_millis(1_500);

struct Cost {
    seconds: f64,
    calls: usize,
}

/// What each turn of a conversation takes.
async fn costs(world: &World, conversation: &Conversation, variant: Variant) -> Vec<Cost> {
    costs_of(world, conversation, Trial { variant, ..Trial::gates_on() }).await
}

async fn costs_of(world: &World, conversation: &Conversation, trial: Trial) -> Vec<Cost> {
    let model = Scripted::new(Manner::Sensible).taking(CALL);
    let trial = Trial { slow: true, ..trial };
    let mut from = Instant::now();
    let mut costs = Vec::new();
    talk(world, trial, model.decider(), conversation, |_, seen| {
        assert!(seen.is_some());
        let now = Instant::now();
        costs.push(Cost { seconds: (now - from).as_secs_f64(), calls: model.asked().len() });
        from = now;
    })
    .await;
    costs
}

fn find(id: &str) -> Conversation {
    conversations().into_iter().find(|conversation| conversation.id == id).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_reuse_is_quicker() {
    let world = World::new().await;
    println!("{:<6} {:<5} {:>9} {:>9} {:>7} {:>7}", "talk", "turn", "on, s", "off, s", "calls", "calls");
    let mut best: f64 = 0.0;
    for id in ["M01", "L01", "P01", "P02", "N01", "O05"] {
        let conversation = find(id);
        let on = costs(&world, &conversation, Variant::B).await;
        let off = costs(&world, &conversation, Variant::Off).await;
        for (turn, (on, off)) in on.iter().zip(&off).enumerate() {
            println!(
                "{id:<6} {turn:<5} {:>9.1} {:>9.1} {:>7} {:>7}",
                on.seconds, off.seconds, on.calls, off.calls
            );
            best = best.max(1.0 - on.seconds / off.seconds);
        }
    }
    println!("best case: {:.0} % shorter", best * 100.0);
    assert!(best >= 0.60, "{best}");
}

/// What the decisions around the execution cost on compound questions: the plan is followed either way, and with them
/// it can be changed on the way.
#[tokio::test(start_paused = true)]
async fn what_deciding_around_the_execution_costs() {
    let world = World::new().await;
    let (mut with, mut without) = (0.0, 0.0);
    println!("{:<6} {:>12} {:>12}", "talk", "enhanced, s", "plain, s");
    for id in ["P01", "P02", "P04", "N04"] {
        let conversation = find(id);
        let seconds = async |enhanced: bool| {
            let trial = Trial { enhanced, ..Trial::gates_on() };
            costs_of(&world, &conversation, trial).await.iter().map(|cost| cost.seconds).sum::<f64>()
        };
        let (on, off) = (seconds(true).await, seconds(false).await);
        println!("{id:<6} {on:>12.1} {off:>12.1}");
        with += on;
        without += off;
    }
    println!("{:.0} % slower", (with / without - 1.0) * 100.0);
    assert!(with <= without * 1.15, "{with} against {without}");
}
