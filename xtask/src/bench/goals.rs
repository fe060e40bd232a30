//! What we promised ourselves, and whether it is so.

use serde_json::Value;

use super::Merged;

/// A figure made of the measurements.
pub(super) enum Figure {
    /// How many times as much the original takes.
    TheirsOverOurs(&'static str),
    Ours(&'static str),
    OursOverFloor(&'static str),
    /// Two fields of the same case.
    Growth {
        late: &'static str,
        early: &'static str,
    },
    /// The same field of another, smaller case.
    OverCase {
        field: &'static str,
        smaller: &'static str,
    },
}

#[derive(Clone, Copy)]
pub(super) enum Limit {
    AtLeast(f64),
    AtMost(f64),
    Exactly(f64),
}

pub(super) struct Goal {
    pub(super) case: &'static str,
    what: &'static str,
    figure: Figure,
    limit: Limit,
}

pub(super) const fn goal(case: &'static str, what: &'static str, figure: Figure, limit: Limit) -> Goal {
    Goal { case, what, figure, limit }
}

use Figure::{Growth, Ours, OursOverFloor, OverCase, TheirsOverOurs};
use Limit::{AtLeast, AtMost, Exactly};

const STEP: &str = "cpu_us_per_superstep";
const TASK: &str = "cpu_us_per_task";
const TURN: &str = "cpu_us_turn_last";
/// What still counts as flat on a machine that others use too.
const FLAT: Limit = AtMost(1.25);
const GROWTH: Figure = Growth { late: TURN, early: "cpu_us_turn_10" };

pub(super) const GOALS: &[Goal] = &[
    goal("chain", "CPU per step, original ÷ ours", TheirsOverOurs(STEP), AtLeast(100.0)),
    goal("chain", "µs CPU per step (guide)", Ours(STEP), AtMost(2.0)),
    goal("chain-memory", "CPU per step, original ÷ ours", TheirsOverOurs(STEP), AtLeast(100.0)),
    goal("chain-memory", "µs CPU per step (guide)", Ours(STEP), AtMost(4.0)),
    goal("chain-memory-one-core", "µs CPU per step (guide)", Ours(STEP), AtMost(4.0)),
    goal("chain-sqlite-each-step", "CPU per step, original ÷ ours", TheirsOverOurs(STEP), AtLeast(10.0)),
    goal("chain-sqlite-background", "CPU per step, original ÷ ours", TheirsOverOurs(STEP), AtLeast(10.0)),
    goal("chain-sqlite-at-end", "CPU per step, original ÷ ours", TheirsOverOurs(STEP), AtLeast(10.0)),
    goal("chain-postgres-each-step", "CPU per step, original ÷ ours", TheirsOverOurs(STEP), AtLeast(10.0)),
    goal("chain-postgres-each-step", "round trips per step", Ours("round_trips_per_step"), Exactly(1.0)),
    goal("fanout-1000", "CPU per task, original ÷ ours", TheirsOverOurs(TASK), AtLeast(100.0)),
    goal("fanout-3000", "CPU per task, original ÷ ours", TheirsOverOurs(TASK), AtLeast(100.0)),
    goal(
        "fanout-3000",
        "CPU per task, 3,000 ÷ 1,000",
        OverCase { field: TASK, smaller: "fanout-1000" },
        FLAT,
    ),
    goal("fanout-1000", "ms CPU for 1,000 tasks (guide)", Ours("cpu_ms_whole"), AtMost(5.0)),
    goal("fanout-1000-one-core", "ms CPU for 1,000 tasks (guide)", Ours("cpu_ms_whole"), AtMost(5.0)),
    goal("fanout-1000-memory", "CPU per task, original ÷ ours", TheirsOverOurs(TASK), AtLeast(100.0)),
    goal("fanout-3000-memory", "CPU per task, original ÷ ours", TheirsOverOurs(TASK), AtLeast(100.0)),
    goal(
        "fanout-3000-memory",
        "CPU per task, 3,000 ÷ 1,000",
        OverCase { field: TASK, smaller: "fanout-1000-memory" },
        FLAT,
    ),
    goal("fanout-1000-sqlite", "CPU per task, original ÷ ours", TheirsOverOurs(TASK), AtLeast(10.0)),
    goal(
        "fanout-3000-sqlite",
        "CPU per task, 3,000 ÷ 1,000",
        OverCase { field: TASK, smaller: "fanout-1000-sqlite" },
        FLAT,
    ),
    goal("messages-200-sqlite", "stored bytes ÷ raw bytes", Ours("stored_over_raw"), AtMost(5.0)),
    goal("messages-2000-sqlite", "stored bytes ÷ raw bytes", Ours("stored_over_raw"), AtMost(5.0)),
    goal("messages-2000-sqlite", "CPU of a turn, 2,000 ÷ 10", GROWTH, FLAT),
    goal("messages-2000-memory", "CPU of a turn, 2,000 ÷ 10", GROWTH, FLAT),
    goal(
        "messages-200-postgres",
        "CPU of the last turn, original ÷ ours",
        TheirsOverOurs(TURN),
        AtLeast(10.0),
    ),
    goal("messages-200-postgres", "stored bytes ÷ raw bytes", Ours("stored_over_raw"), AtMost(5.0)),
    goal("messages-2000-postgres", "stored bytes ÷ raw bytes", Ours("stored_over_raw"), AtMost(5.0)),
    goal("messages-2000-postgres", "CPU of a turn, 2,000 ÷ 10", GROWTH, FLAT),
    goal(
        "concurrency-16-postgres",
        "CPU of all runs, original (background) ÷ ours",
        TheirsOverOurs("cpu_s"),
        AtLeast(10.0),
    ),
    goal("concurrency-16-postgres", "durable steps per second", Ours("steps_per_s"), AtLeast(2000.0)),
    goal("concurrency-10000", "wall, ours ÷ bare tokio", OursOverFloor("median"), AtMost(1.5)),
    goal("concurrency-10000", "MiB at the peak", Ours("peak_rss_mib"), AtMost(200.0)),
    goal("concurrency-10000-memory", "MiB at the peak", Ours("peak_rss_mib"), AtMost(200.0)),
];

pub(super) struct Verdict {
    pub(super) case: &'static str,
    pub(super) what: &'static str,
    pub(super) limit: Limit,
    pub(super) found: f64,
}

impl Verdict {
    pub(super) fn is_reached(&self) -> bool {
        match self.limit {
            AtLeast(limit) => self.found >= limit,
            AtMost(limit) => self.found <= limit,
            Exactly(limit) => self.found == limit,
        }
    }

    /// The found figure in parts of the goal, above 1 if it is missed.
    pub(super) fn missed_by(&self) -> f64 {
        match self.limit {
            AtLeast(limit) => limit / self.found,
            AtMost(limit) => self.found / limit,
            Exactly(limit) => (limit / self.found).max(self.found / limit),
        }
    }
}

/// Every goal of which all that it needs was measured.
pub(super) fn check(goals: &[Goal], merged: &[Merged]) -> Vec<Verdict> {
    let of = |name: &str| merged.iter().find(|case| case.case.name == name);
    let verdict = |goal: &Goal| {
        let case = of(goal.case)?;
        let found = match &goal.figure {
            TheirsOverOurs(field) => ratio(case.theirs.as_ref()?, field, &case.ours, field),
            Ours(field) => number(&case.ours, field),
            OursOverFloor(field) => ratio(&case.ours, field, &case.floor, field),
            Growth { late, early } => ratio(&case.ours, late, &case.ours, early),
            OverCase { field, smaller } => ratio(&case.ours, field, &of(smaller)?.ours, field),
        }?;
        Some(Verdict { case: goal.case, what: goal.what, limit: goal.limit, found })
    };
    goals.iter().filter_map(verdict).collect()
}

pub(super) fn number(line: &Value, field: &str) -> Option<f64> {
    line[field].as_f64()
}

pub(super) fn ratio(above: &Value, field: &str, below: &Value, other: &str) -> Option<f64> {
    let below = number(below, other).filter(|below| *below > 0.0)?;
    Some(number(above, field)? / below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::cases::CASES;
    use serde_json::json;

    fn merged(name: &str, ours: Value, floor: Value, theirs: Option<Value>) -> Merged {
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        Merged { case, ours, floor, theirs }
    }

    fn found(merged: &[Merged]) -> Vec<(f64, bool)> {
        check(GOALS, merged).iter().map(|verdict| (verdict.found, verdict.is_reached())).collect()
    }

    #[test]
    fn every_goal_is_about_a_case() {
        for goal in GOALS {
            assert!(CASES.iter().any(|case| case.name == goal.case), "{}", goal.case);
            if let OverCase { smaller, .. } = goal.figure {
                assert!(CASES.iter().any(|case| case.name == smaller), "{smaller}");
            }
        }
    }

    #[test]
    fn a_ratio_needs_the_original() {
        let ours = json!({"cpu_us_per_superstep": 2.5});
        assert_eq!(found(&[merged("chain", ours.clone(), json!({}), None)]), [(2.5, false)]);
        let theirs = Some(json!({"cpu_us_per_superstep": 500.0}));
        assert_eq!(found(&[merged("chain", ours, json!({}), theirs)]), [(200.0, true), (2.5, false)]);
    }

    #[test]
    fn the_floor_and_smaller_cases_are_compared_too() {
        let case = merged(
            "concurrency-10000",
            json!({"median": 0.3, "peak_rss_mib": 100.0}),
            json!({"median": 0.15}),
            None,
        );
        assert_eq!(found(&[case]), [(2.0, false), (100.0, true)]);
        let small = merged("fanout-1000-memory", json!({"cpu_us_per_task": 4.0}), json!({}), None);
        let large = merged("fanout-3000-memory", json!({"cpu_us_per_task": 4.4}), json!({}), None);
        assert_eq!(check(GOALS, &[small, large]).len(), 1);
    }

    #[test]
    fn a_missed_goal_says_by_how_much() {
        let verdict = |limit, found| Verdict { case: "", what: "", limit, found };
        assert_eq!(verdict(AtLeast(100.0), 50.0).missed_by(), 2.0);
        assert_eq!(verdict(AtMost(2.0), 5.0).missed_by(), 2.5);
        assert!(verdict(AtMost(2.0), 2.0).is_reached());
        assert!(verdict(Exactly(1.0), 1.0).is_reached());
        assert!(!verdict(Exactly(1.0), 0.5).is_reached() && !verdict(Exactly(1.0), 2.0).is_reached());
        assert_eq!(verdict(Exactly(1.0), 0.5).missed_by(), 2.0);
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        assert_eq!(ratio(&json!({"a": 1}), "a", &json!({"a": 0}), "a"), None);
        assert_eq!(ratio(&json!({}), "a", &json!({"a": 1}), "a"), None);
    }
}
