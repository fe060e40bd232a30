//! What is measured of a server, and what we promised ourselves of it.

use crate::bench::cases::{Case, alone, case};
use crate::bench::goals::Figure::{self, Ours};
use crate::bench::goals::Limit::{AtLeast, AtMost};
use crate::bench::goals::{Goal, goal};

const CPU: &str = "cpu_us_per_run";
const RATE: &str = "runs_per_s";

/// The same field of the case without.
const fn over(field: &'static str, smaller: &'static str) -> Figure {
    Figure::OverCase { field, smaller }
}

/// Words for our own clients, or, where there are words for the script, for its clients on both servers.
pub(super) const CASES: &[Case] = &[
    alone("idle", "load-idle", "rss_mib"),
    alone("wait-memory-1", "load-wait store=memory clients=1", CPU),
    alone("wait-memory-16", "load-wait store=memory clients=16", CPU),
    alone("wait-memory-64", "load-wait store=memory clients=64", CPU),
    alone("wait-memory-256", "load-wait store=memory clients=256", CPU),
    alone("wait-sqlite-1", "load-wait store=sqlite clients=1", CPU),
    alone("wait-sqlite-16", "load-wait store=sqlite clients=16", CPU),
    alone("wait-sqlite-64", "load-wait store=sqlite clients=64", CPU),
    alone("wait-sqlite-256", "load-wait store=sqlite clients=256", CPU),
    alone("wait-postgres-1", "load-wait store=postgres clients=1", CPU),
    alone("wait-postgres-16", "load-wait store=postgres clients=16", CPU),
    alone("wait-postgres-64", "load-wait store=postgres clients=64", CPU),
    alone("wait-postgres-256", "load-wait store=postgres clients=256", CPU),
    // The same with a key and a quota; also with a collector that gets the usual share of traces, and with one that
    // gets them all.
    alone("wait-memory-64-key", "load-wait store=memory clients=64 guard=key", CPU),
    alone("wait-memory-64-traced", "load-wait store=memory clients=64 guard=traced", CPU),
    alone("wait-memory-64-every-trace", "load-wait store=memory clients=64 guard=every-trace", CPU),
    alone("wait-sqlite-64-key", "load-wait store=sqlite clients=64 guard=key", CPU),
    alone("wait-sqlite-64-traced", "load-wait store=sqlite clients=64 guard=traced", CPU),
    alone("wait-sqlite-64-every-trace", "load-wait store=sqlite clients=64 guard=every-trace", CPU),
    alone("wait-postgres-64-key", "load-wait store=postgres clients=64 guard=key", CPU),
    alone("wait-postgres-64-traced", "load-wait store=postgres clients=64 guard=traced", CPU),
    // The product on logs, by rules alone.
    alone("query-1", "load-query clients=1 rows=1000000", CPU),
    alone("query-16", "load-query clients=16 rows=1000000", CPU),
    alone("query-64", "load-query clients=64 rows=1000000", CPU),
    alone("ingest-1", "send connections=1 rows=200000", "cpu_us_per_row"),
    alone("ingest-4", "send connections=4 rows=200000", "cpu_us_per_row"),
    alone("streams-10000", "load-streams streams=10000 ticks=6 tick=10", "cpu_us_per_open"),
    // The reference keeps its threads in memory, so ours does here.
    case("python-wait-1", "store=memory", "--clients 1", CPU),
    case("python-wait-16", "store=memory", "--clients 16", CPU),
    case("python-wait-64", "store=memory", "--clients 64", CPU),
];

pub(super) const GOALS: &[Goal] = &[
    goal("idle", "MiB", Ours("rss_mib"), AtMost(60.0)),
    goal("wait-memory-64", "runs per second", Ours(RATE), AtLeast(2000.0)),
    goal("wait-memory-64", "ms at the 99th percentile", Ours("p99_ms"), AtMost(100.0)),
    goal("wait-sqlite-64", "durable runs per second", Ours(RATE), AtLeast(500.0)),
    goal("wait-sqlite-64", "ms at the 99th percentile", Ours("p99_ms"), AtMost(100.0)),
    goal("wait-postgres-64", "durable runs per second", Ours(RATE), AtLeast(500.0)),
    goal("wait-postgres-64", "ms at the 99th percentile", Ours("p99_ms"), AtMost(100.0)),
    goal("wait-memory-64-traced", "runs per second ÷ unguarded", over(RATE, "wait-memory-64"), AtLeast(0.9)),
    goal("wait-memory-64-traced", "CPU per run ÷ unguarded", over(CPU, "wait-memory-64"), AtMost(1.1)),
    goal("wait-memory-64-traced", "CPU per run ÷ untraced", over(CPU, "wait-memory-64-key"), AtMost(1.05)),
    goal("wait-sqlite-64-traced", "runs per second ÷ unguarded", over(RATE, "wait-sqlite-64"), AtLeast(0.9)),
    goal("wait-sqlite-64-traced", "CPU per run ÷ untraced", over(CPU, "wait-sqlite-64-key"), AtMost(1.05)),
    goal(
        "wait-postgres-64-traced",
        "runs per second ÷ unguarded",
        over(RATE, "wait-postgres-64"),
        AtLeast(0.9),
    ),
    goal("streams-10000", "MiB with all streams open", Ours("peak_rss_mib"), AtMost(1024.0)),
    goal("streams-10000", "ms from node to client, 99th percentile", Ours("event_p99_ms"), AtMost(20.0)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_goal_is_about_a_case_and_names_are_unique() {
        for goal in GOALS {
            assert!(CASES.iter().any(|case| case.name == goal.case), "{}", goal.case);
        }
        for (index, case) in CASES.iter().enumerate() {
            assert!(CASES[..index].iter().all(|other| other.name != case.name), "{}", case.name);
        }
    }
}
