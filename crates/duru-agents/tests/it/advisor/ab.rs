//! The log of decisions about reuse, on a store.

use std::sync::Arc;

use duru::memory::Memory;
use duru_agents::advisor::ab::{Decision, Evidence, Made, Outcome, Place, Tracker, Variant};
use duru_agents::advisor::sufficiency::Verdict;
use duru_store::SqliteStore;

fn decision(verdict: Verdict, made: Option<Made>) -> Decision {
    Decision {
        timestamp: "2026-05-13T10:00:00Z".parse().unwrap(),
        variant: Variant::B,
        query: "방금 시세로 수익률".to_owned(),
        supervisor_decision: verdict,
        execute_node_decision: made,
        // A decider that praises itself is not heard.
        actual_result: Outcome::CorrectSkip,
        execution_time: 1.5,
    }
}

#[tokio::test]
async fn an_outcome_is_unknown_until_there_is_evidence_and_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ab.db");
    let open = || Tracker::new(Memory::new(Arc::new(SqliteStore::open(&file).unwrap())));
    let (first, second) = (Place { user: "kim", thread: "a.b", turn: 0 }, Place { user: "kim", thread: "a.b", turn: 1 });
    let tracker = open();
    tracker.log(first, decision(Verdict::Reuse, None)).await.unwrap();
    tracker.log(second, decision(Verdict::Search, Some(Made::Search))).await.unwrap();
    let report = tracker.report().await.unwrap();
    assert_eq!((report.total.total_requests, report.total.unknown(), report.total.accuracy), (2, 2, None));

    assert!(tracker.learn(first, Evidence::AskedAgain).await.unwrap());
    // After a search it is no evidence, and of nothing neither.
    assert!(!tracker.learn(second, Evidence::AskedAgain).await.unwrap());
    assert!(!tracker.learn(Place { user: "kim", thread: "x", turn: 0 }, Evidence::AskedAgain).await.unwrap());
    // A sample does not overrule the person; a node that is tried again does not forget.
    assert!(tracker.learn(first, Evidence::Shadow { same: true }).await.unwrap());
    tracker.log(first, decision(Verdict::Reuse, None)).await.unwrap();
    drop(tracker);

    let tracker = open();
    assert_eq!(tracker.get(first).await.unwrap().unwrap().actual_result, Outcome::IncorrectSkip);
    let report = tracker.report().await.unwrap();
    let b = &report.variants[&Variant::B];
    assert_eq!((b.incorrect_skips, b.accuracy, b.skip_rate, b.avg_execution_time), (1, Some(0.0), 0.5, 1.5));
    assert_eq!(tracker.forget("lee", None).await.unwrap(), 0);
    assert_eq!(tracker.forget("kim", Some("2026-05-13T11:00:00Z".parse().unwrap())).await.unwrap(), 0);
    assert_eq!(tracker.forget("kim", None).await.unwrap(), 2);
    assert_eq!(tracker.report().await.unwrap().total.total_requests, 0);
}
