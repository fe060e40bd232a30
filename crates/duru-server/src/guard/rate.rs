//! How often somebody may ask: `governor`'s buckets, one per caller, each with room for two seconds' worth.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::{HashMapStateStore, ShrinkableKeyedStateStore};
use governor::state::{InMemoryState, NotKeyed, StateStore};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

/// What a key is good for unless it says otherwise, a second; and an address without a key.
const USUAL: u32 = 100;
/// How many wrong keys an address may try a second.
const GUESSES: u32 = 5;
/// More callers are there at once only if somebody means us harm.
const MOST: usize = 100_000;
/// The bucket that callers share who find no free one. It is the name of no address and the id of no key.
const REST: &str = "*";

/// The limits of a server. Addresses never take the place of a key: they are counted apart.
pub(super) struct RateLimits {
    /// Whoever tries wrong keys, by address.
    pub(super) guesses: Buckets,
    /// Whoever asks without a key, by address.
    pub(super) keyless: Buckets,
    /// Keys, by their rate: buckets of one limiter are all of one size.
    keys: Mutex<HashMap<u32, Arc<Buckets>>>,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            guesses: Buckets::new(GUESSES, MOST),
            keyless: Buckets::new(USUAL, MOST),
            keys: Mutex::default(),
        }
    }
}

impl RateLimits {
    /// The buckets of all keys with this rate.
    pub(super) fn of_keys(&self, per_second: Option<u32>) -> Arc<Buckets> {
        let rate = per_second.unwrap_or(USUAL);
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(keys.entry(rate).or_insert_with(|| Arc::new(Buckets::new(rate, MOST))))
    }
}

type Limiter<K, S> = RateLimiter<K, S, SinceStart, NoOpMiddleware<Duration>>;

/// Callers that may all ask equally often.
pub(super) struct Buckets {
    limiter: Limiter<Charge, Ledger>,
    most: usize,
    /// How often full buckets are looked for when there are too many: that takes a look at each.
    sweeps: Limiter<NotKeyed, InMemoryState>,
}

impl Buckets {
    fn new(per_second: u32, most: usize) -> Self {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        // Twice as many at once: pages ask for several things together.
        let quota = Quota::per_second(per_second).allow_burst(per_second.saturating_add(per_second.get()));
        let ledger = Ledger {
            states: HashMapStateStore::default(),
            interval: quota.replenish_interval().into(),
            most,
        };
        let start = SinceStart(Instant::now());
        let sweeps = RateLimiter::new(Quota::per_second(NonZeroU32::MIN), InMemoryState::default(), start);
        Self { limiter: RateLimiter::new(quota, ledger, start), most, sweeps }
    }

    /// How many seconds to wait until there is one, if there is none. Nothing is taken.
    pub(super) fn look(&self, who: &str) -> Result<(), u64> {
        self.charge(Charge { who: who.to_owned(), count: 0 })
    }

    /// Takes so many if any is left, be it those of the time to come; how many seconds to wait if none is.
    pub(super) fn take(&self, who: &str, count: usize) -> Result<(), u64> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.charge(Charge { who: who.to_owned(), count })
    }

    fn charge(&self, charge: Charge) -> Result<(), u64> {
        if self.limiter.len() >= self.most && self.sweeps.check().is_ok() {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&charge).map_err(|refused| {
            let wait = refused.wait_time_from(self.limiter.clock().now());
            wait.as_secs_f64().ceil().max(1.0) as u64
        })
    }
}

/// How many requests of whom; none: it is only looked whether there could be one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Charge {
    who: String,
    count: u32,
}

/// The states of buckets, with what `governor` has no word for: charges that may be larger than a bucket (what one
/// lacks for a batch is owed, and paid with the time to come), a look without a charge, and a bound.
struct Ledger {
    states: HashMapStateStore<String>,
    /// The time in which one more comes into a bucket.
    interval: Nanos,
    most: usize,
}

impl StateStore for Ledger {
    type Key = Charge;

