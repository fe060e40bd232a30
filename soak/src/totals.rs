//! What all rounds came to, as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use crate::audit::Findings;
use crate::scenario::{SCENARIOS, Scenario};

#[derive(Default)]
pub(crate) struct Totals {
    rows: BTreeMap<&'static str, Line>,
    /// Failpoints by the kind of store that passes them, and deaths there.
    hit: BTreeMap<(bool, String), u64>,
    pub(crate) elapsed: Duration,
}

#[derive(Default)]
struct Line {
    rounds: u64,
    /// Rounds that showed nothing: no fault, or no work.
    void: u64,
    sum: Findings,
}

impl Totals {
    pub(crate) fn add(&mut self, scenario: &Scenario, findings: Findings) {
        for (name, count) in &findings.hit {
            *self.hit.entry((scenario.postgres, name.clone())).or_default() += count;
        }
        let line = self.rows.entry(scenario.name).or_default();
        if !findings.counts() {
            line.void += 1;
            // What is broken counts in any case.
            if !findings.is_broken() {
                return;
            }
        }
        line.rounds += 1;
        line.sum.add(findings);
    }

    /// Which failpoint the next worker is to die at, if at one: those that were
    /// hit least first, and every third worker when all were.
    pub(crate) fn wanted_failpoint(
        &self,
        scenario: &Scenario,
        now: &BTreeMap<String, u64>,
    ) -> Option<(String, u64)> {
        let hits = |name: &str| {
            let before = self.hit.get(&(scenario.postgres, name.to_owned())).copied().unwrap_or(0);
            before + now.get(name).copied().unwrap_or(0)
        };
        let least = scenario.failpoints().map(hits).min().unwrap_or(0);
        let rarest: Vec<&str> = scenario.failpoints().filter(|name| hits(name) == least).collect();
        let armed = fastrand::u8(..6) < if least == 0 { 4 } else { 2 };
        armed.then(|| (rarest[fastrand::usize(..rarest.len())].to_owned(), fastrand::u64(1..60)))
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.rows.values().any(|line| line.sum.is_broken())
    }

    pub(crate) fn deaths(&self) -> u64 {
        self.rows.values().map(|line| line.sum.deaths).sum()
    }

    /// Rounds that count.
    pub(crate) fn rounds(&self) -> u64 {
        self.rows.values().map(|line| line.rounds).sum()
    }

    fn never_hit(&self) -> Vec<&'static str> {
        let run = SCENARIOS.iter().filter(|scenario| self.rows.contains_key(scenario.name));
        let all = run.flat_map(|scenario| scenario.failpoints().map(move |name| (scenario.postgres, name)));
        let missed = all.filter(|(postgres, name)| !self.hit.contains_key(&(*postgres, (*name).to_owned())));
        missed.map(|(_, name)| name).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The value below which this share of them lies.
fn percentile(values: &[u64], share: f64) -> String {
    let mut values = values.to_vec();
    values.sort_unstable();
    let index = (values.len() as f64 * share).ceil() as usize;
    values.get(index.saturating_sub(1)).map_or("-".into(), |ms| format!("{ms} ms"))
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = [
            "rounds", "void", "deaths", "faults", "commits", "steps", "turns", "lost", "dup", "forks",
            "gaps", "stuck", "wrong", "skip", "twice", "misread", "back", "retries", "p50", "p99",
        ];
        write!(f, "{:<16}", "scenario")?;
        columns.iter().try_for_each(|name| write!(f, " {name:>7}"))?;
        writeln!(f)?;
        let mut all = Line::default();
        let in_order = SCENARIOS.iter().filter_map(|scenario| self.rows.get_key_value(scenario.name));
        for (name, line) in in_order {
            write_line(f, name, line)?;
            all.rounds += line.rounds;
            all.void += line.void;
            all.sum.add(line.sum.clone());
        }
        write_line(f, "all", &all)?;
        writeln!(f)?;
        let sum = &all.sum;
        writeln!(f, "time                       {:.0} s", self.elapsed.as_secs_f64())?;
        writeln!(f, "processes killed           {}", sum.deaths)?;
        writeln!(f, "commits / steps crossed    {} / {}", sum.commits, sum.steps)?;
        writeln!(f, "lost acknowledged writes   {}", sum.lost)?;
        writeln!(f, "duplicate applied effects  {} (repeated attempts: {})", sum.duplicates, sum.retries)?;
        writeln!(f, "forks / event gaps         {} / {}", sum.forks, sum.gaps)?;
        writeln!(f, "stuck threads              {}", sum.stuck)?;
        writeln!(f, "events that readers saw    {}", sum.watched)?;
        writeln!(f, "skipped by a reader        {}", sum.skipped)?;
        writeln!(f, "doubled by a reader        {}", sum.doubled)?;
        writeln!(f, "wrongly read               {}", sum.misread)?;
        writeln!(f, "deleted and come back      {}", sum.back)?;
        writeln!(f, "wrong states and errors    {}", sum.wrong)?;
        let (p50, p99) = (percentile(&sum.recovered_ms, 0.5), percentile(&sum.recovered_ms, 0.99));
        writeln!(f, "recovery p50 / p99         {p50} / {p99} ({} restarts)", sum.recovered_ms.len())?;
        let mut later: BTreeMap<&str, u64> = BTreeMap::new();
        for (why, count) in &sum.later {
            *later.entry(why.split(' ').next().unwrap_or_default()).or_default() += count;
        }
        let later: Vec<String> = later.iter().map(|(why, count)| format!("{why} {count}")).collect();
        writeln!(f, "calls put off              {}", or_none(&later))?;
        write!(f, "failpoints never hit       {}", or_none(&self.never_hit()))
    }
}

fn or_none<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    if words.is_empty() { "none".into() } else { words.join(", ") }
}

fn write_line(f: &mut fmt::Formatter<'_>, name: &str, line: &Line) -> fmt::Result {
    let sum = &line.sum;
    write!(f, "{name:<16}")?;
    for number in [
        line.rounds,
        line.void,
        sum.deaths,
        sum.faults,
        sum.commits,
        sum.steps,
        sum.turns,
        sum.lost,
        sum.duplicates,
        sum.forks,
        sum.gaps,
        sum.stuck,
        sum.wrong,
        sum.skipped,
        sum.doubled,
        sum.misread,
        sum.back,
        sum.retries,
    ] {
        write!(f, " {number:>7}")?;
    }
    let (p50, p99) = (percentile(&sum.recovered_ms, 0.5), percentile(&sum.recovered_ms, 0.99));
    writeln!(f, " {p50:>7} {p99:>7}")
}
