//! A look at what other processes have written, shared by all who read a thread here.

use std::sync::Arc;

use super::feed::{Feed, Mark};
use crate::store::{LogPosition, LogUpdate};

/// What the readers of a thread know of it, to be compared with the store;
/// see [`ThreadLog::look`](crate::ThreadLog::look).
pub struct LogLook {
    feed: Arc<Feed>,
    changes: u64,
    mark: Option<Mark>,
}

impl LogLook {
    pub(crate) fn new(feed: Arc<Feed>) -> Self {
        let (changes, mark) = feed.known();
        Self { feed, changes, mark }
    }

    /// What a store is asked with.
    pub fn position(&self) -> LogPosition {
        LogPosition {
            thread: self.feed.thread().clone(),
            version: self.mark.map(|mark| (mark.incarnation, mark.version)),
            next_seq: self.mark.map_or(0, |mark| mark.next_seq),
        }
    }

    /// Tells every reader what the store has answered.
    pub fn learn(self, update: LogUpdate) {
        self.feed.learn((self.changes, self.mark), update.head, update.rows);
    }
}
