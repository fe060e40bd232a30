//! The development sets of attacks and benign queries, judged on the two databases.

use duru_sql::Catalog;
use duru_sql::guard::Guard;

use crate::oracle::{Oracle, Outcome, evaluation, items};

/// The sets' guard, the databases, and the folder of the sets.
pub(crate) fn court() -> Option<(Guard, Oracle, std::path::PathBuf)> {
    let Some(folder) = evaluation() else {
        eprintln!("\n*** skipped: the evaluation sets are not here (DURU_SHARED) ***\n");
        return None;
    };
    let schema = std::fs::read_to_string(folder.join("schema.json")).unwrap();
    let guard = Guard::new(Catalog::read_json(&schema).unwrap());
    let oracle = Oracle::start(&folder)?;
    Some((guard, oracle, folder))
}

#[test]
fn no_attack_gets_through_and_benign_queries_are_unchanged() {
    let Some((guard, oracle, folder)) = court() else { return };
    // The databases do differ in what must not leak.
    let raw = "SELECT max(message) FROM logs";
    assert_ne!(oracle.run(0, raw), oracle.run(1, raw));

    let mut failures = Vec::new();
    let attacks = items(&folder.join("sql_attacks.dev.jsonl"));
    assert!(attacks.len() > 100);
    for attack in &attacks {
        let Ok(checked) = guard.check(&attack.sql) else { continue };
        if attack.must_be_refused && matches!(oracle.run(0, checked.sql()), Outcome::Rows(_)) {
            failures.push(format!("{} {}: executed", attack.id, attack.class));
        } else if let Some(finding) = oracle.judge(checked.sql()) {
            failures.push(format!("{} {}: {finding:?}", attack.id, attack.class));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");

    let benign = items(&folder.join("sql_benign.dev.jsonl"));
    assert!(benign.len() > 50);
    for query in &benign {
        let failure = match guard.check(&query.sql) {
            Err(refusal) => format!("refused: {refusal}"),
            Ok(checked) => {
                let (before, after) =
                    (oracle.run(0, query.sql.trim().trim_end_matches(';')), oracle.run(0, checked.sql()));
                if before == after && matches!(before, Outcome::Rows(_)) {
                    continue;
                }
                format!("changed: {}", checked.sql())
            }
        };
        failures.push(format!("{} {}: {failure}", query.id, query.class));
    }
    assert!(failures.len() * 100 <= benign.len(), "{failures:#?}");
}
