//! Carries out what is in the queue: claims runs, renews what it holds, and
//! says what came of them. Every process on the store has workers; which of
//! them gets a run makes no difference to anybody.

mod carry_out;
mod crons;
mod deadlines;
mod expiry;
mod forgetting;
mod live;
mod rounds;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use duru::RunId;
use duru::store::{Cancel, Claimed, Owner, QueuedRun, Worker};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use live::{Ended, Follower, Live};

use crate::hub::Shared;
use crate::options::{Limits, Options};

/// How long the end of a run is held back until the queue knows of it too.
const SETTLE: Duration = Duration::from_secs(1);

/// The workers of this process, as requests see them.
pub(crate) struct Pool {
    /// Who works here.
    pub(crate) worker: Worker,
    /// It will stop soon.
    leaving: CancellationToken,
    stopping: CancellationToken,
    /// Nothing is carried out here any more.
    closed: CancellationToken,
    /// There may be something to claim.
    wake: Notify,
    live: Mutex<HashMap<RunId, Arc<Live>>>,
    under_way: AtomicUsize,
    /// How many at once.
    pub(crate) limits: Arc<Limits>,
    /// How many runs waited in the queue when we last looked.
    waiting: AtomicUsize,
    /// Since when the first of them did.
    waits_since: Mutex<Option<tokio::time::Instant>>,
    tasks: TaskTracker,
}

/// The handle to this process's workers.
pub(crate) struct Workers {
    hub: Shared,
    /// Those that end when the server stops.
    rounds: Vec<JoinHandle<()>>,
    /// What is under way, and who watches, needs them until the end.
    lasting: [JoinHandle<()>; 3],
}

/// The runs that are under way in this process, whichever of its servers carries them out: they all have its name.
static KNOWN: LazyLock<Mutex<HashMap<RunId, usize>>> = LazyLock::new(Mutex::default);

fn known() -> MutexGuard<'static, HashMap<RunId, usize>> {
    // Nothing panics half-way through a change.
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a run is under way in this process.
fn is_known(run: RunId) -> bool {
    known().contains_key(&run)
}

/// A run under way, as long as this lives.
struct Known(RunId);

impl Known {
    fn new(run: RunId) -> Self {
        *known().entry(run).or_default() += 1;
        Self(run)
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        let mut known = known();
        if let Some(times) = known.get_mut(&self.0) {
            *times -= 1;
            if *times == 0 {
                known.remove(&self.0);
            }
        }
    }
}

impl Pool {
    pub(crate) fn new(options: &Options, limits: Arc<Limits>) -> Self {
        let lease_ms = u64::try_from(options.lease.as_millis()).unwrap_or(u64::MAX);
        Self {
            worker: Worker { owner: Owner::this_process(), lease_ms },
            leaving: CancellationToken::new(),
            stopping: CancellationToken::new(),
            closed: CancellationToken::new(),
            wake: Notify::new(),
            live: Mutex::default(),
            under_way: AtomicUsize::new(0),
            limits,
            waiting: AtomicUsize::new(0),
            waits_since: Mutex::default(),
            tasks: TaskTracker::new(),
        }
    }

    /// Starts the rounds that claim, renew and look after what is due.
    pub(crate) fn start(hub: &Shared) -> Workers {
        let (rounds, lasting) = rounds::start(hub);
        Workers { hub: Arc::clone(hub), rounds, lasting }
    }

