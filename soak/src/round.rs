//! One round: a fresh place, a crew, faults for some seconds, calm, and the audit.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::audit::{self, Findings};
use crate::crew::{Crew, Ended, Hand};
use crate::faults::{Faults, PAUSE, between};
use crate::pg_cluster::Server;
use crate::place::Place;
use crate::scenario::{Fault, Scenario};
use crate::totals::Totals;
use crate::worker::{CALM, Orders};

const TICK: Duration = Duration::from_millis(4);

pub(crate) struct Round<'a> {
    pub(crate) scenario: Scenario,
    pub(crate) place: Place,
    /// Where the audit reads; not through a proxy that cuts.
    pub(crate) audit_at: Place,
    pub(crate) folder: &'a Path,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) length: Duration,
    /// How long a worker lives at most.
    pub(crate) life_ms: u64,
    /// How long everything may take to finish when nothing disturbs it any more.
    pub(crate) finish: Duration,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Round<'_> {
    /// None if it was interrupted.
    pub(crate) async fn run(
        &self,
        faults: &mut Faults,
        mut server: Option<&mut Server>,
        totals: &Totals,
    ) -> Result<Option<Findings>> {
        let orders = Orders {
            place: self.place.clone(),
            folder: self.folder.to_owned(),
            acks: self.folder.join("acks"),
            seed: self.seed,
            threads: self.threads,
            lanes: (12 / self.scenario.owners).max(4),
            impatient: self.scenario.fault == Fault::Down,
        };
        let mut crew = Crew::new(orders);
        let mut hands: Vec<Option<Hand>> = (0..self.scenario.owners).map(|_| None).collect();
        let end = Instant::now() + self.length;
        let mut next_fault = Instant::now() + between(300, 1200);
        while Instant::now() < end {
            if self.stop.load(Ordering::SeqCst) {
                return Ok(None);
            }
            for hand in &mut hands {
                self.tend(&mut crew, hand, totals)?;
            }
            if Instant::now() >= next_fault {
                self.disturb(&mut crew, &mut hands, faults, server.as_deref_mut());
                next_fault = Instant::now() + between(500, 1500);
            }
            tokio::time::sleep(TICK).await;
        }
        std::fs::write(self.folder.join(CALM), "").context("cannot call for calm")?;
        faults.calm();
        if !self.finish(&mut crew, hands).await? {
            return Ok(None);
        }
        faults.end(&crew);
        let mut findings = audit::audit(self, &crew).await.context("the audit could not be done")?;
        findings.recovered_ms.extend(faults.recovered(&crew)?);
        findings.faults = faults.count();
        Ok(Some(findings))
    }

    /// Starts a worker where there is none, and kills it when its time has come.
    fn tend(&self, crew: &mut Crew, place: &mut Option<Hand>, totals: &Totals) -> Result<()> {
        let Some(hand) = place else {
            let fail_at = totals.wanted_failpoint(&self.scenario, &crew.hit);
            *place = Some(crew.start(between(20, self.life_ms), fail_at)?);
            return Ok(());
        };
        if let Some(wakes_at) = hand.wakes_at {
            if Instant::now() >= wakes_at {
                hand.wake(between(500, 2000));
            }
        } else if crew.look(hand, self.scenario.fault == Fault::Down)?.is_some() {
            *place = None;
        } else if Instant::now() >= hand.dies_at
            && let Some(hand) = place.take()
        {
            crew.kill(hand)?;
        }
        Ok(())
    }

    fn disturb(
        &self,
        crew: &mut Crew,
        hands: &mut [Option<Hand>],
        faults: &mut Faults,
        server: Option<&mut Server>,
    ) {
        match (self.scenario.fault, server) {
            (Fault::Pause, _) => {
                // At least one goes on while others stand still.
                let standing = hands.iter().flatten().filter(|hand| hand.wakes_at.is_some()).count();
                let awake = hands.iter_mut().flatten().find(|hand| hand.wakes_at.is_none());
                if let Some(hand) = awake.filter(|_| standing + 1 < self.scenario.owners) {
                    crew.stop(hand, PAUSE + between(0, 500));
                    faults.paused();
                }
            }
            (Fault::Down, Some(server)) => {
                server.stop();
                std::thread::sleep(between(100, 1500));
                server.resume();
                faults.restarted();
            }
            _ => {}
        }
    }

    /// Waits until all is done. Not an error if it never is: the audit says which
    /// threads are stuck.
    async fn finish(&self, crew: &mut Crew, mut hands: Vec<Option<Hand>>) -> Result<bool> {
        let give_up = Instant::now() + self.finish;
        let mut finished = vec![false; hands.len()];
        for hand in hands.iter_mut().flatten().filter(|hand| hand.wakes_at.is_some()) {
            hand.wake(self.finish);
        }
        while finished.contains(&false) && Instant::now() < give_up {
            if self.stop.load(Ordering::SeqCst) {
                return Ok(false);
            }
            for (place, finished) in hands.iter_mut().zip(&mut finished).filter(|(_, done)| !**done) {
                let Some(hand) = place else {
                    *place = Some(crew.start(self.finish, None)?);
                    continue;
                };
                match crew.look(hand, self.scenario.fault == Fault::Down)? {
                    None => {}
                    Some(Ended::Finished) => *finished = true,
                    Some(Ended::Killed | Ended::Otherwise) => *place = None,
                }
            }
            tokio::time::sleep(TICK).await;
        }
        for (hand, _) in hands.into_iter().zip(finished).filter(|(_, finished)| !finished) {
            if let Some(hand) = hand {
                crew.wrong.push(format!("a worker had not finished after {:?}", self.finish));
                crew.kill(hand)?;
            }
        }
        Ok(true)
    }
}
