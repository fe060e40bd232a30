//! What each part came to, how long it took, and whether that is good enough.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

pub(crate) enum Outcome {
    Passed,
    /// What failed, in a few words; the details have been printed.
    Failed(String),
    /// Left out on purpose, and why.
    Skipped(&'static str),
    /// The tool is not on this machine: tolerable at a desk, a failure in CI.
    Missing(&'static str),
}

impl Outcome {
    pub(crate) fn of(good: bool) -> Self {
        if good { Self::Passed } else { Self::Failed("see above".to_owned()) }
    }
}

pub(crate) struct Report {
    ci: bool,
    parts: Vec<Part>,
}

struct Part {
    name: &'static str,
    outcome: Outcome,
    time: Duration,
}

impl Report {
    pub(crate) fn new(ci: bool) -> Self {
        Self { ci, parts: Vec::new() }
    }

    /// Runs one part under its heading. A part that cannot even start has failed; the others still run.
    pub(crate) fn part(&mut self, name: &'static str, work: impl FnOnce() -> Result<Outcome>) {
        println!("\n==== {name} ====");
        let start = Instant::now();
        let outcome = work().unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
        let part = Part { name, outcome, time: start.elapsed() };
        println!("---- {} ({:.1} s)", self.verdict(&part), part.time.as_secs_f64());
        self.parts.push(part);
    }

    pub(crate) fn is_good(&self) -> bool {
        self.parts.iter().all(|part| match part.outcome {
            Outcome::Passed | Outcome::Skipped(_) => true,
            Outcome::Missing(_) => !self.ci,
            Outcome::Failed(_) => false,
        })
    }

    pub(crate) fn summary(&self) -> String {
        let mut text = "\n==== summary ====\n".to_owned();
        for part in &self.parts {
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "{:<10} {:>7.1} s  {}",
                part.name,
                part.time.as_secs_f64(),
                self.verdict(part)
            );
        }
        text.push_str(if self.is_good() { "all good\n" } else { "NOT good\n" });
        text
    }

    fn verdict(&self, part: &Part) -> String {
        match &part.outcome {
            Outcome::Passed => "passed".to_owned(),
            Outcome::Failed(what) => format!("FAILED: {what}"),
            Outcome::Skipped(why) => format!("skipped ({why})"),
            Outcome::Missing(tool) if self.ci => format!("FAILED: {tool} is not installed"),
            Outcome::Missing(tool) => format!("NOT RUN: {tool} is not installed (CI will fail on this)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(ci: bool, outcomes: Vec<Outcome>) -> Report {
        let mut report = Report::new(ci);
        for outcome in outcomes {
            report.part("part", || Ok(outcome));
        }
        report
    }

    #[test]
    fn one_failed_part_fails_the_whole() {
        assert!(report(true, vec![Outcome::Passed, Outcome::Skipped("--fast")]).is_good());
        let bad = report(false, vec![Outcome::Failed("broken".to_owned()), Outcome::Passed]);
        assert!(!bad.is_good());
        assert!(bad.summary().contains("FAILED: broken"));
        assert!(bad.summary().ends_with("NOT good\n"));
    }

    #[test]
    fn a_missing_tool_fails_only_in_ci() {
        assert!(report(false, vec![Outcome::Missing("clippy")]).is_good());
        assert!(!report(true, vec![Outcome::Missing("clippy")]).is_good());
    }

    #[test]
    fn a_part_that_cannot_start_has_failed_and_the_next_one_runs() {
        let mut report = Report::new(false);
        report.part("first", || anyhow::bail!("no such program"));
        report.part("second", || Ok(Outcome::Passed));
        assert!(!report.is_good());
        assert!(report.summary().contains("no such program"));
        assert!(report.summary().contains("second"));
    }
}
