//! What was found, as Markdown, with the goals.

use std::fmt::Write;

use serde_json::Value;

use crate::bench::goals::{Limit, Verdict, number};
use crate::bench::table::{goals, show};

pub(super) fn figures(found: &[Value]) -> String {
    let mut text = String::from(
        "| category | rows | embedded ms | worst | PostgreSQL ms | PostgreSQL ÷ embedded | guard µs |\n|---|--:|--:|--:|--:|--:|--:|\n",
    );
    // Writing into a string cannot fail.
    for line in of(found, "query") {
        let field = |name: &str| show(number(line, name));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            word(line, "category"),
            field("rows"),
            field("embedded_ms"),
            field("embedded_worst_ms"),
            field("postgres_ms"),
            field("postgres_over_embedded"),
            field("guard_us"),
        );
    }
    text.push_str("\n| lines in | store | rows | rows/s | ms per batch | worst | server's CPU µs/row | peak MiB |\n|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (way, case) in [("over HTTP", "ingest"), ("by the library", "fill")] {
        for line in of(found, case) {
            let field = |name: &str| show(number(line, name));
            let _ = writeln!(
                text,
                "| {way} | {} | {} | {} | {} | {} | {} | {} |",
                word(line, "store"),
                field("rows"),
                field("rows_per_s"),
                field("batch_ms"),
                field("slowest_batch_ms"),
                field("server_cpu_us_per_row"),
                field("peak_mib"),
            );
        }
    }
    text.push_str("\n| start on rows | s to open | s to the first answer | peak MiB |\n|--:|--:|--:|--:|\n");
    for line in of(found, "open") {
        let field = |name: &str| show(number(line, name));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            field("rows"),
            field("open_s"),
            field("first_answer_s"),
            field("peak_mib")
        );
    }
    text.push('\n');
    text.push_str(&goals(&verdicts(found)));
    text
}

fn of<'a>(found: &'a [Value], case: &'a str) -> impl Iterator<Item = &'a Value> {
    found.iter().filter(move |line| line["case"] == case)
}

fn word<'a>(line: &'a Value, name: &str) -> &'a str {
    line[name].as_str().unwrap_or("–")
}

fn verdicts(found: &[Value]) -> Vec<Verdict> {
    let worst =
        |case: &str, name: &str| of(found, case).filter_map(|line| number(line, name)).reduce(f64::max);
    let sent = |store: &str, name: &str| {
        of(found, "ingest").find(|line| line["store"] == store).and_then(|line| number(line, name))
    };
    let all = [
        (
            "queries",
            "ms, the slowest question, embedded",
            Limit::AtMost(300.0),
            worst("query", "embedded_ms"),
        ),
        ("guard", "µs, the slowest question", Limit::AtMost(1000.0), worst("query", "guard_us")),
        ("ingest", "rows/s over HTTP, embedded", Limit::AtLeast(100_000.0), sent("embedded", "rows_per_s")),
        ("ingest", "rows/s over HTTP, PostgreSQL", Limit::AtLeast(20_000.0), sent("postgres", "rows_per_s")),
        ("ingest", "MiB at the peak, embedded", Limit::AtMost(300.0), sent("embedded", "peak_mib")),
        ("ingest", "MiB at the peak, PostgreSQL", Limit::AtMost(300.0), sent("postgres", "peak_mib")),
        ("start", "s to the first answer", Limit::AtMost(2.0), worst("open", "first_answer_s")),
    ];
    all.into_iter()
        .filter_map(|(case, what, limit, found)| Some(Verdict { case, what, limit, found: found? }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_slowest_question_decides() {
        let found = [
            json!({"case": "query", "category": "count", "rows": 1, "embedded_ms": 20.0, "guard_us": 90.0}),
            json!({"case": "query", "category": "latency", "rows": 1, "embedded_ms": 400.0, "guard_us": 80.0}),
            json!({"case": "ingest", "store": "embedded", "rows": 1000, "rows_per_s": 120000.0, "peak_mib": 90.0}),
        ];
        let text = figures(&found);
        assert!(text.contains("| count | 1.00 | 20.0 | – | – | – | 90.0 |"), "{text}");
        let reached: Vec<bool> = verdicts(&found).iter().map(Verdict::is_reached).collect();
        assert_eq!(reached, [false, true, true, true]);
    }
}
