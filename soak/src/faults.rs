//! Faults besides a killed worker, and how long it took until work went on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;

use crate::acks::{self, Ack, now_ms};
use crate::crew::Crew;
use crate::pg_proxy::{Cut, Proxy};
use crate::scenario::Fault;

/// How long a worker stands still at least: longer than it owns a thread.
pub(crate) const PAUSE: Duration = Duration::from_secs(2);
/// One commit of so many is cut.
const CUT_ONE_OF: u64 = 12;

pub(crate) fn between(least_ms: u64, most_ms: u64) -> Duration {
    Duration::from_millis(fastrand::u64(least_ms..=most_ms))
}

/// The faults of one round.
pub(crate) struct Faults {
    fault: Fault,
    proxy: Option<Proxy>,
    cutting: Arc<AtomicBool>,
    pauses: u64,
    /// When the database was there again.
    back_ms: Vec<u64>,
    deaths: u64,
}

impl Faults {
    pub(crate) fn new(fault: Fault) -> Self {
        let cutting = Arc::new(AtomicBool::new(true));
        Self { fault, proxy: None, cutting, pauses: 0, back_ms: Vec::new(), deaths: 0 }
    }

    /// Puts a proxy before the server, and gives its URL.
    pub(crate) async fn stand_between(&mut self, url: &str) -> String {
        let proxy = Proxy::start(url).await;
        let cutting = Arc::clone(&self.cutting);
        proxy.cut(move |_| {
            let cut = cutting.load(Ordering::SeqCst) && fastrand::u64(..CUT_ONE_OF) == 0;
            // Most after the commit was sent: those that nobody knows of.
            cut.then(|| [Cut::Unsent, Cut::Sent, Cut::Answered, Cut::Answered][fastrand::usize(..4)])
        });
        let url = proxy.url.clone();
        self.proxy = Some(proxy);
        url
    }

    pub(crate) fn paused(&mut self) {
        self.pauses += 1;
    }

    pub(crate) fn restarted(&mut self) {
        self.back_ms.push(now_ms());
    }

    pub(crate) fn calm(&self) {
        self.cutting.store(false, Ordering::SeqCst);
    }

    pub(crate) fn end(&mut self, crew: &Crew) {
        self.deaths = crew.deaths;
    }

    /// Those of the scenario's own kind; a round without any shows nothing.
    pub(crate) fn count(&self) -> u64 {
        match self.fault {
            Fault::Kill => self.deaths,
            Fault::Pause => self.pauses,
            Fault::Down => self.back_ms.len() as u64,
            Fault::Cut => self.proxy.as_ref().map_or(0, |proxy| proxy.seen.cuts.load(Ordering::SeqCst)),
        }
    }

    /// From each return of the database to the first commit that it acknowledged.
    pub(crate) fn recovered(&self, crew: &Crew) -> Result<Vec<u64>> {
        if self.back_ms.is_empty() {
            return Ok(Vec::new());
        }
        let mut commits = Vec::new();
        for start in &crew.starts {
            let acks = acks::read(&start.acks)?;
            commits.extend(acks.iter().filter_map(|ack| match ack {
                Ack::Commit { at_ms, .. } => Some(*at_ms),
                _ => None,
            }));
        }
        commits.sort_unstable();
        let after = |back: &u64| commits.iter().find(|at| *at >= back).map(|at| at - back);
        Ok(self.back_ms.iter().filter_map(after).collect())
    }
}
