//! What of the write-ahead log is on this disk alone, where sealed logs go elsewhere.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use duru_sql::Error;
use tokio::sync::{Notify, oneshot};

use super::promise::Promise;

/// A place in the logs: behind so many bytes of the log of this number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) log: u64,
    pub(crate) offset: u64,
}

/// When something is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acknowledged {
    /// On this disk; the rest follows within a while.
    Here,
    /// There.
    There,
}

/// Told by the writer what is durable here, and by who ships it what is durable there.
pub(crate) struct Tail {
    when: Acknowledged,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    written: Place,
    shipped: Place,
    groups: VecDeque<Group>,
    /// Whom to tell when what they sent is there.
    waiting: Vec<(Place, Promise)>,
    trouble: Option<Error>,
    /// What is there is to go now, however young.
    hurry: bool,
    closing: bool,
}

/// What was written at once.
struct Group {
    until: Place,
    rows: u64,
    at: Instant,
}

/// What to do next.
pub(crate) enum Next {
    /// Ship what was written until here.
    Ship(Place),
    /// Nothing is left, and nothing will come.
    End,
}

impl Tail {
    /// A tail of which so many rows are on this disk, and those until `shipped` elsewhere.
    pub(crate) fn new(when: Acknowledged, (shipped, written): (Place, Place), rows: u64) -> Self {
        let mut state = State { written, shipped, ..State::default() };
        if written > shipped {
            state.groups.push_back(Group { until: written, rows, at: Instant::now() });
        }
        Self { when, state: Mutex::new(state), changed: Notify::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So much is durable here. Who waits is told now, or when it is there.
    pub(super) fn written(&self, until: Place, rows: u64, promises: Vec<Promise>) {
        let mut state = self.lock();
        if until > state.written {
            state.written = until;
            state.groups.push_back(Group { until, rows, at: Instant::now() });
        }
        let all_there = state.shipped >= state.written;
        if self.when == Acknowledged::Here || all_there {
            drop(state);
            promises.into_iter().for_each(|promise| promise.settle(None));
        } else {
            state.waiting.extend(promises.into_iter().map(|promise| (until, promise)));
        }
        self.changed.notify_one();
    }

    /// So much is durable there.
    pub(crate) fn shipped(&self, until: Place) {
        let mut state = self.lock();
        state.shipped = state.shipped.max(until);
        state.trouble = None;
        let shipped = state.shipped;
        while state.groups.front().is_some_and(|group| group.until <= shipped) {
            state.groups.pop_front();
        }
        if state.groups.is_empty() {
            state.hurry = false;
        }
        let waiting = std::mem::take(&mut state.waiting);
        let (there, waiting): (Vec<_>, _) = waiting.into_iter().partition(|(place, _)| *place <= shipped);
        state.waiting = waiting;
        drop(state);
        there.into_iter().for_each(|(_, promise)| promise.settle(None));
        self.changed.notify_one();
    }

    /// It could not be shipped: who waits is told so. What is durable here goes there later.
    pub(crate) fn failed(&self, why: &Error) {
        let mut state = self.lock();
        state.trouble = Some(why.clone());
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(|(_, promise)| promise.settle(Some(why)));
    }

    /// Why it could not be shipped the last time.
    pub(crate) fn trouble(&self) -> Option<Error> {
        self.lock().trouble.clone()
    }

    /// Rows that are on this disk alone, and since when the first of them is.
    pub(crate) fn size(&self) -> (u64, Duration) {
        let state = self.lock();
        let rows = state.groups.iter().map(|group| group.rows).sum();
        (rows, state.groups.front().map_or(Duration::ZERO, |group| group.at.elapsed()))
    }

    pub(crate) fn place(&self) -> (Place, Place) {
        let state = self.lock();
        (state.shipped, state.written)
    }

    /// What there is goes now. Told when it is there, or can't go.
    pub(crate) fn hurry(&self) -> oneshot::Receiver<Result<(), Error>> {
        let (reply, there) = oneshot::channel();
        let mut state = self.lock();
        let (promise, written) = (Promise::There(reply), state.written);
        if state.shipped >= written {
            promise.settle(None);
        } else {
            state.hurry = true;
            state.waiting.push((written, promise));
            self.changed.notify_one();
        }
        there
    }

    /// What there is goes now, and nothing will follow.
    pub(crate) fn close(&self) {
        self.lock().closing = true;
        self.changed.notify_one();
    }

    /// Waits until something is to be shipped: at once, or when the first of it is so old.
    pub(crate) async fn due(&self, age: Duration) -> Next {
        loop {
            let pause = {
                let state = self.lock();
                match state.groups.front() {
                    None if state.closing => return Next::End,
                    None => None,
                    Some(first) => {
                        let at_once = self.when == Acknowledged::There || state.hurry || state.closing;
                        let left = age.saturating_sub(first.at.elapsed());
                        if at_once || left.is_zero() {
                            return Next::Ship(state.written);
                        }
                        Some(left)
                    }
                }
            };
            match pause {
                None => self.changed.notified().await,
                Some(left) => drop(tokio::time::timeout(left, self.changed.notified()).await),
            }
        }
    }

    /// Waits a while, but not when it is to be closed.
    pub(crate) async fn pause(&self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        loop {
            if self.lock().closing {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || tokio::time::timeout(left, self.changed.notified()).await.is_err() {
                return true;
            }
        }
    }
}
