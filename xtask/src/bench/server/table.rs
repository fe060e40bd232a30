//! A server's figures as Markdown.

use std::fmt::Write;

use serde_json::Value;

use crate::bench::Merged;
use crate::bench::goals::{number, ratio};
use crate::bench::server_cpu;
use crate::bench::table::show;

/// Fields worth a place in the last column, with what they are called there.
const REMARKS: [(&str, &str); 14] = [
    (server_cpu::FIELD, "PostgreSQL's CPU a run, µs"),
    ("load_cpu_us_per_run", "clients' CPU a run, µs"),
    ("cpu_ms_per_s", "ms CPU a second"),
    ("event_p99_ms", "p99 of an event, ms"),
    ("event_p99_ms_with_opening", "the same while they open"),
    ("events", "events"),
    ("opened_s", "s to open all"),
    ("cpu_us_per_open", "CPU to open one, µs"),
    ("peak_rss_mib", "peak MiB"),
    ("rows_per_s", "lines a second"),
    ("cpu_us_per_row", "CPU a line, µs"),
    ("spans_sent", "spans sent"),
    ("spans_dropped", "spans dropped"),
    ("spans_failed", "spans that failed"),
];

pub(super) fn figures(merged: &[Merged]) -> String {
    let mut text = "| case | runs/s | p50 ms | p99 ms | CPU µs/run | MiB | others' cores | besides |\n\
                    |---|--:|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    for case in merged {
        row(&mut text, case.case.name, &case.ours);
        if let Some(theirs) = &case.theirs {
            row(&mut text, &format!("{}, reference", case.case.name), theirs);
            let times = |field: &str| show(ratio(theirs, field, &case.ours, field));
            let rate = show(ratio(&case.ours, "runs_per_s", theirs, "runs_per_s"));
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "| {}, how many times better | {rate} | {} | {} | {} | {} | – | |",
                case.case.name,
                times("median"),
                times("p99_ms"),
                times("cpu_us_per_run"),
                times("rss_mib"),
            );
        }
    }
    text
}

fn row(text: &mut String, name: &str, line: &Value) {
    let field = |name: &str| show(number(line, name));
    // Of a server that is idle the median is its memory.
    let median = if line["unit"] == "MiB" { show(None) } else { field("median") };
    let remarks = REMARKS
        .iter()
        .filter_map(|(name, words)| Some(format!("{words} {}", show(Some(number(line, name)?)))));
    let _ = writeln!(
        text,
        "| {name} | {} | {median} | {} | {} | {} | {} | {} |",
        field("runs_per_s"),
        field("p99_ms"),
        field("cpu_us_per_run"),
        field("rss_mib"),
        show(number(&line["contention"], "other_busy_cores")),
        remarks.collect::<Vec<_>>().join(", "),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::server::cases::CASES;
    use serde_json::json;

    #[test]
    fn the_reference_stands_below_ours() {
        let case = CASES.iter().find(|case| case.python.is_some()).unwrap();
        let line = |rate: f64, p50: f64| json!({"unit": "ms/run", "runs_per_s": rate, "median": p50, "p99_ms": p50, "cpu_us_per_run": p50 * 10.0, "rss_mib": 20.0});
        let merged =
            Merged { case, ours: line(400.0, 2.0), floor: Value::Null, theirs: Some(line(100.0, 8.0)) };
        let rows: Vec<String> = figures(&[merged]).lines().skip(2).map(str::to_owned).collect();
        assert_eq!(rows[0], "| python-wait-1 | 400 | 2.00 | 2.00 | 20.0 | 20.0 | – |  |");
        assert!(rows[1].starts_with("| python-wait-1, reference | 100 | 8.00 |"));
        assert!(rows[2].contains("| 4.00 | 4.00 | 4.00 | 4.00 | 1.00 |"), "{}", rows[2]);
    }
}
