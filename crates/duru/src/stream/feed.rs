//! Rows on their way from a run to those who watch it right now.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::ThreadId;
use crate::store::{Row, Seq};

/// How many rows are kept at hand. A reader further behind reads the store.
const CAPACITY: usize = 512;

/// The newest rows of one thread.
pub(crate) struct Feed {
    thread: ThreadId,
    shelf: Mutex<Shelf>,
    /// Something was added.
    grown: Notify,
    /// Something was taken away.
    room: Notify,
    readers: AtomicUsize,
    /// Whether rows exist nowhere else: then the run waits for its reader
    /// instead of dropping them.
    only_copy: bool,
}

#[derive(Default)]
struct Shelf {
    rows: VecDeque<Arc<Row>>,
    /// The number of the next event.
    next_seq: Seq,
}

/// What a reader finds.
pub(crate) enum Found {
    Rows(Vec<Arc<Row>>),
    /// The rows from here on are in the store only.
    Behind,
    /// Nothing new yet.
    Nothing,
}

impl Feed {
    pub(crate) fn new(thread: ThreadId, next_seq: Seq, only_copy: bool) -> Self {
        Self {
            thread,
            shelf: Mutex::new(Shelf { rows: VecDeque::new(), next_seq }),
            grown: Notify::new(),
            room: Notify::new(),
            readers: AtomicUsize::new(0),
            only_copy,
        }
    }

    /// The thread, or a made-up one for a run without a store.
    pub(crate) fn thread(&self) -> &ThreadId {
        &self.thread
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.readers.load(Ordering::SeqCst) > 0
    }

    pub(crate) fn watch(&self) {
        self.readers.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn unwatch(&self) {
        self.readers.fetch_sub(1, Ordering::SeqCst);
        self.room.notify_waiters();
    }

    /// Adds rows; they end at `next_seq`. No rows means that nobody watched
    /// when they were written.
    pub(crate) async fn publish(&self, rows: Vec<Arc<Row>>, next_seq: Seq) {
        if self.only_copy {
            self.wait_for_room().await;
        }
        {
            let mut shelf = self.shelf();
            if rows.is_empty() {
                shelf.rows.clear();
            }
            shelf.rows.extend(rows);
            shelf.next_seq = next_seq;
            if !self.only_copy {
                let surplus = shelf.rows.len().saturating_sub(CAPACITY);
                shelf.rows.drain(..surplus);
            }
        }
        self.grown.notify_waiters();
    }

    /// Notes that the store has more than was published here.
    pub(crate) fn reaches(&self, next_seq: Seq) {
        let mut shelf = self.shelf();
        if next_seq > shelf.next_seq {
            shelf.rows.clear();
            shelf.next_seq = next_seq;
            drop(shelf);
            self.grown.notify_waiters();
        }
    }

    async fn wait_for_room(&self) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            if self.shelf().rows.len() < CAPACITY || !self.is_watched() {
                return;
            }
            room.await;
        }
    }

    /// The rows that end after event `from`, if they are at hand.
    pub(crate) fn from(&self, from: Seq) -> Found {
        let mut shelf = self.shelf();
        if from >= shelf.next_seq {
            return Found::Nothing;
        }
        match shelf.rows.front() {
            Some(first) if first.seq <= from => {}
            _ => return Found::Behind,
        }
        let skip = shelf.rows.partition_point(|row| row.end() <= from);
        if self.only_copy {
            let rows = shelf.rows.drain(..).skip(skip).collect();
            drop(shelf);
            self.room.notify_waiters();
            return Found::Rows(rows);
        }
        Found::Rows(shelf.rows.iter().skip(skip).cloned().collect())
    }

    /// Waits for more than `seen` events. Resolves at once if there are.
    pub(crate) async fn more_than(&self, seen: Seq) {
        loop {
            let grown = self.grown.notified();
            tokio::pin!(grown);
            grown.as_mut().enable();
            if self.shelf().next_seq > seen {
                return;
            }
            grown.await;
        }
    }
}
