//! How hard to try.

use std::time::Duration;

/// How hard to try before a call has failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// The most tries of one call.
    pub tries: u32,
    /// The wait after the first failure; it doubles after each.
    pub backoff: Duration,
    /// The longest wait. A provider that asks for more is not waited for.
    pub longest_wait: Duration,
    /// Between two pieces, and until the first.
    pub idle: Duration,
    /// The whole call, with all tries and waits.
    pub total: Duration,
    /// The most calls at once; others wait.
    pub at_once: usize,
    /// So many failures in a row open the breaker.
    pub failures: u32,
    /// For so long it stays open; then one call is let through to see.
    pub rest: Duration,
}

impl Default for Policy {
    /// Five tries in at most five minutes.
    fn default() -> Self {
        Policy {
            tries: 5,
            backoff: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(300),
            at_once: 64,
            failures: 10,
            rest: Duration::from_secs(30),
        }
    }
}

impl Policy {
    /// The wait after `failed` tries; `None` if it is not worth it.
    pub(super) fn wait(&self, failed: u32, asked: Option<Duration>) -> Option<Duration> {
        if let Some(asked) = asked {
            // A little later than asked, and not all at the same moment.
            return (asked <= self.longest_wait).then(|| asked + self.backoff.mul_f64(fastrand::f64()));
        }
        let doubled = self.backoff.saturating_mul(1 << (failed.saturating_sub(1)).min(16));
        Some(doubled.min(self.longest_wait).mul_f64(0.5 + fastrand::f64() / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_honour_what_is_asked() {
        let policy = Policy::default();
        for (failed, most) in [(1, 500), (2, 1000), (3, 2000), (7, 30_000), (u32::MAX, 30_000)] {
            let wait = policy.wait(failed, None).unwrap();
            let most = Duration::from_millis(most);
            assert!(wait >= most / 2 && wait <= most, "{failed}: {wait:?}");
        }
        let wait = policy.wait(1, Some(Duration::from_secs(7))).unwrap();
        assert!(wait >= Duration::from_secs(7) && wait <= Duration::from_millis(7500), "{wait:?}");
        assert_eq!(policy.wait(1, Some(Duration::from_secs(31))), None);
    }
}
