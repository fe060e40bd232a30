//! Renews the leases of runs that can't do it themselves.
//!
//! A run renews its lease while it waits. A node that only calculates never
//! waits: it keeps the run's task, and perhaps every thread of the program, to
//! itself, and the run would look dead and be begun again elsewhere. So
//! somebody whom no node can keep from it looks after all runs of the process,
//! and does for a run what it should have done by now.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::Committer;
use crate::store::lease_runtime;

static KEEPER: LazyLock<Keeper> = LazyLock::new(Keeper::default);

#[derive(Default)]
struct Keeper {
    runs: Mutex<Runs>,
    /// A run must be looked at sooner than was known.
    sooner: Notify,
}

#[derive(Default)]
struct Runs {
    all: HashMap<u64, Arc<Committer>>,
    /// The name of the next one.
    next: u64,
    /// When they are looked at; none before somebody looks.
    looked_at: Option<Instant>,
    started: bool,
}

/// A run, as long as it lasts. When this is dropped, the run is over.
pub(crate) struct Kept {
    committer: Arc<Committer>,
    id: Option<u64>,
}

impl Kept {
    /// Looks after a run until this is dropped.
    pub(crate) fn new(committer: &Arc<Committer>) -> Self {
        let id = committer.renewal_due().map(|due| {
            let mut runs = KEEPER.runs();
            let id = runs.next;
            runs.next += 1;
            runs.all.insert(id, Arc::clone(committer));
            if !std::mem::replace(&mut runs.started, true) {
                lease_runtime().spawn(KEEPER.look_after());
            }
            if runs.looked_at.is_none_or(|at| at > due) {
                KEEPER.sooner.notify_one();
            }
            id
        });
        Self { committer: Arc::clone(committer), id }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            KEEPER.runs().all.remove(&id);
        }
        self.committer.close();
    }
}

impl Keeper {
    fn runs(&self) -> MutexGuard<'_, Runs> {
        // Nothing panics half-way through a change.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn look_after(&self) {
        let mut renewals = JoinSet::new();
        loop {
            let next = self.look(&mut renewals);
            tokio::select! {
                () = until(next) => {}
                () = self.sooner.notified() => {}
                Some(_) = renewals.join_next() => {}
            }
        }
    }

    /// Renews what is due. When to look again.
    fn look(&self, renewals: &mut JoinSet<()>) -> Option<Instant> {
        let mut runs = self.runs();
        let mut next: Option<Instant> = None;
        for run in runs.all.values() {
            let Some(mut due) = run.renewal_due() else { continue };
            let now = Instant::now();
            if due <= now {
                due = now + run.renewal_period();
                if run.begin_renewal() {
                    renewals.spawn(Arc::clone(run).renew_for_it());
                }
            }
            next = Some(next.map_or(due, |next| next.min(due)));
        }
        runs.looked_at = next;
        next
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
