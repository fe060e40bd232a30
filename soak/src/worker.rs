//! A worker: a process that drives threads until it is killed, or until it is
//! told to finish what is under way.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duru::store::{Checkpoints, Owner};
use duru::testkit::ledger::Ledger;
use duru::{failpoint, store};
use tokio::task::JoinSet;

use crate::acks::{Ack, Acks, Noted};
use crate::mortal::Mortals;
use crate::place::{PATIENCE, Place};
use crate::watch::{WATCHERS, Watcher};
use crate::work::{Moved, Pace, Works, name};

/// The exit code of a worker that could not open its store.
pub(crate) const NOT_OPENED: i32 = 3;
/// A file of this name in the folder says: finish, and begin nothing new.
pub(crate) const CALM: &str = "calm";
/// The name of the file that effects are written to.
pub(crate) const LEDGER: &str = "ledger";

/// What the conductor tells a worker.
#[derive(Debug, Clone)]
pub(crate) struct Orders {
    pub(crate) place: Place,
    pub(crate) folder: PathBuf,
    pub(crate) acks: PathBuf,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) lanes: usize,
    /// Whether some workers give up at once on a database that is away, and
    /// try again with a new run, instead of waiting for it.
    pub(crate) impatient: bool,
}

impl Orders {
    pub(crate) fn to_words(&self) -> Vec<String> {
        vec![
            self.place.to_word(),
            self.folder.display().to_string(),
            self.acks.display().to_string(),
            self.seed.to_string(),
            self.threads.to_string(),
            self.lanes.to_string(),
            self.impatient.to_string(),
        ]
    }

    pub(crate) fn from_words(words: &[String]) -> Result<Self> {
        let [place, folder, acks, seed, threads, lanes, impatient] = words else {
            bail!("a worker is started by the conductor");
        };
        Ok(Self {
            place: Place::from_word(place)?,
            folder: folder.into(),
            acks: acks.into(),
            seed: seed.parse().context("seed")?,
            threads: threads.parse().context("threads")?,
            lanes: lanes.parse().context("lanes")?,
            impatient: impatient.parse().context("impatient")?,
        })
    }
}

/// What to do after an error of the engine.
enum Next {
    /// Another owner has the thread, or the database is away: try others first.
    Later(&'static str),
    Wrong,
}

/// The one place that knows which errors other owners and absent databases cause.
fn next(error: &duru::Error) -> Next {
    use duru::Error as E;
    match error {
        E::Store(store::Error::Conflict { .. } | store::Error::Deleted { .. }) => Next::Later("conflict"),
        E::Store(store::Error::Backend { .. }) => Next::Later("backend"),
        E::Store(store::Error::Owned { .. }) => Next::Later("owned"),
        // The thread moved on between our look at it and our call.
        E::Busy { .. } | E::NothingToResume { .. } | E::UnknownInterrupt { .. } | E::Waiting { .. } => {
            Next::Later("moved")
        }
        _ => Next::Wrong,
    }
}

struct Worker {
    orders: Orders,
    works: Arc<Works>,
    mortals: Arc<Mortals>,
    acks: Acks,
    /// Threads in an order of this worker's own, so that several do not walk in step.
    order: Vec<usize>,
    turn: AtomicUsize,
    /// Threads that were found at rest after calm was called for.
    at_rest: Vec<AtomicBool>,
}

pub(crate) async fn run(orders: Orders) -> Result<()> {
    let acks = Acks::open(&orders.acks)?;
    let patience = if orders.impatient && fastrand::bool() { Duration::from_millis(100) } else { PATIENCE };
    let inner = match orders.place.open(patience).await {
        Ok(store) => store,
        Err(error) => {
            eprintln!("{error:#}");
            std::process::exit(NOT_OPENED);
        }
    };
    failpoint::arm_from_env();
    let store: Arc<dyn Checkpoints> = Arc::new(Noted { inner, acks: acks.clone() });
    let ledger = Ledger::in_file(orders.folder.join(LEDGER));
    let works = Works::new(orders.seed, &store, &ledger, Pace(Duration::from_millis(8)));
    // Of some it is known that they are dead; others could be on another
    // machine, where only the end of their lease tells.
    let elsewhere = Owner::named(&format!("elsewhere-{:016x}", fastrand::u64(..)));
    let owner = if fastrand::bool() { Owner::this_process() } else { elsewhere };
    let works = Arc::new(works.owned_by(&owner));
    let mortals = Arc::new(Mortals::new(&store, &owner));
    let watcher = Watcher {
        works: Arc::clone(&works),
        mortals: Arc::clone(&mortals),
        acks: acks.clone(),
        store: Arc::clone(&store),
        threads: orders.threads,
    };
    let mut order: Vec<usize> = (0..orders.threads).collect();
    fastrand::shuffle(&mut order);
    let lanes = orders.lanes;
    let at_rest = order.iter().map(|_| AtomicBool::new(false)).collect();
    let worker = Arc::new(Worker { orders, works, mortals, acks, order, turn: AtomicUsize::new(0), at_rest });
    let mut readers = JoinSet::new();
    for _ in 0..WATCHERS {
        let is_done = {
            let worker = Arc::clone(&worker);
            move || worker.is_at_rest()
        };
        readers.spawn(watcher.clone().read_along(is_done));
    }
    let mut tasks = JoinSet::new();
    for _ in 0..lanes {
        let worker = Arc::clone(&worker);
        tasks.spawn(async move { worker.drive().await });
    }
    while !worker.orders.folder.join(CALM).exists() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // From here on a lane ends when there is nothing left to do.
    while let Some(lane) = tasks.join_next().await {
        lane.context("a lane of the worker panicked")?;
    }
    while let Some(reader) = readers.join_next().await {
        reader.context("a reader of the worker panicked")?;
    }
    worker.orders.place.settle().await;
    Ok(())
}

impl Worker {
    fn is_at_rest(&self) -> bool {
        self.at_rest.iter().all(|at_rest| at_rest.load(Ordering::Relaxed))
    }

