//! How much work waits behind the writer, and whether it can go on.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use duru_sql::Error;

/// How much work waits, and whether sealing has failed: for now, or for good.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: usize,
    broken: Option<Error>,
    /// What has failed and is tried again.
    stalled: Option<Error>,
    closing: bool,
}

impl Progress {
    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut state);
        self.changed.notify_all();
        result
    }

    pub(super) fn begin(&self) {
        self.with(|state| state.waiting += 1);
    }

    pub(super) fn end(&self, failed: Option<Error>) {
        self.with(|state| {
            state.waiting -= 1;
            state.stalled = None;
            state.broken = state.broken.take().or(failed);
        });
    }

    pub(super) fn broken(&self) -> Option<Error> {
        self.with(|state| state.broken.clone())
    }

    /// Nothing is written any more.
    pub(crate) fn give_up(&self, why: Error) {
        self.with(|state| state.broken = state.broken.take().or(Some(why)));
    }

    /// What is tried again, if more than so many wait for it.
    pub(super) fn stalled(&self, more_than: usize) -> Option<Error> {
        self.with(|state| state.stalled.clone().filter(|_| state.waiting > more_than))
    }

    /// It failed, and is to be tried again after a while. False: there is no time for that any more.
    pub(super) fn stall(&self, why: Error, pause: Duration) -> bool {
        self.with(|state| state.stalled = Some(why));
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let over = |state: &mut State| !state.closing && state.broken.is_none();
        let (state, _) =
            self.changed.wait_timeout_while(state, pause, over).unwrap_or_else(PoisonError::into_inner);
        !state.closing && state.broken.is_none()
    }

    pub(super) fn close(&self) {
        self.with(|state| state.closing = true);
    }

    /// Waits until at most so many are left, or none will be done soon.
    pub(super) fn wait(&self, at_most: usize) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on =
            |state: &mut State| state.waiting > at_most && state.broken.is_none() && state.stalled.is_none();
        drop(self.changed.wait_while(state, goes_on));
    }

    pub(super) fn is_idle(&self) -> bool {
        self.with(|state| state.waiting == 0)
    }
}