    /// Goes on for now, but not for long.
    pub(crate) fn leave(&self) {
        self.leaving.cancel();
    }

    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving.is_cancelled() || self.is_stopping()
    }

    /// Takes no more, and lets what is under way end its step.
    pub(crate) fn stop(&self) {
        self.stopping.cancel();
        for live in self.lives().values() {
            live.drain.cancel();
        }
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Waits until the server stops.
    pub(crate) async fn stopped(&self) {
        self.stopping.cancelled().await;
    }

    /// Waits until the workers have stopped: what is not over by then is over
    /// elsewhere, or after the next start.
    pub(crate) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    /// Whether a new run may begin here at once.
    pub(crate) fn has_room(&self) -> bool {
        !self.is_stopping() && self.under_way.load(Ordering::Relaxed) < self.limits.runs_at_once()
    }

    /// Whether a run is under way here.
    pub(crate) fn is_under_way(&self, run: RunId) -> bool {
        self.lives().get(&run).is_some_and(|live| live.has_begun())
    }

    /// How many runs are under way here.
    pub(crate) fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// How many runs wait, as far as this process knows.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// How long the first of them has waited, as far as this process knows.
    pub(crate) fn queue_age(&self) -> Duration {
        let since = self.waits_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.map(|at| at.elapsed()).unwrap_or_default()
    }

    /// What the store says of those that nobody has taken.
    fn looked(&self, claimed: &Claimed) {
        self.waiting.store(claimed.waiting, Ordering::Relaxed);
        let now = tokio::time::Instant::now();
        let first = now.checked_sub(Duration::from_millis(claimed.waited_ms)).unwrap_or(now);
        *self.waits_since.lock().unwrap_or_else(PoisonError::into_inner) =
            (claimed.waiting > 0).then_some(first);
    }

    /// Something was put into the queue.
    pub(crate) fn wake(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.wake.notify_one();
    }

    fn lives(&self) -> MutexGuard<'_, HashMap<RunId, Arc<Live>>> {
        // Nothing panics half-way through a change.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits with others for the end of a run, wherever it runs.
    pub(crate) fn follow(self: &Arc<Self>, run: RunId) -> Follower {
        let live = Arc::clone(self.lives().entry(run).or_default());
        live.follow();
        Follower { pool: Arc::clone(self), live, run, reads: false }
    }

    /// Waits a moment until the queue, too, knows of a run's end: whoever hears of it may ask for its status, or
    /// want to stop it, next. Nothing is waited for where the run is another process's.
    pub(crate) async fn settled(self: &Arc<Self>, run: RunId) {
        let follower = self.follow(run);
        if follower.is_here() {
            drop(timeout(SETTLE, follower.ended()).await);
        }
    }

    /// Runs something to its end, although its caller may leave.
    pub(crate) async fn to_the_end<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> T {
        match self.tasks.spawn(work).await {
            Ok(done) => done,
            // Nobody aborts it.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }

    /// Nobody waits any more for a run that never began here.
    fn unfollow(&self, run: RunId, live: &Arc<Live>) {
        let mut lives = self.lives();
        // A run that came back here has another one by now.
        let same = lives.get(&run).is_some_and(|found| Arc::ptr_eq(found, live));
        if live.unfollow() == 0 && !live.has_begun() && same {
            lives.remove(&run);
        }
    }

    /// Begins a run that is ours.
    pub(crate) fn begin(&self, hub: &Shared, run: QueuedRun) {
        let live = Arc::clone(self.lives().entry(run.id).or_default());
        live.begin(run.attempt);
        if self.is_stopping() {
            live.drain.cancel();
        }
        if let Some(how) = run.cancel {
            live.stop(how);
        }
        self.under_way.fetch_add(1, Ordering::Relaxed);
        let hub = Arc::clone(hub);
        let is_known = Known::new(run.id);
        self.tasks.spawn(async move {
            let _known = is_known;
            let id = run.id;
            let more = carry_out::carry_out(&hub, run, &live).await;
            hub.pool.under_way.fetch_sub(1, Ordering::Relaxed);
            hub.pool.lives().remove(&id);
            live.leave();
            // The next one of the thread may begin, or one that found no room. To look costs the store a
            // search: not after every run of a thread that is gone with it.
            if more || hub.pool.waiting() > 0 {
                hub.pool.wake.notify_one();
            }
        });
    }

    /// Stops a run if it is under way here; elsewhere its worker hears of it.
    pub(crate) fn stop_here(&self, run: RunId, how: Cancel) {
        if let Some(live) = self.lives().get(&run) {
            live.stop(how);
        }
    }
}

impl Workers {
    /// Waits for what is under way, as long as the grace lasts; what is left then
    /// is taken up by others when its lease ends.
    pub(crate) async fn finish(self) {
        let pool = &self.hub.pool;
        pool.stop();
        let last = async {
            // One of them may just be about to begin a run.
            for round in self.rounds {
                drop(round.await);
            }
            pool.tasks.close();
            pool.tasks.wait().await;
        };
        if tokio::time::timeout(self.hub.options.grace, last).await.is_err() {
            for live in pool.lives().values() {
                live.give_back();
            }
            // A second is plenty to say so.
            pool.tasks.close();
            drop(tokio::time::timeout(std::time::Duration::from_secs(1), pool.tasks.wait()).await);
        }
        self.lasting.iter().for_each(JoinHandle::abort);
        pool.closed.cancel();
    }
}