    async fn drive(&self) {
        while !self.is_at_rest() {
            if fastrand::u8(..5) == 0 {
                self.live_and_die().await;
            }
            let index = self.order[self.turn.fetch_add(1, Ordering::Relaxed) % self.order.len()];
            if self.at_rest[index].load(Ordering::Relaxed) {
                tokio::task::yield_now().await;
                continue;
            }
            let calm = self.orders.folder.join(CALM).exists();
            let moved = self.advance(index, !calm).await;
            // Whoever begins a new turn in spite of the calm had not heard of it, and finishes it: also where another lane
            // has found the thread at rest meanwhile.
            self.at_rest[index].store(calm && matches!(moved, Moved::Nothing), Ordering::Relaxed);
        }
    }

    /// Goes on with a thread that is deleted and made again, or deletes it.
    async fn live_and_die(&self) {
        match self.mortals.advance().await {
            Ok(None) => {}
            Ok(Some(text)) => self.acks.note(&Ack::Back { thread: "m".into(), text }),
            Err(error) => drop(self.put_off("m", &error)),
        }
    }

    async fn advance(&self, index: usize, new_turns: bool) -> Moved {
        let thread = name(index);
        let show = &mut |event: &duru::Event| self.acks.note(&Ack::event(&thread, event));
        match self.works.advance(index, new_turns, show).await {
            Ok(moved) => {
                match &moved {
                    Moved::Ran(Some(turns)) => {
                        self.acks.note(&Ack::Done { thread: thread.clone(), turns: *turns });
                    }
                    Moved::Failed(text) => {
                        self.acks.note(&Ack::Wrong { thread: thread.clone(), text: text.clone() })
                    }
                    _ => {}
                }
                moved
            }
            Err(error) => {
                let wait = self.put_off(&thread, &error);
                tokio::time::sleep(wait).await;
                Moved::Ran(None)
            }
        }
    }

    /// Writes an error down, and says how long to wait.
    fn put_off(&self, thread: &str, error: &duru::Error) -> Duration {
        match next(error) {
            Next::Later(why) => {
                let detail = if why == "backend" { error.to_string() } else { String::new() };
                self.acks.note(&Ack::Later { why: format!("{why} {detail}").replace('\n', " ") });
                Duration::from_millis(5)
            }
            Next::Wrong => {
                self.acks.note(&Ack::Wrong { thread: thread.to_owned(), text: error.to_string() });
                Duration::from_millis(100)
            }
        }
    }
}
