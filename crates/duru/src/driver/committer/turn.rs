//! Commits, one at a time, also on behalf of a run that a node blocks.

use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant as StdInstant};

use futures_util::FutureExt as _;
use tokio::time::Instant;

use super::Committer;
use crate::driver::commit::{Timers, Work};
use crate::graph::topology::BoxFuture;
use crate::store;

impl Committer {
    /// Waits for the right to commit.
    pub(super) async fn turn(self: &Arc<Self>) -> Turn {
        while self.busy.swap(true, Ordering::Acquire) {
            self.free.notified().await;
        }
        Turn(Arc::clone(self))
    }

    /// Commits everything that was pushed so far. Only the run's own task calls
    /// this: a task of it that is dropped half-way must not take a commit along.
    pub(crate) async fn flush(self: &Arc<Self>) -> Result<(), store::Error> {
        let turn = self.turn().await;
        self.carry_out(Box::pin(turn.flush())).await
    }

    /// Renews the lease with a commit of nothing. That fails where another
    /// owner has taken the thread over, and the run stops.
    pub(super) async fn renew(self: &Arc<Self>) -> Result<(), store::Error> {
        let turn = self.turn().await;
        self.carry_out(Box::pin(turn.renew())).await
    }

    /// Executes a commit; another waiter may drive it to its end.
    async fn carry_out(&self, mut commit: BoxFuture<Result<(), store::Error>>) -> Result<(), store::Error> {
        // Nobody need know of what a store does at once.
        if let Poll::Ready(result) = poll_fn(|cx| Poll::Ready(commit.as_mut().poll(cx))).await {
            return result;
        }
        let commit = commit.shared();
        *self.flight() = Some(commit.clone());
        commit.await
    }

    /// How long after its last commit a run is to have given a sign of life by itself.
    pub(in crate::driver) fn renewal_period(&self) -> Duration {
        self.place.holder.lease / 2
    }

    /// When somebody else must give one; none if it has no lease to lose, or its worker renews it.
    pub(in crate::driver) fn renewal_due(&self) -> Option<StdInstant> {
        if self.place.store.is_none() || self.place.queued || self.place.holder.lease.is_zero() {
            return None;
        }
        let last = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        last.unwrap_or_else(StdInstant::now).checked_add(self.renewal_period())
    }

    /// Whether nobody renews the lease for it yet.
    pub(in crate::driver) fn begin_renewal(&self) -> bool {
        !self.renewing.swap(true, Ordering::AcqRel)
    }

    /// Renews the lease on behalf of a run that a node blocks.
    pub(in crate::driver) async fn renew_for_it(self: Arc<Self>) {
        let flight = self.flight().clone();
        if let Some(flight) = flight {
            // The task that began it gets the result.
            drop(flight.await);
        }
        if !self.is_closed() && self.renewal_due().is_some_and(|due| due <= StdInstant::now()) {
            // The run gets an error with its next commit.
            drop(self.renew().await);
            self.work.notify_one();
        }
        self.renewing.store(false, Ordering::Release);
    }
}

/// The right to commit. It passes on when this is dropped.
pub(super) struct Turn(Arc<Committer>);

impl Turn {
    async fn flush(self) -> Result<(), store::Error> {
        let committer = &self.0;
        let (work, upto) = {
            let mut queue = committer.queue();
            if let Some(error) = &queue.error {
                return Err(error.clone());
            }
            queue.urgent = false;
            if queue.events > 0 {
                queue.events_at = Some(Instant::now());
            }
            queue.events = 0;
            queue.event_bytes = 0;
            let items = std::mem::take(&mut queue.items);
            (Work { items, timers: std::mem::take(&mut queue.timers) }, queue.pushed)
        };
        let Timers { set, clear } = &work.timers;
        if work.items.is_empty() && set.is_empty() && clear.is_empty() {
            return Ok(());
        }
        let result = self.write(work).await;
        if result.is_ok() {
            let mut queue = committer.queue();
            queue.done = upto;
            // What was sent while this was written may be too much again.
            if !queue.is_crowded() {
                committer.make_room();
            }
            drop(queue);
            committer.progress.notify_waiters();
        }
        result
    }

    async fn renew(self) -> Result<(), store::Error> {
        // A run that is durable only at its end has claimed nothing yet, and one that ended has given all back.
        let is_mine = {
            let position = self.0.position_now();
            position.claimed && !position.ended
        };
        if is_mine && self.0.place.store.is_some() { self.write(Work::default()).await } else { Ok(()) }
    }

    /// Writes from where the thread stands, and notes where it stands then.
    async fn write(&self, work: Work) -> Result<(), store::Error> {
        let committer = &self.0;
        // The holder of the turn owns the position: nothing else reads it meanwhile.
        let mut position = std::mem::take(&mut *committer.position_now());
        let result = committer.write(&mut position, work).await;
        *committer.position_now() = position;
        if let Err(error) = &result {
            committer.queue().error = Some(error.clone());
            committer.make_room();
            committer.progress.notify_waiters();
        }
        result
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let flight = self.0.flight().take();
        drop(flight);
        self.0.busy.store(false, Ordering::Release);
        self.0.free.notify_one();
    }
}
