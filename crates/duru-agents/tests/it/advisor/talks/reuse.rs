//! Gates on against gates off, with a model that would always reuse: searches skipped, calls of tools and of the model
//! saved, nothing reused that should not be, and every answer with its facts.

use duru_agents::advisor::tools::Team;
use duru_agents::advisor::understand::DataKind;
use duru_agents::advisor::{Advice, Variant};

use super::scripted::{Manner, Scripted};
use super::world::{Reuse, Seen, Trial, Turn, World, conversations, talk};

#[derive(Debug, Default)]
struct Tally {
    turns: usize,
    answered: usize,
    /// Turns whose data are all there already, and those that searched for nothing.
    eligible: usize,
    skipped: usize,
    wrong_reuse: usize,
    /// A search that had to be made and was not.
    unsearched: usize,
    facts: usize,
    facts_said: usize,
    whole: usize,
    tool_calls: usize,
    search_calls: usize,
    model_calls: usize,
    /// Of the turns whose data are all there already.
    eligible_calls: usize,
    eligible_model_calls: usize,
    /// Turns that asked a model more often than their kind may.
    over: usize,
    repeated: usize,
    asked: usize,
}

impl Tally {
    fn take(&mut self, id: &str, turn: &Turn, seen: Option<&Seen>, asked: &[String]) {
        self.turns += 1;
        let Some(seen) = seen else { return };
        self.model_calls += asked.len();
        self.eligible_model_calls += if turn.reuse == Reuse::Right { asked.len() } else { 0 };
        if asked.len() > most_calls(&seen.end) {
            self.over += 1;
            eprintln!("{id} asked {} times: {} {asked:?}", asked.len(), turn.ask);
        }
        self.answered += usize::from(!seen.answer().is_empty());
        self.asked += usize::from(seen.asked);
        let searched = seen.searched();
        let missed: Vec<DataKind> =
            turn.searches.iter().filter(|kind| !searched.contains(kind)).copied().collect();
        match turn.reuse {
            Reuse::Right => {
                self.eligible += 1;
                self.skipped += usize::from(searched.is_empty());
                if !searched.is_empty() {
                    eprintln!("{id} searched for nothing new {searched:?}: {}", turn.ask);
                }
            }
            Reuse::Wrong | Reuse::Part if !missed.is_empty() => {
                let reused = seen.end.data_reused || seen.end.using_cached_data;
                self.wrong_reuse += usize::from(reused && !seen.asked);
                self.unsearched += 1;
                eprintln!("{id} did not search {missed:?} (reused: {reused}): {}", turn.ask);
            }
            Reuse::First if !missed.is_empty() => {
                self.unsearched += 1;
                eprintln!("{id} did not search {missed:?}: {}", turn.ask);
            }
            Reuse::Ask if searched.is_empty() && !seen.asked => {
                self.wrong_reuse += 1;
                eprintln!("{id} reused without asking: {}", turn.ask);
            }
            Reuse::None if !searched.is_empty() => eprintln!("{id} needed no {searched:?}: {}", turn.ask),
            _ => {}
        }
        let lacking = turn.lacking(seen.answer());
        self.facts += turn.facts();
        self.facts_said += turn.facts() - lacking.len();
        self.whole += usize::from(lacking.is_empty());
        if !lacking.is_empty() {
            eprintln!("{id} lacks {lacking:?}: {}", turn.ask);
            if std::env::var_os("DURU_SHOW").is_some() {
                eprintln!("----\n{}\n----", seen.answer());
            }
        }
        self.tool_calls += seen.calls.len();
        let searches = seen
            .calls
            .iter()
            .filter(|(tool, _)| {
                [
                    "legal_search",
                    "law_digest",
                    "market_data",
                    "real_estate_search",
                    "loan_data",
                    "infrastructure",
                ]
                .contains(&tool.as_str())
            })
            .count();
        self.search_calls += searches;
        self.eligible_calls += if turn.reuse == Reuse::Right { searches } else { 0 };
        for (tool, parameters) in seen.repeated() {
            self.repeated += 1;
            eprintln!("{id} ran {tool} twice: {} {}", turn.ask, serde_json::to_string(parameters).unwrap());
        }
    }
}

async fn tally(world: &World, variant: Variant) -> Tally {
    let model = Scripted::new(Manner::Sensible);
    let mut tally = Tally::default();
    for conversation in conversations() {
        let trial = Trial { variant, ..Trial::gates_on() };
        talk(world, trial, model.decider(), &conversation, |turn, seen| {
            tally.take(&conversation.id, turn, seen.as_ref(), &model.asked());
        })
        .await;
    }
    tally
}

/// A complex question may ask a model 15 times, a simple one 6 times, one that searches nothing 5 times.
pub(super) fn most_calls(end: &Advice) -> usize {
    let searches = end.steps.iter().any(|step| step.team == Team::Search);
    match (searches, end.planning.single) {
        (false, _) => 5,
        (true, true) => 6,
        (true, false) => 15,
    }
}

fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

#[tokio::test]
async fn conversations_with_the_gates_on_and_off() {
    let world = World::new().await;
    let on = tally(&world, Variant::B).await;
    eprintln!("=== gates off ===");
    let off = tally(&world, Variant::Off).await;
    println!("{} conversations, {} turns", conversations().len(), on.turns);
    println!("                     gates on   gates off");
    for (name, a, b) in [
        ("answers", on.answered, off.answered),
        ("turns with all facts", on.whole, off.whole),
        ("facts said", on.facts_said, off.facts_said),
        ("tool calls", on.tool_calls, off.tool_calls),
        ("search calls", on.search_calls, off.search_calls),
        ("of eligible turns", on.eligible_calls, off.eligible_calls),
        ("model calls", on.model_calls, off.model_calls),
        ("of eligible turns", on.eligible_model_calls, off.eligible_model_calls),
        ("repeated tool runs", on.repeated, off.repeated),
        ("eligible, skipped", on.skipped, off.skipped),
        ("wrong reuse", on.wrong_reuse, off.wrong_reuse),
        ("searches missed", on.unsearched, off.unsearched),
        ("person asked", on.asked, off.asked),
    ] {
        println!("{name:<20} {a:>9} {b:>11}");
    }
    println!("eligible {}: {:.0} % skipped", on.eligible, percent(on.skipped, on.eligible));
    let fewer = |on, off| 100.0 - percent(on, off);
    println!(
        "fewer searches: {:.0} % of eligible turns, {:.0} % of all; fewer model calls: {:.0} %, {:.0} %",
        fewer(on.eligible_calls, off.eligible_calls),
        fewer(on.search_calls, off.search_calls),
        fewer(on.eligible_model_calls, off.eligible_model_calls),
        fewer(on.model_calls, off.model_calls)
    );
    println!("facts {}: {:.1} % said", on.facts, percent(on.facts_said, on.facts));
    assert_eq!(on.answered, on.turns, "every question has an answer");
    assert_eq!(on.wrong_reuse, 0, "{on:?}");
    assert!(percent(on.skipped, on.eligible) >= 60.0, "{on:?}");
    assert!(on.eligible_calls * 100 <= off.eligible_calls * 40, "60 % fewer searches: {on:?} {off:?}");
    assert!(fewer(on.eligible_model_calls, off.eligible_model_calls) >= 40.0, "{on:?} {off:?}");
    assert_eq!((on.over, off.over), (0, 0), "every question within its bound");
    assert_eq!((on.repeated, off.repeated), (0, 0), "no tool runs twice with the same parameters");
    assert!(percent(on.facts_said, on.facts) >= 95.0, "{on:?}");
}
