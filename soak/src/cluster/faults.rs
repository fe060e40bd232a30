//! What is done to the machines: a lane for each sort of them, all at once. Each fault is seen to have happened and to be
//! over before the next one of its lane.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::net::Machine;
use super::nodes::{Cluster, Part};
use super::process::Process;

/// A worker keeps what it works on for so long without a word.
const LEASE: f64 = 15.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    ReplicaKilled,
    ReplicaPaused,
    ReplicaUnplugged,
    ReplicaCutOff,
    ReplicaOvertaken,
    NatsKilled,
    NatsPaused,
    NatsUnplugged,
    NatsCutOff,
    DatabaseRestarted,
    DatabaseUnplugged,
    DatabaseCutOff,
    BucketKilled,
    BucketPaused,
    BucketUnplugged,
}

/// What happens.
#[derive(Debug, Clone, Copy)]
enum Deed {
    /// `kill -9`, or what PostgreSQL takes for a loss of power; then started again.
    End(&'static str),
    /// SIGSTOP, for so many seconds.
    Pause(f64, f64),
    /// The cable is out.
    Unplug,
    /// What it sends to one of the others is lost; what that one sends arrives.
    /// For so many seconds.
    CutOff(f64, f64),
}

impl Kind {
    const REPLICAS: [Self; 5] = [
        Self::ReplicaKilled,
        Self::ReplicaPaused,
        Self::ReplicaUnplugged,
        Self::ReplicaCutOff,
        Self::ReplicaOvertaken,
    ];
    const NATS: [Self; 4] = [Self::NatsKilled, Self::NatsPaused, Self::NatsUnplugged, Self::NatsCutOff];
    const DATABASES: [Self; 3] = [Self::DatabaseRestarted, Self::DatabaseUnplugged, Self::DatabaseCutOff];
    const BUCKET: [Self; 3] = [Self::BucketKilled, Self::BucketPaused, Self::BucketUnplugged];

    /// All that there are in a cluster with or without logs.
    pub(crate) fn all(logs: bool) -> impl Iterator<Item = Self> {
        let bucket = Self::BUCKET.into_iter().filter(move |_| logs);
        Self::REPLICAS.into_iter().chain(Self::NATS).chain(Self::DATABASES).chain(bucket)
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::ReplicaKilled => "replica killed",
            Self::ReplicaPaused => "replica stopped longer than a lease",
            Self::ReplicaUnplugged => "replica unplugged",
            Self::ReplicaCutOff => "replica to database cut, one way",
            Self::ReplicaOvertaken => "the same, longer than a lease",
            Self::NatsKilled => "NATS killed",
            Self::NatsPaused => "NATS stopped",
            Self::NatsUnplugged => "NATS unplugged",
            Self::NatsCutOff => "NATS to NATS cut, one way",
            Self::DatabaseRestarted => "database lost its power and came back",
            Self::DatabaseUnplugged => "database unplugged",
            Self::DatabaseCutOff => "database to replica cut, one way",
            Self::BucketKilled => "S3 killed",
            Self::BucketPaused => "S3 stopped",
            Self::BucketUnplugged => "S3 unplugged",
        }
    }

    fn deed(self) -> Deed {
        match self {
            Self::ReplicaKilled | Self::NatsKilled | Self::BucketKilled => Deed::End("KILL"),
            Self::DatabaseRestarted => Deed::End("QUIT"),
            Self::ReplicaPaused => Deed::Pause(LEASE + 1.0, LEASE + 4.0),
            Self::NatsPaused | Self::BucketPaused => Deed::Pause(2.0, 5.0),
            Self::ReplicaUnplugged
            | Self::NatsUnplugged
            | Self::DatabaseUnplugged
            | Self::BucketUnplugged => Deed::Unplug,
            Self::ReplicaCutOff | Self::NatsCutOff | Self::DatabaseCutOff => Deed::CutOff(1.5, 6.0),
            // What was on its way to the database arrives when others have taken over.
            Self::ReplicaOvertaken => Deed::CutOff(LEASE + 3.0, LEASE + 6.0),
        }
    }
}

/// How often something was done, seen to have happened, and seen to be over.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) fired: u64,
    pub(crate) confirmed: u64,
    pub(crate) undone: u64,
}

pub(crate) type Counts = BTreeMap<Kind, Count>;

/// When it ends.
pub(super) struct Storm {
    pub(super) until: Instant,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) seed: u64,
}

impl Storm {
    fn is_over(&self) -> bool {
        Instant::now() > self.until || self.stop.load(Ordering::SeqCst)
    }