    fn measure_and_replace<T, F, E>(&self, charge: &Charge, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let (is_known, is_full) = {
            let states = self.states.lock();
            (states.contains_key(&charge.who), states.len() >= self.most)
        };
        let Some(owed) = charge.count.checked_sub(1) else {
            // A caller that never took any has no bucket, and needs none for a look.
            let kept = |before: Option<Nanos>| {
                decide(before).map(|(granted, _)| (granted, before.unwrap_or_default()))
            };
            return match is_known {
                true => self.states.measure_and_replace(&charge.who, kept),
                false => kept(None).map(|(granted, _)| granted),
            };
        };
        let rest = REST.to_owned();
        let who = if is_full && !is_known { &rest } else { &charge.who };
        self.states.measure_and_replace(who, |before| {
            let (granted, after) = decide(before)?;
            Ok((granted, after + self.interval * u64::from(owed)))
        })
    }
}

impl ShrinkableKeyedStateStore<Charge> for Ledger {
    fn retain_recent(&self, drop_below: Nanos) {
        self.states.retain_recent(drop_below);
    }

    fn len(&self) -> usize {
        self.states.lock().len()
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// tokio's clock, which tests can stop.
#[derive(Clone, Copy)]
struct SinceStart(Instant);

impl Clock for SinceStart {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_bucket_is_empty_at_last_and_fills_again() {
        let buckets = Buckets::new(2, MOST);
        let taken = (0..10).filter(|_| buckets.take("a", 1).is_ok()).count();
        assert_eq!(taken, 4);
        assert_eq!(buckets.take("a", 1), Err(1));
        assert_eq!((buckets.look("a"), buckets.look("b")), (Err(1), Ok(())));
        assert_eq!(buckets.take("b", 1), Ok(()));
        advance(SECOND / 2).await;
        // However often it is looked, there is still one.
        assert!((0..10).all(|_| buckets.look("a").is_ok()));
        assert_eq!((buckets.take("a", 1), buckets.take("a", 1)), (Ok(()), Err(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_batch_larger_than_its_bucket_is_paid_for_later() {
        let buckets = Buckets::new(2, MOST);
        assert_eq!(buckets.take("c", 24), Ok(()));
        assert_eq!(buckets.take("c", 1), Err(11));
        advance(SECOND * 10).await;
        assert_eq!(buckets.take("c", 1), Err(1));
        advance(SECOND).await;
        assert_eq!(buckets.take("c", 1), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn more_callers_than_there_is_room_for_share_a_bucket_until_others_are_full_again() {
        let buckets = Buckets::new(2, 3);
        for who in ["a", "b", "c"] {
            assert_eq!(buckets.take(who, 4), Ok(()));
        }
        assert_eq!((buckets.take("d", 4), buckets.take("e", 1)), (Ok(()), Err(1)));
        // Those who have a bucket keep it, and to look costs nobody anything.
        advance(SECOND).await;
        assert_eq!((buckets.take("a", 1), buckets.look("f")), (Ok(()), Ok(())));
        assert!((0..1_000).all(|number| buckets.take(&format!("{number}"), 9).is_ok() == (number == 0)));
        assert_eq!(buckets.limiter.len(), 4, "three callers and all others");
        advance(SECOND * 60).await;
        assert_eq!((buckets.take("e", 4), buckets.take("d", 4)), (Ok(()), Ok(())));
        assert!(buckets.limiter.len() <= 3);
    }

    #[tokio::test(start_paused = true)]
    async fn keys_have_rates_of_their_own_and_addresses_do_not_crowd_them_out() {
        let limits = RateLimits::default();
        assert_eq!(limits.of_keys(Some(1)).take("slow", 2), Ok(()));
        assert_eq!(limits.of_keys(Some(1)).take("slow", 1), Err(1));
        assert_eq!(limits.of_keys(None).take("usual", 200), Ok(()));
        assert_eq!(limits.of_keys(Some(0)).take("none", 1), Ok(()));
        assert_eq!(limits.keyless.take("slow", 1), Ok(()));
        assert!(limits.keyless.limiter.len() == 1 && limits.of_keys(Some(1)).limiter.len() == 1);
    }
}
