//! The bars of reuse decisions, on our own cases and on the shared ones.

use std::path::{Path, PathBuf};

use duru_agents::advisor::evaluation::{Case, Score, decide};

/// The score of a file of cases, and a line for every wrong decision.
fn measure(cases: &str) -> (Score, Vec<String>) {
    let (mut score, mut wrong) = (Score::default(), Vec::new());
    for line in cases.lines().filter(|line| !line.is_empty()) {
        let case: Case = serde_json::from_str(line).expect("a case");
        let expected = case.expected.as_ref().expect("a label");
        let decided = decide(&case).expect("a decision");
        let before = score.decision.hits;
        score.add(expected, &decided);
        if score.decision.hits == before {
            wrong.push(format!(
                "{} {}: {:?}, not {:?}",
                case.id, case.query, decided.decision, expected.decision
            ));
        }
    }
    (score, wrong)
}

fn check_bars(name: &str, cases: &str) {
    let (score, wrong) = measure(cases);
    eprintln!("{name}: {score:?}\n{}", wrong.join("\n"));
    assert!(score.decision.of > 0);
    assert!(score.decision.value() >= 0.90, "decision");
    assert_eq!(score.unsafe_reuse.hits, 0, "unsafe reuse");
    assert!(score.lost_reuse.value() <= 0.10, "lost reuse");
    assert!(score.intent.value() >= 0.90, "intent");
    assert!(score.regions.value() >= 0.95, "regions");
    assert!(score.types.value() >= 0.95, "types");
}

#[test]
fn our_own_cases_meet_the_bars() {
    check_bars("own", include_str!("own_cases.jsonl"));
    check_bars("second", include_str!("second_cases.jsonl"));
    check_bars("third", include_str!("third_cases.jsonl"));
    check_bars("fourth", include_str!("fourth_cases.jsonl"));
}

#[test]
fn the_shared_cases_meet_the_bars() {
    let shared = std::env::var_os("DURU_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let file = shared.join("eval/sufficiency/dev.jsonl");
    match std::fs::read_to_string(&file) {
        Ok(cases) => check_bars("shared", &cases),
        Err(error) => eprintln!("*** skipped: {} can't be read: {error}", file.display()),
    }
}

#[test]
fn a_case_that_makes_no_sense_is_an_error_and_no_panic() {
    let case = |text: &str| serde_json::from_str::<Case>(text).expect("JSON of a case");
    let bad_time = case(r#"{"id":"x","query":"시세","previous_search":null,"now":"yesterday"}"#);
    assert!(decide(&bad_time).is_err());
    let bad_kind = case(
        r#"{"id":"x","query":"시세","previous_search":{"region":null,"results":{"gossip":{"count":3}}},"now":"2026-01-01T00:00:00Z"}"#,
    );
    assert!(decide(&bad_kind).is_err());
}

/// What the rules made of cases that nobody had tuned them to.
#[test]
fn fresh_cases() {
    let (score, wrong) = measure(include_str!("fifth_cases.jsonl"));
    eprintln!("fifth: {score:?}\n{}", wrong.join("\n"));
    assert_eq!(score.unsafe_reuse.hits, 0, "unsafe reuse");
}
