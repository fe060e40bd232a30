//! The processes of a round: started, killed, stopped and set going again.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::acks::now_ms;
use crate::worker::{NOT_OPENED, Orders};

/// A worker process.
pub(crate) struct Hand {
    child: Child,
    /// The failpoint that it is to die at.
    armed: Option<String>,
    pub(crate) dies_at: Instant,
    pub(crate) wakes_at: Option<Instant>,
    number: usize,
}

/// Where a process began, for the time until its first progress.
pub(crate) struct Start {
    pub(crate) acks: PathBuf,
    pub(crate) at_ms: u64,
    /// Whether it came after another that was killed, and was not stopped itself:
    /// only then does its first progress say how long a recovery takes.
    pub(crate) recovers: bool,
}

pub(crate) struct Crew {
    orders: Orders,
    pub(crate) starts: Vec<Start>,
    pub(crate) deaths: u64,
    /// Deaths by failpoint.
    pub(crate) hit: BTreeMap<String, u64>,
    /// Workers that ended as nobody meant them to.
    pub(crate) wrong: Vec<String>,
}

/// How a worker ended.
pub(crate) enum Ended {
    Killed,
    /// It had nothing left to do.
    Finished,
    Otherwise,
}

impl Crew {
    pub(crate) fn new(orders: Orders) -> Self {
        Self { orders, starts: Vec::new(), deaths: 0, hit: BTreeMap::new(), wrong: Vec::new() }
    }

    /// Starts a worker. The thread that calls this must outlive it.
    pub(crate) fn start(&mut self, life: Duration, fail_at: Option<(String, u64)>) -> Result<Hand> {
        let number = self.starts.len();
        let orders = &mut self.orders;
        orders.acks = orders.folder.join(format!("acks-{number}"));
        let log = File::create(orders.folder.join(format!("worker-{number}.log")))?;
        // Not even a stopped worker outlives the conductor.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(std::env::current_exe()?).arg("worker");
        command.args(orders.to_words()).env_remove("FAIL_AT").stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(log);
        // Ctrl-C is for the conductor.
        command.process_group(0);
        if let Some((name, nth)) = &fail_at {
            command.env("FAIL_AT", format!("{name}:{nth}"));
        }
        let child = command.spawn().context("cannot start a worker by `setpriv`")?;
        let recovers = self.deaths > 0;
        self.starts.push(Start { acks: orders.acks.clone(), at_ms: now_ms(), recovers });
        let armed = fail_at.map(|(name, _)| name);
        Ok(Hand { child, armed, dies_at: Instant::now() + life, wakes_at: None, number })
    }

    /// Whether a worker has ended by itself, and how.
    pub(crate) fn look(&mut self, hand: &mut Hand, may_not_open: bool) -> Result<Option<Ended>> {
        let Some(status) = hand.child.try_wait()? else { return Ok(None) };
        Ok(Some(self.ended(hand, status, may_not_open)))
    }

    /// Kills a worker, as by `kill -9`.
    pub(crate) fn kill(&mut self, mut hand: Hand) -> Result<()> {
        hand.child.kill()?;
        let status = hand.child.wait()?;
        self.ended(&hand, status, true);
        Ok(())
    }

    /// Stops a process where it stands, for so long.
    pub(crate) fn stop(&mut self, hand: &mut Hand, pause: Duration) {
        hand.signal("-STOP");
        hand.wakes_at = Some(Instant::now() + pause);
        self.starts[hand.number].recovers = false;
    }

    fn ended(&mut self, hand: &Hand, status: ExitStatus, may_not_open: bool) -> Ended {
        if status.success() {
            return Ended::Finished;
        }
        match (status.signal(), &hand.armed) {
            (Some(9), _) => self.deaths += 1,
            (Some(6), Some(name)) => {
                self.deaths += 1;
                *self.hit.entry(name.clone()).or_default() += 1;
            }
            _ if status.code() == Some(NOT_OPENED) && may_not_open => return Ended::Otherwise,
            _ => {
                let log = self.orders.folder.join(format!("worker-{}.log", hand.number));
                let said = std::fs::read_to_string(log).unwrap_or_default();
                let last: Vec<&str> = said.lines().rev().take(3).collect();
                self.wrong.push(format!(
                    "worker {} ended by itself, {status}: {}",
                    hand.number,
                    last.join(" / ")
                ));
                return Ended::Otherwise;
            }
        }
        Ended::Killed
    }
}

impl Hand {
    /// Sets it going again; it lives for some time more, to do what it meant to.
    pub(crate) fn wake(&mut self, life: Duration) {
        self.signal("-CONT");
        self.wakes_at = None;
        self.dies_at = Instant::now() + life;
    }

    fn signal(&self, signal: &str) {
        // It may have died by a failpoint meanwhile, which the next look finds out.
        drop(Command::new("kill").args([signal, &self.child.id().to_string()]).status());
    }
}

impl Drop for Hand {
    /// A round that is given up leaves nobody behind.
    fn drop(&mut self) {
        // Both do nothing to a process that has ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
