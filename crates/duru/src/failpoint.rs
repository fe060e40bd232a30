//! Places where a process may be made to die, so that tests can show that
//! nothing is lost there. Without the `testkit` feature they cost nothing.

/// The process is to be taken for dead from here on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped at failpoint {0}")]
pub struct Crash(pub &'static str);

#[cfg(not(feature = "testkit"))]
#[inline(always)]
/// Passes a failpoint.
pub fn hit(_name: &'static str) -> Result<(), Crash> {
    Ok(())
}

#[cfg(feature = "testkit")]
pub use armed::{arm, arm_from_env, disarm, hit, hits};

#[cfg(feature = "testkit")]
mod armed {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::Crash;

    /// What a process does at the failpoint it is armed with.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Death {
        /// Ends at once, as by `kill -9`.
        Abort,
        /// Lets this run believe that it is dead.
        Pretend,
    }

    #[derive(Default)]
    struct Registry {
        hits: BTreeMap<&'static str, u64>,
        armed: Option<(String, u64, Death)>,
    }

    static WATCHING: AtomicBool = AtomicBool::new(false);
    static REGISTRY: Mutex<Registry> = Mutex::new(Registry { hits: BTreeMap::new(), armed: None });

    fn registry() -> MutexGuard<'static, Registry> {
        REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts from zero and stops runs of this process at the `nth` hit of `name`
    /// (from 1) and ever after, until [`disarm`].
    pub fn arm(name: &str, nth: u64) {
        *registry() = Registry { hits: BTreeMap::new(), armed: Some((name.to_owned(), nth, Death::Pretend)) };
        WATCHING.store(true, Ordering::SeqCst);
    }

    /// Counts hits from zero and stops nothing.
    pub fn disarm() {
        *registry() = Registry::default();
        WATCHING.store(true, Ordering::SeqCst);
    }

    /// Arms this process as `FAIL_AT=name:n` says: it aborts at the n-th hit.
    /// Whether there was such a variable.
    pub fn arm_from_env() -> bool {
        let Some(value) = std::env::var_os("FAIL_AT").and_then(|value| value.into_string().ok()) else {
            return false;
        };
        let (name, nth) = value.rsplit_once(':').unwrap_or((&value, "1"));
        *registry() = Registry {
            hits: BTreeMap::new(),
            armed: Some((name.to_owned(), nth.parse().unwrap_or(1), Death::Abort)),
        };
        WATCHING.store(true, Ordering::SeqCst);
        true
    }

    /// How often each failpoint was passed since the last arming.
    pub fn hits() -> BTreeMap<&'static str, u64> {
        registry().hits.clone()
    }

    /// Passes a failpoint.
    pub fn hit(name: &'static str) -> Result<(), Crash> {
        if !WATCHING.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut registry = registry();
        let count = registry.hits.entry(name).or_default();
        *count += 1;
        let count = *count;
        match &registry.armed {
            Some((armed, nth, death)) if armed == name && count >= *nth => match death {
                Death::Abort => std::process::abort(),
                Death::Pretend => Err(Crash(name)),
            },
            // The dead do not pass any other failpoint either.
            Some((armed, nth, Death::Pretend))
                if registry.hits.get(armed.as_str()).is_some_and(|n| n >= nth) =>
            {
                Err(Crash(name))
            }
            _ => Ok(()),
        }
    }
}
