//! What came of it.

use std::fmt;

use super::faults::{Counts, Kind};
use super::logs::LogReport;
use crate::audit::Findings;
use crate::replicas::Report;

pub(crate) struct ClusterReport {
    pub(crate) load: Report,
    pub(crate) counts: Counts,
    /// How often each kind must have fired for this to show anything.
    pub(crate) least: u64,
    pub(crate) rows: u64,
    pub(crate) found: Findings,
    pub(crate) logs: Option<LogReport>,
}

impl ClusterReport {
    pub(crate) fn faults(&self) -> u64 {
        self.counts.values().map(|count| count.fired).sum()
    }

    /// Kinds of fault that did not happen often enough, or of which one had no effect or did not end.
    fn in_vain(&self) -> Vec<&'static str> {
        let is_in_vain = |kind: &Kind| {
            let count = self.counts.get(kind).copied().unwrap_or_default();
            count.fired < self.least || count.confirmed < count.fired || count.undone < count.fired
        };
        Kind::all(self.logs.is_some()).filter(is_in_vain).map(Kind::words).collect()
    }

    /// Whether every promise was kept, and something was there to break one.
    pub(crate) fn is_well(&self) -> bool {
        let load = &self.load;
        let broken = load.lost + load.doubled + load.doubled_effects + load.stuck;
        let seen = load.skipped + load.misread + load.back;
        broken + seen == 0
            && load.wrong.is_empty()
            && load.threads > 0
            && load.watched > 0
            && self.rows > 0
            && !self.found.is_broken()
            && self.logs.as_ref().is_none_or(LogReport::is_well)
            && self.in_vain().is_empty()
    }
}

impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seconds                      {:.0}", self.load.took.as_secs_f64())?;
        writeln!(f, "faults                       {}", self.faults())?;
        for (kind, count) in &self.counts {
            let words = kind.words();
            writeln!(f, "  {words:<38} {} (seen {}, over {})", count.fired, count.confirmed, count.undone)?;
        }
        self.load.of_clients(f)?;
        let found = &self.found;
        writeln!(f, "rows of threads / wrong      {} / {}", self.rows, found.wrong)?;
        writeln!(f, "forked / gaps / cut short    {} / {} / {}", found.forks, found.gaps, found.lost)?;
        if let Some(logs) = &self.logs {
            writeln!(f, "log batches / lines          {} / {}", logs.batches, logs.lines)?;
            writeln!(f, "log batches sent again       {}", logs.again)?;
            writeln!(f, "log lines lost / doubled     {} / {}", logs.lost, logs.doubled)?;
            writeln!(f, "log batches stuck            {}", logs.stuck)?;
        }
        let of_logs = self.logs.iter().flat_map(|logs| &logs.wrong);
        for what in self.load.wrong.iter().chain(found.told.iter().take(20)).chain(of_logs) {
            writeln!(f, "WRONG: {what}")?;
        }
        for kind in self.in_vain() {
            writeln!(f, "IN VAIN: {kind}")?;
        }
        write!(f, "{}", if self.is_well() { "every promise was kept" } else { "NOT well" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::faults::Count;

    fn good() -> ClusterReport {
        let counts =
            Kind::all(true).map(|kind| (kind, Count { fired: 2, confirmed: 2, undone: 2 })).collect();
        let load = Report { threads: 1, watched: 1, ..Report::default() };
        let logs = Some(LogReport { lines: 1, ..LogReport::default() });
        ClusterReport { load, counts, least: 2, rows: 1, found: Findings::default(), logs }
    }

    #[test]
    fn whatever_is_not_zero_is_not_well() {
        assert!(good().is_well());
        let defects: [fn(&mut ClusterReport); 7] = [
            |report| report.load.lost = 1,
            |report| report.load.doubled_effects = 1,
            |report| report.load.stuck = 1,
            |report| report.found.forks = 1,
            |report| report.found.wrong = 1,
            |report| report.logs = Some(LogReport::default()),
            |report| report.load.threads = 0,
        ];
        for break_it in defects {
            let mut report = good();
            break_it(&mut report);
            assert!(!report.is_well(), "{report}");
        }
    }

    #[test]
    fn a_fault_that_had_no_effect_or_came_too_seldom_is_not_well() {
        let kind = Kind::DatabaseCutOff;
        for count in [
            Count { fired: 1, confirmed: 1, undone: 1 },
            Count { fired: 2, confirmed: 1, undone: 2 },
            Count { fired: 2, confirmed: 2, undone: 1 },
        ] {
            let mut report = good();
            report.counts.insert(kind, count);
            assert!(!report.is_well() && report.to_string().contains(&format!("IN VAIN: {}", kind.words())));
        }
        let mut report = good();
        report.counts.remove(&kind);
        assert!(!report.is_well());
    }
}
