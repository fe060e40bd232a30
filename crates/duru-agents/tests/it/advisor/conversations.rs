//! Whole conversations through gate 1: every search that it asks for is made,
//! finds eight items, and is remembered. The facts of the answers are measured
//! where there are answers.

use duru_agents::advisor::sufficiency::{
    Found, Judgement, Search, Talk, Tier, Verdict, asked_regions, judge,
};
use duru_agents::advisor::understand::{Context, DataKind, Intent, Question, Terms, understand};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

#[derive(Deserialize)]
struct Conversation {
    id: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    ask: String,
    after_minutes: i64,
    gate: Option<Verdict>,
    searches: Vec<DataKind>,
    facts: Vec<String>,
}

#[derive(Debug, Default)]
struct Tally {
    turns: usize,
    gate_right: usize,
    searches_right: usize,
    wrong_reuse: usize,
    /// Follow-ups for which no new search is needed, and those that made none.
    eligible: usize,
    skipped: usize,
}

fn talk(conversation: &Conversation, tally: &mut Tally) {
    let mut now: Timestamp = "2026-05-13T10:00:00+09:00".parse().unwrap();
    let (mut searches, mut spoken): (Vec<Search>, Vec<_>) = (Vec::new(), Vec::new());
    for turn in &conversation.turns {
        now += SignedDuration::from_mins(turn.after_minutes);
        assert!(!turn.facts.is_empty(), "{}: every answer has a fact", conversation.id);
        let context = searches.first().map_or_else(Context::default, |latest| Context {
            kinds: latest.kinds(),
            regions: latest.regions.clone(),
            drafting: false,
        });
        let question = understand(&turn.ask, &context);
        let judged = judge(&question, &searches, &Talk { regions: spoken.clone(), ..Talk::default() }, now);
        let answered = !matches!(question.intent, Intent::Unclear | Intent::Irrelevant);
        let verdict = answered.then_some(judged.verdict);
        tally.turns += 1;
        tally.gate_right += usize::from(verdict == turn.gate);
        let mut missing = judged.missing.clone();
        missing.sort_unstable();
        let mut wanted = turn.searches.clone();
        wanted.sort_unstable();
        tally.searches_right += usize::from(missing == wanted);
        tally.wrong_reuse += usize::from(!wanted.is_empty() && verdict == Some(Verdict::Reuse));
        if turn.gate.is_some() && wanted.is_empty() && !question.required.is_empty() {
            tally.eligible += 1;
            tally.skipped += usize::from(missing.is_empty());
        }
        if verdict != turn.gate || missing != wanted {
            eprintln!(
                "{} {}: {verdict:?} {missing:?}, not {:?} {wanted:?}",
                conversation.id, turn.ask, turn.gate
            );
        }
        spoken.extend(question.regions());
        if let Some(search) = made(&question, &judged, &searches, now) {
            searches.insert(0, search);
        }
    }
}

/// The search that the judgement asks for, as if it found enough.
fn made(question: &Question, judged: &Judgement, searches: &[Search], now: Timestamp) -> Option<Search> {
    let mut kinds = judged.missing.clone();
    if question.brings_contract {
        kinds.push(DataKind::Contract);
    }
    if kinds.is_empty() {
        return None;
    }
    let stated = Terms::read(&question.text);
    let inherited = searches.first().map(|latest| latest.terms.clone()).unwrap_or_default();
    let found = kinds
        .into_iter()
        .map(|kind| Found { kind, count: 8, at: Some(now), source: "test".to_owned(), items: vec![] })
        .collect();
    Some(Search {
        query: question.text.clone(),
        regions: asked_regions(question, searches),
        terms: stated.clone().or(&inherited),
        stated,
        tier: Tier::Conversation,
        found,
    })
}

#[test]
fn conversations_search_only_for_what_is_missing() {
    let mut tally = Tally::default();
    let mut conversations = 0;
    for line in include_str!("conversations.jsonl").lines() {
        talk(&serde_json::from_str(line).unwrap(), &mut tally);
        conversations += 1;
    }
    eprintln!("{conversations} conversations: {tally:?}");
    assert!(conversations >= 30);
    assert_eq!(tally.wrong_reuse, 0);
    assert!(tally.gate_right * 100 >= tally.turns * 90, "{tally:?}");
    assert!(tally.skipped * 100 >= tally.eligible * 70, "{tally:?}");
}
