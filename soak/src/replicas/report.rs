//! What came of it.

use std::fmt;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::task::JoinSet;

use super::load::Story;

#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) replicas: usize,
    pub(crate) took: Duration,
    pub(crate) kills: u64,
    pub(crate) threads: u64,
    pub(crate) runs: u64,
    pub(crate) events: u64,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    /// Events of whole threads that somebody read along; those that were not
    /// seen, and those that were seen as something else.
    pub(crate) watched: u64,
    pub(crate) skipped: u64,
    pub(crate) misread: u64,
    /// What was deleted and shown all the same.
    pub(crate) back: u64,
    /// Articles that were published, and those that were published twice.
    pub(crate) effects: u64,
    pub(crate) doubled_effects: u64,
    /// Stories that did not come to their end.
    pub(crate) stuck: u64,
    pub(crate) breaks: u64,
    pub(crate) retries: u64,
    pub(crate) gaps: Vec<Duration>,
    pub(crate) runs_by_replica: Vec<u64>,
    pub(crate) connections: Vec<u64>,
    /// What is wrong, in words; the first few.
    pub(crate) wrong: Vec<String>,
}

/// More than this nobody reads.
const FEW: usize = 20;

impl Report {
    /// Takes what every client has to tell, once they have ended. The threads that they wrote on to the end.
    pub(crate) async fn gather(&mut self, clients: &mut JoinSet<Vec<Result<Story>>>) -> Result<Vec<String>> {
        let mut threads = Vec::new();
        while let Some(stories) = clients.join_next().await {
            for story in stories.context("a client panicked")? {
                match story {
                    Ok(story) => {
                        threads.push(story.thread.clone());
                        self.take(story);
                    }
                    Err(error) => self.unfinished(&error),
                }
            }
        }
        Ok(threads)
    }

    fn take(&mut self, story: Story) {
        let (lost, doubled, wrong) = story.faults();
        self.threads += 1;
        self.runs += story.runs.len() as u64;
        self.lost += lost;
        self.doubled += doubled;
        self.retries += story.retries;
        self.watched += story.missed.seen;
        self.skipped += story.missed.skipped;
        self.doubled += story.missed.doubled;
        self.misread += story.missed.misread;
        self.back += story.back.len() as u64;
        story.back.into_iter().for_each(|what| self.wrong(what));
        for (live, _) in story.runs {
            self.events += live.seen.len() as u64;
            self.breaks += live.breaks;
            self.gaps.extend(live.gaps);
        }
        wrong.into_iter().for_each(|what| self.wrong(what));
    }

    pub(crate) fn unfinished(&mut self, error: &anyhow::Error) {
        self.stuck += 1;
        self.wrong(format!("{error:#}"));
    }

    pub(crate) fn wrong(&mut self, what: String) {
        if self.wrong.len() < FEW {
            self.wrong.push(what);
        }
    }

    /// Whether every promise was kept, and something was there to break one.
    pub(crate) fn is_well(&self) -> bool {
        let spread = self.runs_by_replica.iter().all(|runs| *runs > 0);
        let seen = self.skipped + self.misread + self.back;
        let faults = self.lost + self.doubled + self.doubled_effects + self.stuck + seen;
        faults == 0
            && self.watched > 0
            && self.wrong.is_empty()
            && spread
            && self.kills > 0
            && self.threads > 0
    }

    /// What the clients saw, without a verdict.
    pub(crate) fn of_clients(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "threads / runs               {} / {}", self.threads, self.runs)?;
        writeln!(
            f,
            "runs a second                {:.1}",
            self.runs as f64 / self.took.as_secs_f64().max(0.001)
        )?;
        writeln!(f, "events read                  {}", self.events)?;
        writeln!(f, "events lost                  {}", self.lost)?;
        writeln!(f, "events doubled               {}", self.doubled)?;
        writeln!(f, "read along / skipped         {} / {}", self.watched, self.skipped)?;
        writeln!(f, "wrongly read                 {}", self.misread)?;
        writeln!(f, "deleted and come back        {}", self.back)?;
        writeln!(f, "effects / doubled            {} / {}", self.effects, self.doubled_effects)?;
        writeln!(f, "stuck or failed              {}", self.stuck)?;
        writeln!(f, "streams cut off              {}", self.breaks)?;
        writeln!(f, "requests sent again          {}", self.retries)?;
        let [half, most, all] = [0.5, 0.99, 1.0].map(|share| self.gap(share).as_millis());
        writeln!(f, "cut to next event, ms        p50 {half}, p99 {most}, max {all}")
    }

    fn gap(&self, share: f64) -> Duration {
        let mut gaps = self.gaps.clone();
        gaps.sort_unstable();
        let place = (gaps.len() as f64 * share) as usize;
        gaps.get(place.min(gaps.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.took.as_secs_f64();
        let shares = |counts: &[u64]| {
            let all = counts.iter().sum::<u64>().max(1);
            let share = |count: &u64| format!("{count} ({:.0} %)", *count as f64 * 100.0 / all as f64);
            counts.iter().map(share).collect::<Vec<_>>().join(", ")
        };
        writeln!(f, "replicas / seconds           {} / {seconds:.0}", self.replicas)?;
        writeln!(f, "kills                        {}", self.kills)?;
        self.of_clients(f)?;
        writeln!(f, "runs settled by replica      {}", shares(&self.runs_by_replica))?;
        writeln!(f, "connections by replica       {}", shares(&self.connections))?;
        for what in &self.wrong {
            writeln!(f, "WRONG: {what}")?;
        }
        write!(f, "{}", if self.is_well() { "every promise was kept" } else { "NOT well" })
    }
}
