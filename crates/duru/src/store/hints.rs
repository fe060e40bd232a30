//! Hints between processes on one store: that there may be something new.
//!
//! A hint says nothing that the store does not know better. It is sent after
//! the commit that it is about, and may be lost, late or sent twice: a process
//! that receives it looks in the store, one that does not looks a little later.
//! So hints affect only how soon others notice.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::Owner;
use crate::ThreadId;

/// What may be new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// There may be a run to claim.
    Work,
    /// Something was written to a thread, or one of its runs has ended.
    Thread(ThreadId),
    /// Runs of this owner are to be stopped.
    Stop(Owner),
}

/// How processes on one store tell each other that there may be something new.
#[async_trait]
pub trait Hints: Send + Sync + 'static {
    /// Tells the others. It never waits: what can't be told at once is lost.
    fn tell(&self, hint: Hint);

    /// The next hint of another process.
    async fn hear(&self) -> Hint;

    /// Subscribes to hints about a thread.
    fn follow(&self, thread: &ThreadId);

    /// Ends that subscription.
    fn unfollow(&self, thread: &ThreadId);

    /// Whether hints arrive, as far as is known. While they do not, everybody
    /// looks as often as if there were none.
    fn arrive(&self) -> bool;
}

/// How many hints may wait before the oldest are lost.
const WAITING: usize = 1024;

/// Hints between servers of one process.
///
/// ```
/// # use duru::store::{Hint, Hints, LocalHints};
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let [a, b] = LocalHints::pair();
/// a.tell(Hint::Work);
/// assert_eq!(b.hear().await, Hint::Work);
/// # }
/// ```
pub struct LocalHints {
    number: usize,
    out: broadcast::Sender<(usize, Hint)>,
    back: tokio::sync::Mutex<broadcast::Receiver<(usize, Hint)>>,
    followed: Mutex<HashSet<ThreadId>>,
}

impl LocalHints {
    /// For two who hear each other.
    pub fn pair() -> [Self; 2] {
        let (out, _) = broadcast::channel(WAITING);
        [0, 1].map(|number| Self {
            number,
            back: tokio::sync::Mutex::new(out.subscribe()),
            out: out.clone(),
            followed: Mutex::default(),
        })
    }

    fn wants(&self, hint: &Hint) -> bool {
        let followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(hint, Hint::Thread(thread) if !followed.contains(thread))
    }
}

#[async_trait]
impl Hints for LocalHints {
    fn tell(&self, hint: Hint) {
        // Nobody may be there to hear it.
        drop(self.out.send((self.number, hint)));
    }

    async fn hear(&self) -> Hint {
        let mut back = self.back.lock().await;
        loop {
            match back.recv().await {
                Ok((from, hint)) if from != self.number && self.wants(&hint) => return hint,
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                // It has a sender of its own.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    fn follow(&self, thread: &ThreadId) {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner).insert(thread.clone());
    }

    fn unfollow(&self, thread: &ThreadId) {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner).remove(thread);
    }

    fn arrive(&self) -> bool {
        true
    }
}