    /// Does all of it until the time is over, and each kind once at least.
    pub(super) async fn rage(&self, cluster: &mut Cluster) -> Result<Counts> {
        let counts = RefCell::new(Counts::new());
        let machines = |processes: &[Process]| -> Vec<Arc<Machine>> {
            processes.iter().map(|process| Arc::clone(&process.machine)).collect()
        };
        let (replicas, databases) = (machines(&cluster.replicas), machines(&cluster.databases));
        let nats = machines(&cluster.nats);
        let lane = |part, kinds: &'static [Kind], peers, between| Lane {
            part,
            kinds,
            peers,
            between,
            witness: &cluster.witness,
            counts: &counts,
            dice: fastrand::Rng::with_seed(self.seed.wrapping_mul(31).wrapping_add(kinds[0] as u64)),
        };
        let mut of_replicas = lane(Part::Replica, &Kind::REPLICAS, &databases, 1.0..4.0);
        let mut of_nats = lane(Part::Nats, &Kind::NATS, &nats, 2.0..6.0);
        let mut of_databases = lane(Part::Database, &Kind::DATABASES, &replicas, 4.0..9.0);
        let mut of_bucket = lane(Part::Bucket, &Kind::BUCKET, &nats, 4.0..9.0);
        // All on the thread that outlives everything: processes end with the thread that started them.
        tokio::try_join!(
            of_replicas.rage(self, &mut cluster.replicas),
            of_nats.rage(self, &mut cluster.nats),
            of_databases.rage(self, &mut cluster.databases),
            of_bucket.rage(self, &mut cluster.bucket),
        )?;
        Ok(counts.into_inner())
    }
}

/// One fault after the other, on machines of one sort.
struct Lane<'a> {
    part: Part,
    kinds: &'static [Kind],
    /// Those that it talks to.
    peers: &'a [Arc<Machine>],
    /// Seconds between two faults.
    between: Range<f64>,
    witness: &'a Machine,
    counts: &'a RefCell<Counts>,
    dice: fastrand::Rng,
}

impl Lane<'_> {
    async fn rage(&mut self, storm: &Storm, processes: &mut [Process]) -> Result<()> {
        if processes.is_empty() {
            return Ok(());
        }
        let mut deck: Vec<Kind> = Vec::new();
        let mut dealt = 0;
        loop {
            // Each kind as often as the others, in another order each time.
            if deck.is_empty() {
                deck.extend(self.kinds);
                self.dice.shuffle(&mut deck);
                dealt += 1;
            }
            if storm.stop.load(Ordering::SeqCst) || (storm.is_over() && dealt > 1) {
                return Ok(());
            }
            self.rest(self.between.clone()).await;
            let (Some(kind), one) = (deck.pop(), self.dice.usize(..processes.len())) else { continue };
            let mut count = Count { fired: 1, ..Count::default() };
            let done = self.fire(kind, &mut processes[one], &mut count).await;
            let name = processes[one].machine.name.clone();
            done.with_context(|| format!("{} ({name})", kind.words()))?;
            let mut counts = self.counts.borrow_mut();
            let sum = counts.entry(kind).or_default();
            sum.fired += count.fired;
            sum.confirmed += count.confirmed;
            sum.undone += count.undone;
            if count.confirmed + count.undone < 2 {
                eprintln!(
                    "{} ({name}): confirmed {}, undone {}",
                    kind.words(),
                    count.confirmed,
                    count.undone
                );
            }
        }
    }

    async fn rest(&mut self, seconds: Range<f64>) {
        let pause = seconds.start + self.dice.f64() * (seconds.end - seconds.start);
        tokio::time::sleep(Duration::from_secs_f64(pause)).await;
    }

    async fn fire(&mut self, kind: Kind, process: &mut Process, count: &mut Count) -> Result<()> {
        match kind.deed() {
            Deed::End(signal) => {
                count.confirmed += u64::from(process.end_by(signal).await?);
                self.rest(0.0..2.0).await;
                process.start()?;
                self.part.is_there(process).await?;
                count.undone += 1;
            }
            Deed::Pause(least, most) => {
                let began = process.pause().await?;
                self.rest(least..most).await;
                count.confirmed += u64::from(began && process.is_paused()?);
                count.undone += u64::from(process.go_on().await?);
                self.part.is_there(process).await?;
            }
            Deed::Unplug => {
                let machine = Arc::clone(&process.machine);
                let held = machine.hold(self.witness).await;
                machine.set_link(false)?;
                let is_out = !machine.still_reaches(self.witness).await?;
                self.rest(1.0..5.0).await;
                count.confirmed += u64::from(is_out);
                machine.set_link(true)?;
                let is_in = machine.reaches(self.witness).await? && self.witness.reaches(&machine).await?;
                count.undone += u64::from(is_in);
                drop(held);
                self.part.is_there(process).await?;
            }
            Deed::CutOff(least, most) => {
                let machine = Arc::clone(&process.machine);
                self.cut_off(&machine, least..most, count).await?;
                self.part.is_there(process).await?;
            }
        }
        Ok(())
    }

    async fn cut_off(&mut self, machine: &Machine, seconds: Range<f64>, count: &mut Count) -> Result<()> {
        let others: Vec<_> = self.peers.iter().filter(|peer| peer.name != machine.name).collect();
        let other = others[self.dice.usize(..others.len())];
        let _held = machine.hold(other).await;
        machine.cut_to(other)?;
        let (there, back) = (machine.still_reaches(other).await?, other.reaches(machine).await?);
        self.rest(seconds).await;
        count.confirmed += u64::from(!there && back);
        machine.mend_to(other)?;
        count.undone += u64::from(machine.reaches(other).await?);
        Ok(())
    }
}
