//! A graph on a store: its threads.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::compiled::Compiled;
use crate::driver::Holder;
use crate::error::Error;
use crate::stepper::Stepper;
use crate::store::{Checkpoints, Head, Owner, Timer};
use crate::stream::{Feed, Mark};
use crate::thread::Thread;
use crate::{Incarnation, InterruptId, InvalidThreadId, State, ThreadId, store};

/// How many idle threads are kept ready in memory, so that the next turn need
/// not read the whole thread again.
const WARM_THREADS: usize = 256;
/// How many deadlines are looked at in one go.
const DUE_AT_ONCE: usize = 100;
/// Of so many deadlines it is remembered that they are another graph's.
const FOREIGN: usize = 65_536;

/// A graph on a store. Cheap to clone; clones share what they know of their threads.
pub struct App<S: State, I = <S as State>::Update, O = Arc<S>> {
    pub(crate) graph: Compiled<S, I, O>,
    pub(crate) store: Arc<dyn Checkpoints>,
    pub(crate) desk: Arc<Desk>,
}

impl<S: State, I, O> Clone for App<S, I, O> {
    fn clone(&self) -> Self {
        Self { graph: self.graph.clone(), store: Arc::clone(&self.store), desk: Arc::clone(&self.desk) }
    }
}

impl<S: State, I, O> App<S, I, O> {
    pub(crate) fn new(graph: Compiled<S, I, O>, store: Arc<dyn Checkpoints>) -> Self {
        Self { graph, store, desk: Arc::default() }
    }

    /// The same app, running threads as this owner, who keeps a thread for so
    /// long after its last sign of life. By default that is this process, and
    /// 15 seconds.
    ///
    /// No other owner may run the thread meanwhile. Every commit is a sign of
    /// life, and a run that waits for a slow task gives one now and then.
    #[must_use]
    pub fn owned_by(&self, owner: Owner, lease: Duration) -> Self {
        let desk = Arc::new(Desk::of(owner, lease));
        Self { graph: self.graph.clone(), store: Arc::clone(&self.store), desk }
    }

    /// A thread by its name; it need not exist yet.
    pub fn thread<T>(&self, id: T) -> Result<Thread<S, I, O>, Error>
    where
        T: TryInto<ThreadId>,
        T::Error: Into<InvalidThreadId>,
    {
        let id = id.try_into().map_err(|error| Error::ThreadId(error.into()))?;
        Ok(Thread { app: self.clone(), id })
    }

    /// The graph.
    pub fn graph(&self) -> &Compiled<S, I, O> {
        &self.graph
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn Checkpoints> {
        &self.store
    }
}

impl<S: State, I: Send + 'static, O: Send + 'static> App<S, I, O> {
    /// Goes on with every thread whose question has passed its deadline, with
    /// the default answer. Gives how many went on; call it now and then.
    ///
    /// A thread that fails does not keep the others from going on: the first
    /// error is given back after all have been tried.
    pub async fn run_due(&self) -> Result<usize, Error> {
        let now_ms = self.graph.kit.clock.now_ms();
        let (mut count, mut first_error) = (0, None);
        let mut tried = BTreeSet::new();
        let mut after: Option<Timer> = None;
        loop {
            let due = self.store.due(now_ms, after.as_ref(), DUE_AT_ONCE).await?;
            for timer in &due {
                if self.desk.is_foreign(timer.interrupt) || !tried.insert(timer.thread.clone()) {
                    continue;
                }
                let thread = Thread { app: self.clone(), id: timer.thread.clone() };
                match thread.answer_overdue().await {
                    Ok(_) => count += 1,
                    // Somebody else was faster: the thread goes on, only not here.
                    Err(
                        Error::Busy { .. }
                        | Error::NothingToResume { .. }
                        | Error::Waiting { .. }
                        | Error::Store(store::Error::Owned { .. }),
                    ) => {}
                    // Another graph's thread on the same store is that graph's to go on with.
                    Err(Error::OtherGraph { .. }) => self.desk.note_foreign(timer.interrupt),
                    Err(error) => first_error = first_error.or(Some(error)),
                }
            }
            // There may be many that are not for this graph: those behind them are.
            match due.last() {
                Some(last) if due.len() == DUE_AT_ONCE => after = Some(last.clone()),
                _ => break,
            }
        }
        first_error.map_or(Ok(count), Err)
    }
}

/// What this process knows of the threads of an app.
#[derive(Default)]
pub(crate) struct Desk {
    /// The owner as which this process runs them.
    pub(crate) holder: Holder,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    active: HashMap<ThreadId, Switches>,
    feeds: HashMap<ThreadId, Weak<Feed>>,
    sweep_feeds_at: usize,
    warm: HashMap<ThreadId, Warm>,
    /// Warm threads, the one used longest ago first.
    order: VecDeque<ThreadId>,
    /// Questions with a deadline that are known to be another graph's.
    foreign: HashSet<InterruptId>,
}

/// How a run is stopped from outside; none where nobody can.
#[derive(Clone, Default)]
pub(crate) struct Switches {
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) drain: Option<CancellationToken>,
}

