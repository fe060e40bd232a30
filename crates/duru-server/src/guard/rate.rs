//! How often somebody may ask: a bucket that fills as time goes by.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// More are in use at once only if somebody means us harm.
const MOST: usize = 100_000;

#[derive(Default)]
pub(super) struct Rates {
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

/// Shared by callers that find no free bucket.
const REST: &str = "*";

impl Rates {
    /// How many seconds to wait until there is one, if there is none. A caller that never took any has no bucket yet.
    pub(super) fn wait(&self, who: &str, per_second: f64, now: Instant) -> Option<u64> {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.get(who)?;
        let left = bucket.left + now.duration_since(bucket.at).as_secs_f64() * per_second;
        (left < 1.0).then(|| seconds(left, per_second))
    }

    /// Takes so many if any is left, be it those of the time to come; how many seconds to wait if none is.
    pub(super) fn take(&self, who: &str, per_second: f64, count: usize, now: Instant) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST {
            // After a minute a bucket is full anyway.
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs() < 60);
        }
        let who = if buckets.len() >= MOST && !buckets.contains_key(who) { REST } else { who };
        // Twice as many at once: pages ask for several things together.
        let most = (per_second * 2.0).max(1.0);
        if !buckets.contains_key(who) {
            buckets.insert(who.to_owned(), Bucket { left: most, at: now });
        }
        let Some(bucket) = buckets.get_mut(who) else { return Ok(()) };
        let since = now.duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + since * per_second).min(most);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(seconds(bucket.left, per_second));
        }
        bucket.left -= count as f64;
        Ok(())
    }
}

fn seconds(left: f64, per_second: f64) -> u64 {
    ((1.0 - left) / per_second).ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_is_empty_at_last_and_fills_again() {
        let (rates, start) = (Rates::default(), Instant::now());
        let taken = (0..10).filter(|_| rates.take("a", 2.0, 1, start).is_ok()).count();
        assert_eq!(taken, 4);
        assert_eq!(rates.take("a", 2.0, 1, start), Err(1));
        assert_eq!((rates.wait("a", 2.0, start), rates.wait("b", 2.0, start)), (Some(1), None));
        assert_eq!(rates.take("b", 2.0, 1, start), Ok(()));
        assert_eq!(rates.take("a", 2.0, 1, start + Duration::from_secs(1)), Ok(()));
        // Many at once are paid for later.
        assert_eq!(rates.take("c", 2.0, 24, start), Ok(()));
        assert_eq!(rates.take("c", 2.0, 1, start + Duration::from_secs(10)), Err(1));
        assert_eq!(rates.take("c", 2.0, 1, start + Duration::from_secs(11)), Ok(()));
    }
}
