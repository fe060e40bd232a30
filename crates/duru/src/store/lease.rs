//! Who writes a thread, and for how long nobody else may take it over.
//!
//! The epoch protects a thread: an owner that lost it can write nothing. A lease
//! avoids contention: while it is valid, no other owner may begin. Leases
//! expire by the store's time, so the clocks of two machines need not agree.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{Checkpoints, Commit, Error, Head};

/// How long a lease lasts when nothing else is said. Every commit renews it,
/// and so does a run that waits for a slow task.
pub const LEASE: Duration = Duration::from_secs(15);

/// A process that runs threads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Owner(Option<Arc<str>>);

impl Owner {
    /// This process. Others on the same machine can tell when it has ended,
    /// and need not wait for its leases.
    pub fn this_process() -> Self {
        static OWNER: OnceLock<Owner> = OnceLock::new();
        OWNER.get_or_init(|| Self::named(&process::describe())).clone()
    }

    /// An owner of this name, for workers that are told apart in another way.
    pub fn named(name: &str) -> Self {
        Self(Some(name).filter(|name| !name.is_empty()).map(Arc::from))
    }

    /// The name under which a store knows it; empty for nobody.
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether it is known to have ended: a process of this machine that is no
    /// more. Of all others, only the end of their lease tells.
    pub fn is_gone(&self) -> bool {
        process::is_gone(self.as_str())
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match process::parse(self.as_str()) {
            Some(process) => write!(f, "process {} on {}", process.pid, process.host),
            None => f.write_str(self.as_str()),
        }
    }
}

/// What a commit says about who owns the thread. The default is nobody.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lease {
    /// Who writes.
    pub owner: Owner,
    /// For how long nobody else may claim the thread after this commit; 0 if
    /// anybody may.
    pub ttl_ms: u64,
    /// An owner whose lease no longer counts, because it is known to have ended.
    pub instead_of: Option<Owner>,
}

impl Lease {
    /// Whether a lease of `holder` stands in the way of this one's claim.
    pub fn yields_to(&self, holder: &Owner) -> bool {
        *holder != self.owner && self.instead_of.as_ref() != Some(holder)
    }
}

/// How long a lease is still valid, in milliseconds, given when it ends, how
/// long it was made for and what time it is now. One that ends later than it
/// could was made before the clock was set back: it counts no more.
pub fn remaining_ms(until_ms: u64, ttl_ms: u64, now_ms: u64) -> u64 {
    let remaining = until_ms.saturating_sub(now_ms);
    if remaining > ttl_ms { 0 } else { remaining }
}

/// Writes a commit; one that claims a thread whose owner has ended without
/// giving it back takes it over at once.
pub(crate) async fn commit(store: &dyn Checkpoints, commit: Commit) -> Result<Head, Error> {
    if !commit.claim {
        return store.commit(commit).await;
    }
    match store.commit(commit.clone()).await {
        Err(Error::Owned { owner, .. }) if owner.is_gone() => {
            let lease = Lease { instead_of: Some(owner), ..commit.lease.clone() };
            store.commit(Commit { lease, ..commit }).await
        }
        other => other,
    }
}

/// What the operating system knows of processes.
mod process {
    use std::fs;

    pub(super) struct Process<'a> {
        pub(super) host: &'a str,
        pub(super) pid: u32,
        /// When it began, in ticks since the machine started: a number may be
        /// given to another process later.
        start: &'a str,
        /// The machine since it started, and the container.
        world: &'a str,
    }

    pub(super) fn describe() -> String {
        let pid = std::process::id();
        match (start(pid), world()) {
            (Some(start), Some(world)) => format!("{}/{pid}/{start}/{world}", host()),
            // Nobody can tell when this process ends, so its name need only be
            // its own.
            _ => format!("{}/{pid}/{:016x}", host(), fastrand::u64(..)),
        }
    }

    pub(super) fn parse(name: &str) -> Option<Process<'_>> {
        let mut parts = name.splitn(4, '/');
        let (host, pid, start) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        Some(Process { host, pid, start, world: parts.next().unwrap_or_default() })
    }

    pub(super) fn is_gone(name: &str) -> bool {
        let Some(process) = parse(name) else { return false };
        let here = world().is_some_and(|world| world == process.world);
        here && start(process.pid).as_deref() != Some(process.start)
    }

    fn host() -> String {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let name: String = name.trim().chars().filter(|c| *c != '/').collect();
        if name.is_empty() { "this machine".into() } else { name }
    }

    fn start(pid: u32) -> Option<String> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in brackets may hold anything; the fields after it may not.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
        // One that is dead but not yet buried is gone.
        (*fields.first()? != "Z").then_some(())?;
        fields.get(19).map(|ticks| (*ticks).to_owned())
    }

    fn world() -> Option<String> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let container = fs::read_link("/proc/self/ns/pid").ok()?;
        let number: String = container.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
        Some(format!("{}-{number}", boot.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_lives_and_one_that_ended_is_gone() {
        let me = Owner::this_process();
        assert!(!me.is_gone(), "{}", me.as_str());
        assert_eq!(
            me.to_string().split(" on ").next(),
            Some(format!("process {}", std::process::id()).as_str())
        );

        let mut child = std::process::Command::new("true").spawn().expect("true");
        let pid = child.id();
        let (host_pid, world) = me.as_str().rsplit_once('/').expect("world");
        let host = host_pid.split('/').next().expect("host");
        child.wait().expect("ends");
        assert!(Owner::named(&format!("{host}/{pid}/123/{world}")).is_gone());
        // The same number, given to another process since.
        let again = Owner::named(&format!("{host}/{}/123/{world}", std::process::id()));
        assert!(again.is_gone());
        // Another machine's, a named one and nobody: who knows.
        for name in [format!("{host}/{pid}/123/elsewhere-1"), "worker-1".into(), String::new()] {
            assert!(!Owner::named(&name).is_gone(), "{name}");
        }
    }

    #[test]
    fn a_lease_from_before_the_clock_was_set_back_counts_no_more() {
        assert_eq!(remaining_ms(1_000, 300, 900), 100);
        assert_eq!(remaining_ms(1_000, 300, 1_000), 0);
        assert_eq!(remaining_ms(4_000_000, 300, 1_000), 0);
    }
}
