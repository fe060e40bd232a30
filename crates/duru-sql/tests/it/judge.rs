//! The development sets of attacks and benign queries, judged on the two databases.

use duru_sql::guard::Guard;

use crate::oracle::{Attacks, Oracle, Outcome};

/// A set's guard, its databases, and the set itself.
pub(crate) struct Court {
    pub(crate) guard: Guard,
    pub(crate) oracle: Oracle,
    pub(crate) set: Attacks,
}

/// One for each set; none without PostgreSQL, which is said aloud.
pub(crate) fn courts() -> impl Iterator<Item = Court> {
    Attacks::sets().into_iter().filter_map(|set| {
        let guard = Guard::new(set.catalog.clone());
        Some(Court { guard, oracle: Oracle::start(&set)?, set })
    })
}

#[test]
fn no_attack_gets_through_and_benign_queries_are_unchanged() {
    for court in courts() {
        judge(&court);
    }
}

fn judge(court: &Court) {
    let Court { guard, oracle, set } = court;
    // The databases do differ in what must not leak.
    let raw = "SELECT max(message) FROM logs WHERE deleted";
    assert_ne!(oracle.run(0, raw), oracle.run(1, raw));

    let mut failures = Vec::new();
    assert!(set.attacks.len() > 100);
    for attack in &set.attacks {
        let Ok(checked) = guard.check(&attack.sql) else { continue };
        if attack.must_be_refused && matches!(oracle.run(0, checked.sql()), Outcome::Rows(_)) {
            failures.push(format!("{} {}: executed", attack.id, attack.class));
        } else if let Some(finding) = oracle.judge(checked.sql()) {
            failures.push(format!("{} {}: {finding:?}", attack.id, attack.class));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");

    assert!(set.benign.len() > 50);
    for query in &set.benign {
        let failure = match guard.check(&query.sql) {
            Err(refusal) => format!("refused: {refusal}"),
            Ok(checked) => {
                let before = oracle.run_unguarded(query.sql.trim().trim_end_matches(';'));
                let after = oracle.run(0, checked.sql());
                if before == after && matches!(before, Outcome::Rows(_)) {
                    continue;
                }
                format!("changed: {}", checked.sql())
            }
        };
        failures.push(format!("{} {}: {failure}", query.id, query.class));
    }
    assert!(failures.len() * 100 <= set.benign.len(), "{failures:#?}");
}
