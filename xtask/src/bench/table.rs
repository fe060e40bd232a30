//! The figures as Markdown, for people.

use std::fmt::Write;

use super::Merged;
use super::goals::{Limit, Verdict, number, ratio};
use super::server_cpu;

/// Fields worth a place in the last column, with what they are called there.
const REMARKS: [(&str, &str); 14] = [
    (server_cpu::FIELD, "server's CPU"),
    ("round_trips_per_step", "round trips a step"),
    ("steps_per_s", "steps/s"),
    ("cpu_us_turn_10", "CPU at turn 10"),
    ("stored_over_raw", "stored ÷ raw"),
    ("db_file_bytes", "file bytes"),
    ("reopen_ms", "ms to reopen"),
    ("peak_rss_mib", "peak MiB"),
    ("rss_mib", "idle MiB"),
    ("cpu_extra_us_per_event", "CPU above invoke"),
    ("events", "events"),
    ("cpu_ms_whole", "ms CPU whole"),
    ("chunks_per_s", "passages/s"),
    ("ways_per_question", "ways a question"),
];

pub(super) fn figures(merged: &[Merged]) -> String {
    let mut text = "| case | unit | ours | ours CPU | floor | floor CPU | original | original CPU | original ÷ ours | CPU ÷ | others' cores | besides (ours; original) |\n\
                    |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    for case in merged {
        let cpu = case.case.cpu;
        let theirs = |field: &str| case.theirs.as_ref().and_then(|line| number(line, field));
        let times = |field: &str| case.theirs.as_ref().and_then(|line| ratio(line, field, &case.ours, field));
        let unit = case.ours["unit"].as_str().unwrap_or_default();
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {unit} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            case.case.name,
            show(number(&case.ours, "median")),
            show(number(&case.ours, cpu)),
            show(number(&case.floor, "median")),
            show(number(&case.floor, cpu)),
            show(theirs("median")),
            show(theirs(cpu)),
            show(times("median")),
            show(times(cpu)),
            show(number(&case.ours["contention"], "other_busy_cores")),
            remarks(case),
        );
    }
    text
}

fn remarks(case: &Merged) -> String {
    let mut words = Vec::new();
    for (field, name) in REMARKS {
        let ours = number(&case.ours, field);
        let theirs = case.theirs.as_ref().and_then(|line| number(line, field));
        if field == case.case.cpu || ours.is_none() {
            continue;
        }
        let other = theirs.map(|value| format!("; {}", show(Some(value)))).unwrap_or_default();
        words.push(format!("{name} {}{other}", show(ours)));
    }
    words.join(", ")
}

pub(super) fn goals(verdicts: &[Verdict]) -> String {
    let mut text = "| case | goal | wanted | found | |\n|---|---|--:|--:|---|\n".to_owned();
    for verdict in verdicts {
        let wanted = match verdict.limit {
            Limit::AtLeast(limit) => format!("≥ {}", show(Some(limit))),
            Limit::AtMost(limit) => format!("≤ {}", show(Some(limit))),
            Limit::Exactly(limit) => format!("= {}", show(Some(limit))),
        };
        let reached = if verdict.is_reached() {
            "reached".to_owned()
        } else {
            format!("**missed** by {}×", show(Some(verdict.missed_by())))
        };
        let (case, what, found) = (verdict.case, verdict.what, show(Some(verdict.found)));
        let _ = writeln!(text, "| {case} | {what} | {wanted} | {found} | {reached} |");
    }
    text
}

/// Three digits that count, and no more than people read.
pub(super) fn show(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value.abs() >= 100.0 => {
            let digits = format!("{value:.0}");
            let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |rest| ("-", rest));
            let mut out = String::new();
            for (index, digit) in digits.chars().enumerate() {
                if index > 0 && (digits.len() - index).is_multiple_of(3) {
                    out.push(',');
                }
                out.push(digit);
            }
            format!("{sign}{out}")
        }
        Some(value) if value.abs() >= 10.0 => format!("{value:.1}"),
        Some(value) if value.abs() >= 1.0 || value == 0.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::cases::CASES;
    use serde_json::json;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.0031, "0.003"),
            (1.619, "1.62"),
            (32.14, "32.1"),
            (2067.841, "2,068"),
            (1234567.0, "1,234,567"),
            (-1234.0, "-1,234"),
        ] {
            assert_eq!(show(Some(value)), text);
        }
        assert_eq!(show(None), "–");
    }

    #[test]
    fn a_case_is_one_row() {
        let case = CASES.iter().find(|case| case.name == "chain").unwrap();
        let line = |wall: f64, cpu: f64| json!({"unit": "us/superstep", "median": wall, "cpu_us_per_superstep": cpu});
        let merged =
            Merged { case, ours: line(2.0, 1.5), floor: line(0.5, 0.25), theirs: Some(line(600.0, 300.0)) };
        let text = figures(&[merged]);
        assert_eq!(
            text.lines().nth(2).unwrap(),
            "| chain | us/superstep | 2.00 | 1.50 | 0.500 | 0.250 | 600 | 300 | 300 | 200 | – |  |"
        );
    }

    #[test]
    fn a_missed_goal_is_not_overlooked() {
        let verdict = |found| Verdict { case: "chain", what: "CPU", limit: Limit::AtLeast(100.0), found };
        let text = goals(&[verdict(200.0), verdict(50.0)]);
        assert_eq!(text.lines().nth(2).unwrap(), "| chain | CPU | ≥ 100 | 200 | reached |");
        assert_eq!(text.lines().nth(3).unwrap(), "| chain | CPU | ≥ 100 | 50.0 | **missed** by 2.00× |");
    }
}