impl Switches {
    /// These, with every switch in place.
    pub(crate) fn complete(mut self) -> Self {
        self.cancel.get_or_insert_default();
        self.drain.get_or_insert_default();
        self
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancellationToken::is_cancelled)
    }
}

/// An idle thread's state, as of a version.
pub(crate) struct Warm {
    pub(crate) incarnation: Incarnation,
    pub(crate) version: u64,
    pub(crate) stepper: Stepper,
}

impl Desk {
    pub(crate) fn of(owner: Owner, lease: Duration) -> Self {
        Self { holder: Holder { owner, lease }, ..Self::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics half-way through a change.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a thread for a run of this process.
    pub(crate) fn begin(self: &Arc<Self>, thread: &ThreadId, switches: Switches) -> Result<Turn, Error> {
        let mut inner = self.inner();
        if inner.active.contains_key(thread) {
            return Err(Error::Busy { thread: thread.clone() });
        }
        inner.active.insert(thread.clone(), switches);
        Ok(Turn { desk: Arc::clone(self), thread: thread.clone() })
    }

    pub(crate) fn switches(&self, thread: &ThreadId) -> Option<Switches> {
        self.inner().active.get(thread).cloned()
    }

    /// Cancels the run of a thread. Whether there was one.
    pub(crate) fn cancel(&self, thread: &ThreadId) -> bool {
        let cancel = self.switches(thread).and_then(|switches| switches.cancel);
        cancel.inspect(CancellationToken::cancel).is_some()
    }

    /// Whether a question is known to be another graph's. It never becomes this one's.
    fn is_foreign(&self, interrupt: InterruptId) -> bool {
        self.inner().foreign.contains(&interrupt)
    }

    fn note_foreign(&self, interrupt: InterruptId) {
        let foreign = &mut self.inner().foreign;
        if foreign.len() >= FOREIGN {
            foreign.clear();
        }
        foreign.insert(interrupt);
    }

    /// The feed of a thread.
    pub(crate) fn feed(&self, thread: &ThreadId) -> Arc<Feed> {
        let mut inner = self.inner();
        if let Some(feed) = inner.feeds.get(thread).and_then(Weak::upgrade) {
            return feed;
        }
        // Only when as many have come as were left last time: looking through all
        // of them for each new one would take ever longer.
        if inner.feeds.len() >= inner.sweep_feeds_at.max(64) {
            inner.feeds.retain(|_, feed| feed.strong_count() > 0);
            inner.sweep_feeds_at = 2 * inner.feeds.len();
        }
        let feed = Arc::new(Feed::new(thread.clone(), false));
        inner.feeds.insert(thread.clone(), Arc::downgrade(&feed));
        feed
    }

    /// Tells who reads a thread where it stands now; none if it is gone.
    pub(crate) fn stands(&self, thread: &ThreadId, mark: Option<Mark>) {
        let feed = self.inner().feeds.get(thread).and_then(Weak::upgrade);
        if let Some(feed) = feed {
            let asked = feed.changes();
            feed.stands(mark, asked);
        }
    }

    /// An idle thread's run, if it is still at this head.
    pub(crate) fn take_warm(&self, thread: &ThreadId, head: &Head) -> Option<Stepper> {
        let mut inner = self.inner();
        let warm = inner.warm.remove(thread)?;
        inner.order.retain(|other| other != thread);
        // The version alone could be that of another thread of the same name.
        let is_same = (warm.incarnation, warm.version) == (head.incarnation, head.version);
        is_same.then_some(warm.stepper)
    }

    pub(crate) fn keep_warm(&self, thread: &ThreadId, warm: Warm) {
        let mut inner = self.inner();
        inner.order.push_back(thread.clone());
        inner.warm.insert(thread.clone(), warm);
        if inner.order.len() > WARM_THREADS
            && let Some(oldest) = inner.order.pop_front()
        {
            inner.warm.remove(&oldest);
        }
    }

    /// The idle threads that are kept ready.
    pub(crate) fn warm_threads(&self) -> Vec<ThreadId> {
        self.inner().warm.keys().cloned().collect()
    }

    pub(crate) fn forget(&self, thread: &ThreadId) {
        let mut inner = self.inner();
        inner.warm.remove(thread);
        inner.order.retain(|other| other != thread);
    }
}

/// A run's hold on a thread in this process; ends when it is dropped.
pub(crate) struct Turn {
    desk: Arc<Desk>,
    thread: ThreadId,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.desk.inner().active.remove(&self.thread);
    }
}
