//! How a node behaves when things go wrong or take long.

use std::sync::Arc;
use std::time::Duration;

use crate::error::NodeError;

/// When and how often a failed task is tried again.
#[derive(Clone)]
pub struct Retry {
    pub(crate) attempts: u32,
    pub(crate) first: Duration,
    pub(crate) factor: f64,
    pub(crate) longest: Duration,
    pub(crate) jitter: f64,
    pub(crate) on: Arc<dyn Fn(&NodeError) -> bool + Send + Sync>,
}

impl Retry {
    /// At most `attempts` tries in all, 0.5 s apart at first, then doubling to
    /// at most 2 minutes, each wait shortened at random by up to a half. Every
    /// error is tried again but panics and what is marked
    /// [`NodeError::fatal`].
    ///
    /// ```
    /// use duru::Retry;
    /// use std::time::Duration;
    /// let patient = Retry::times(5).first_wait(Duration::from_secs(1));
    /// ```
    pub fn times(attempts: u32) -> Self {
        Self {
            attempts: attempts.max(1),
            first: Duration::from_millis(500),
            factor: 2.0,
            longest: Duration::from_secs(120),
            jitter: 0.5,
            on: Arc::new(|error| error.is_retryable()),
        }
    }

    /// How long to wait before the second try.
    #[must_use]
    pub fn first_wait(mut self, wait: Duration) -> Self {
        self.first = wait;
        self
    }

    /// By how much each wait is longer than the one before.
    #[must_use]
    pub fn factor(mut self, factor: f64) -> Self {
        self.factor = if factor.is_finite() { factor.max(1.0) } else { 1.0 };
        self
    }

    /// The longest wait.
    #[must_use]
    pub fn longest_wait(mut self, wait: Duration) -> Self {
        self.longest = wait;
        self
    }

    /// By which part of itself a wait may be shortened at random, from 0 to 1.
    #[must_use]
    pub fn jitter(mut self, part: f64) -> Self {
        self.jitter = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        self
    }

    /// Which errors are worth another try.
    #[must_use]
    pub fn only_if(mut self, on: impl Fn(&NodeError) -> bool + Send + Sync + 'static) -> Self {
        self.on = Arc::new(on);
        self
    }

    /// How long to wait after the `attempt`-th try (from 1); `random` is from 0 to 1.
    pub(crate) fn wait_after(&self, attempt: u32, random: f64) -> Duration {
        let exponent = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
        let seconds = self.first.as_secs_f64() * self.factor.powi(exponent);
        let seconds = seconds.min(self.longest.as_secs_f64()) * (1.0 - self.jitter * random.clamp(0.0, 1.0));
        Duration::try_from_secs_f64(seconds).unwrap_or(self.longest)
    }
}

/// How a node behaves; set with [`Graph::policy`](crate::Graph::policy).
///
/// ```
/// use duru::{Policy, Retry};
/// use std::time::Duration;
/// let careful = Policy::new().retry(Retry::times(3)).timeout(Duration::from_secs(30)).limit(4);
/// ```
#[derive(Clone, Default)]
pub struct Policy {
    pub(crate) retry: Option<Retry>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) idle_timeout: Option<Duration>,
    pub(crate) limit: Option<usize>,
}

impl Policy {
    /// One try, no time limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// This one, and the other where it does not say.
    pub(crate) fn or(self, other: &Self) -> Self {
        Self {
            retry: self.retry.or_else(|| other.retry.clone()),
            timeout: self.timeout.or(other.timeout),
            idle_timeout: self.idle_timeout.or(other.idle_timeout),
            limit: self.limit.or(other.limit),
        }
    }

    /// Tries again after failures.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = Some(retry);
        self
    }

    /// Ends a try that takes longer.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Ends a try that shows no life for so long: no event, no effect and no
    /// [`Cx::heartbeat`](crate::Cx::heartbeat). A subgraph lives as long as anything inside it does, or ends.
    #[must_use]
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.idle_timeout = Some(limit);
        self
    }

    /// Runs at most so many tasks of this node at once in one run.
    #[must_use]
    pub fn limit(mut self, tasks: usize) -> Self {
        self.limit = Some(tasks.max(1));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_stay_within_bounds() {
        let retry = Retry::times(9).first_wait(Duration::from_secs(1)).longest_wait(Duration::from_secs(5));
        assert_eq!(retry.wait_after(1, 0.0), Duration::from_secs(1));
        assert_eq!(retry.wait_after(2, 0.0), Duration::from_secs(2));
        assert_eq!(retry.wait_after(8, 0.0), Duration::from_secs(5));
        assert_eq!(retry.wait_after(8, 1.0), Duration::from_millis(2500));
        assert_eq!(retry.wait_after(u32::MAX, 0.0), Duration::from_secs(5));
    }
}
