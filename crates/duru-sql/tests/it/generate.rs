//! Sample logs.

use std::collections::{HashMap, HashSet};

use duru_sql::generate::{Generator, Plan};
use duru_sql::{Level, LogType, Record};

fn plan(rows: u64, seed: u64) -> Plan {
    Plan { rows, seed, now: "2026-03-18T05:30:00Z".parse().unwrap(), days: 14 }
}

#[test]
fn the_same_plan_makes_the_same_lines_and_another_seed_others() {
    let make = |rows, seed| Generator::new(plan(rows, seed)).collect::<Vec<_>>();
    assert_eq!(make(500, 1), make(500, 1));
    assert_ne!(make(500, 1), make(500, 2));
    for rows in [0, 1, 2, 999] {
        assert_eq!(make(rows, 3).len() as u64, rows);
    }
}

#[test]
fn the_lines_look_like_those_of_a_shop() {
    let lines: Vec<Record> = Generator::new(plan(50_000, 7)).collect();
    let now = plan(0, 0).now;
    assert!(lines.is_sorted_by_key(|line| line.created_at));
    let (first, last) = (lines[0].created_at, lines.last().unwrap().created_at);
    assert!(last <= now && now.as_second() - last.as_second() < 3600, "{last}");
    let days = (now.as_second() - first.as_second()) / 86_400;
    assert!((13..=14).contains(&days), "{days}");

    let distinct = |of: fn(&Record) -> &str| lines.iter().map(of).collect::<HashSet<_>>().len();
    assert_eq!(distinct(|line| &line.service), 13);
    assert_eq!(distinct(|line| &line.environment), 3);
    assert!(distinct(|line| &line.service_version) > 13, "rollouts");
    let kinds: HashSet<LogType> = lines.iter().map(|line| line.log_type).collect();
    assert_eq!(kinds.len(), 5);
    let levels: HashSet<Level> = lines.iter().map(|line| line.level).collect();
    assert_eq!(levels.len(), 6);
    let errors = lines.iter().filter(|line| line.level == Level::Error).count();
    assert!((500..10_000).contains(&errors), "{errors}");
    let korean = lines.iter().filter(|line| line.message.chars().any(|c| ('가'..='힣').contains(&c))).count();
    assert!(korean > 10_000 && korean < 40_000, "{korean}");
    for line in &lines {
        assert_eq!(line.error_type.is_some(), line.stack_trace.is_some());
        assert!(line.duration_us.is_none_or(|us| (0..9_999_999_999).contains(&us)));
    }

    let mut journeys: HashMap<&str, Vec<&Record>> = HashMap::new();
    for line in &lines {
        journeys.entry(line.trace_id.as_deref().unwrap()).or_default().push(line);
    }
    let whole = journeys.values().filter(|lines| lines.len() == 7).count();
    assert!(whole > 100, "{whole} purchases from the basket to the mail");
    let same = |lines: &&Vec<&Record>| lines.iter().all(|line| line.session_id == lines[0].session_id);
    assert!(journeys.values().all(|lines| same(&lines)));
}

#[test]
fn a_bad_hour_and_a_slow_service_are_there_to_be_found() {
    let lines: Vec<Record> = Generator::new(plan(50_000, 7)).collect();
    let now = plan(0, 0).now.as_second();
    let ago = |line: &Record| now - line.created_at.as_second();
    let billing = |from: i64, to: i64| {
        let lines: Vec<_> = lines
            .iter()
            .filter(|line| line.service == "billing" && (from..to).contains(&ago(line)))
            .collect();
        let failed = lines.iter().filter(|line| line.error_type.is_some()).count();
        failed as f64 / lines.len() as f64
    };
    let (bad, usual) = (billing(25 * 3600, 26 * 3600), billing(10 * 3600, 20 * 3600));
    assert!(bad > 0.4 && usual < 0.15, "{bad} {usual}");
    let finder = |from: i64, to: i64| {
        let times: Vec<i64> = lines
            .iter()
            .filter(|line| line.service == "finder" && (from..to).contains(&ago(line)))
            .filter_map(|line| line.duration_us)
            .collect();
        times.iter().sum::<i64>() / times.len() as i64
    };
    assert!(finder(0, 4 * 3600) > 2 * finder(8 * 3600, 40 * 3600));
}
