//! A run as this process sees it: under way here, or waited for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use duru::RunId;
use duru::store::Cancel;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Pool;

/// What came of a run.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    /// The final values, the questions or the error; as `/wait` gives it.
    pub(crate) result: Value,
}

/// A run under way here, or one that somebody here waits for.
pub(crate) struct Live {
    /// Stops it at once.
    pub(crate) cancel: CancellationToken,
    /// Lets it end its step.
    pub(crate) drain: CancellationToken,
    /// It is not under way here any more.
    left: CancellationToken,
    inner: Mutex<Inner>,
    followers: AtomicUsize,
    /// How many of them read what the run writes.
    readers: watch::Sender<usize>,
    ended: watch::Sender<Option<Ended>>,
}

#[derive(Default)]
struct Inner {
    attempt: Option<u32>,
    how: Option<Cancel>,
    lost: bool,
    giving_back: bool,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            cancel: CancellationToken::new(),
            drain: CancellationToken::new(),
            left: CancellationToken::new(),
            inner: Mutex::default(),
            followers: AtomicUsize::new(0),
            readers: watch::Sender::new(0),
            ended: watch::Sender::new(None),
        }
    }
}

impl Live {
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, attempt: u32) {
        self.inner().attempt = Some(attempt);
    }

    pub(super) fn has_begun(&self) -> bool {
        self.attempt().is_some()
    }

    /// For which time it was claimed, if it is under way here.
    pub(super) fn attempt(&self) -> Option<u32> {
        self.inner().attempt
    }

    /// Stops it because somebody asked for that.
    pub(super) fn stop(&self, how: Cancel) {
        self.inner().how.get_or_insert(how);
        self.cancel.cancel();
    }

    /// Stops it because another worker has it by now.
    pub(super) fn lose(&self) {
        self.inner().lost = true;
        self.cancel.cancel();
    }

    /// Stops it because this process ends.
    pub(super) fn give_back(&self) {
        self.inner().giving_back = true;
        self.cancel.cancel();
    }

    pub(super) fn how(&self) -> Option<Cancel> {
        self.inner().how
    }

    pub(super) fn is_lost(&self) -> bool {
        self.inner().lost
    }

    pub(super) fn is_given_back(&self) -> bool {
        let inner = self.inner();
        inner.giving_back && inner.how.is_none()
    }

    pub(super) fn follow(&self) {
        self.followers.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn unfollow(&self) -> usize {
        self.followers.fetch_sub(1, Ordering::SeqCst) - 1
    }

    /// Whether somebody still reads what the run wrote.
    pub(super) fn is_read(&self) -> bool {
        *self.readers.borrow() > 0
    }

    /// Waits until nobody does.
    pub(super) async fn unread(&self) {
        let mut readers = self.readers.subscribe();
        // Its sender lives as long as this.
        drop(readers.wait_for(|readers| *readers == 0).await);
    }

    /// Tells those who still wait that somebody else goes on with it.
    pub(super) fn leave(&self) {
        self.left.cancel();
    }

    /// Tells everybody who waits.
    pub(super) fn end(&self, ended: Ended) {
        self.ended.send_replace(Some(ended));
    }
}

/// Somebody who waits for the end of a run.
pub(crate) struct Follower {
    pub(super) pool: Arc<Pool>,
    pub(super) live: Arc<Live>,
    pub(super) run: RunId,
    pub(super) reads: bool,
}

impl Follower {
    /// The same, reading what the run writes.
    pub(crate) fn reading(mut self) -> Self {
        self.reads = true;
        self.live.readers.send_modify(|readers| *readers += 1);
        self
    }

    /// What came of the run, once it is over here. Never, if it runs elsewhere.
    pub(crate) async fn ended(&self) -> Ended {
        let mut ended = self.live.ended.subscribe();
        loop {
            if let Some(ended) = ended.borrow_and_update().clone() {
                return ended;
            }
            if ended.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Whether the run is under way in this process.
    pub(crate) fn is_here(&self) -> bool {
        self.live.has_begun() && !self.live.left.is_cancelled()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        if self.reads {
            self.live.readers.send_modify(|readers| *readers -= 1);
        }
        self.pool.unfollow(self.run, &self.live);
    }
}
