//! A breaker: when nothing works, calls fail at once, and the rules answer
//! without waiting.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// However often a server hangs, it is asked again after this.
const LONGEST_REST: Duration = Duration::from_secs(900);

pub(super) struct Breaker {
    failures: u32,
    rest: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In a row.
    failed: u32,
    /// Open until then, and behind that for all but one.
    open: Option<Instant>,
    /// Somebody is trying whether it works again.
    probed: bool,
    /// So many tries in a row took all their time and said nothing.
    hung: u32,
}

/// Leave to make one try. Dropped without a word, it counts as no try.
pub(super) struct Pass {
    breaker: Arc<Breaker>,
    probe: bool,
}

impl Breaker {
    pub(super) fn new(failures: u32, rest: Duration) -> Self {
        Breaker { failures: failures.max(1), rest, state: Mutex::default() }
    }

    /// Leave for a try, or how long there is none.
    pub(super) fn enter(self: &Arc<Self>) -> Result<Pass, Duration> {
        let mut state = self.state();
        let probe = match state.open {
            None => false,
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                if !left.is_zero() || state.probed {
                    return Err(left);
                }
                state.probed = true;
                true
            }
        };
        Ok(Pass { breaker: self.clone(), probe })
    }

    // Every change leaves a state that holds, so a panic elsewhere does not spoil it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pass {
    /// The server answered, if only to refuse.
    pub(super) fn answered(self) {
        let mut state = self.breaker.state();
        // A try from before it opened says nothing about now.
        if state.open.is_none() || self.probe {
            *state = State::default();
        }
    }

    /// The server said nothing in all the time that it had. The next try would cost as much, so there is none for a
    /// while, and for longer each time.
    pub(super) fn hung(self) {
        let mut state = self.breaker.state();
        state.failed = state.failed.saturating_add(1);
        let rest = self
            .breaker
            .rest
            .saturating_mul(1 << state.hung.min(16))
            .min(LONGEST_REST.max(self.breaker.rest));
        state.hung = state.hung.saturating_add(1);
        state.open = Some(Instant::now() + rest);
    }

    pub(super) fn failed(self) {
        let mut state = self.breaker.state();
        state.failed = state.failed.saturating_add(1);
        if self.probe || (state.open.is_none() && state.failed >= self.breaker.failures) {
            state.open = Some(Instant::now() + self.breaker.rest);
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if self.probe {
            self.breaker.state().probed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_that_hangs_opens_it_at_once_and_for_longer_each_time() {
        let rest = Duration::from_secs(30);
        let breaker = Arc::new(Breaker::new(10, rest));
        breaker.enter().ok().unwrap().hung();
        assert_eq!(breaker.enter().err(), Some(rest));
        tokio::time::advance(rest).await;
        breaker.enter().ok().unwrap().hung();
        assert_eq!(breaker.enter().err(), Some(2 * rest));
        tokio::time::advance(2 * rest).await;
        breaker.enter().ok().unwrap().answered();
        breaker.enter().ok().unwrap().hung();
        assert_eq!(breaker.enter().err(), Some(rest), "it has answered since");
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_lets_one_try_and_recovers() {
        let rest = Duration::from_secs(30);
        let breaker = Arc::new(Breaker::new(2, rest));
        breaker.enter().ok().unwrap().failed();
        breaker.enter().ok().unwrap().answered();
        breaker.enter().ok().unwrap().failed();
        breaker.enter().ok().unwrap().failed();
        assert_eq!(breaker.enter().err(), Some(rest));

        tokio::time::advance(rest).await;
        let probe = breaker.enter().ok().unwrap();
        assert_eq!(breaker.enter().err(), Some(Duration::ZERO), "one is enough to see");
        probe.failed();
        assert_eq!(breaker.enter().err(), Some(rest));

        tokio::time::advance(rest).await;
        drop(breaker.enter().ok().unwrap());
        let probe = breaker.enter().ok().unwrap(); // Whoever gave up does not block the next.
        probe.answered();
        breaker.enter().ok().unwrap().failed();
        assert!(breaker.enter().is_ok());
    }
}
