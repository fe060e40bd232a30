//! Rows on their way from a run to those who watch it right now.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::store::{Head, Row, Seq};
use crate::{Incarnation, ThreadId};

/// How many rows are kept at hand. A reader further behind reads the store.
const CAPACITY: usize = 512;

/// Where a thread's log stands, as far as a reader must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) incarnation: Incarnation,
    pub(crate) version: u64,
    pub(crate) removals: u64,
    /// The number of the next event.
    pub(crate) next_seq: Seq,
}

impl From<Head> for Mark {
    fn from(head: Head) -> Self {
        let Head { incarnation, version, removals, next_seq, .. } = head;
        Self { incarnation, version, removals, next_seq }
    }
}

impl Mark {
    fn is_version_of(&self, other: &Self) -> bool {
        (self.incarnation, self.version) == (other.incarnation, other.version)
    }
}

/// The newest rows of one thread.
pub(crate) struct Feed {
    thread: ThreadId,
    shelf: Mutex<Shelf>,
    /// Something has changed.
    changed: Notify,
    /// Something was taken away.
    room: Notify,
    readers: AtomicUsize,
    /// Whether rows exist nowhere else: then the run waits for its reader
    /// instead of dropping them.
    only_copy: bool,
}

#[derive(Default)]
struct Shelf {
    /// They follow each other without a gap, and end where the mark is.
    rows: VecDeque<Arc<Row>>,
    /// Where the thread stands; none as long as nobody has said.
    mark: Option<Mark>,
    /// Grows with every change. A reader that found nothing waits for a change, and
    /// not for a number: after a rollback there may be none to come.
    changes: u64,
}

/// What a reader finds.
pub(crate) enum Found {
    Rows(Vec<Arc<Row>>, Mark),
    /// The rows from here on are in the store only.
    Behind(Mark),
    /// Nothing new yet.
    Nothing,
    /// Another thread has the name by now, or none has, as far as is known here.
    Another,
}

impl Feed {
    pub(crate) fn new(thread: ThreadId, only_copy: bool) -> Self {
        Self {
            thread,
            shelf: Mutex::default(),
            changed: Notify::new(),
            room: Notify::new(),
            readers: AtomicUsize::new(0),
            only_copy,
        }
    }

    /// The thread, or a made-up one for a run without a store.
    pub(crate) fn thread(&self) -> &ThreadId {
        &self.thread
    }

    pub(crate) fn is_only_copy(&self) -> bool {
        self.only_copy
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

    /// Adds the rows of a commit that led from one mark to another. No rows
    /// means that nobody watched when they were written.
    pub(crate) async fn publish(&self, rows: Option<Vec<Arc<Row>>>, from: Mark, to: Mark) {
        if self.only_copy {
            self.wait_for_room().await;
        }
        {
            let mut shelf = self.shelf();
            if let Some(mark) = shelf.mark.filter(|mark| !mark.is_version_of(&from)) {
                // The store was asked meanwhile, and what it said is as new.
                if mark.incarnation == to.incarnation && mark.version >= to.version {
                    return;
                }
                // Another process wrote in between: its rows are not here.
                shelf.rows.clear();
            }
            match rows {
                Some(rows) => shelf.rows.extend(rows),
                None => shelf.rows.clear(),
            }
            shelf.mark = Some(to);
            shelf.changes += 1;
            if !self.only_copy {
                let surplus = shelf.rows.len().saturating_sub(CAPACITY);
                shelf.rows.drain(..surplus);
            }
        }
        self.changed.notify_waiters();
    }

    /// How often something has changed here.
    pub(crate) fn changes(&self) -> u64 {
        self.shelf().changes
    }

    /// Notes where the thread stands as the store said, which was asked after
    /// `asked` changes. No mark means that there is no thread of this name.
    pub(crate) fn stands(&self, mark: Option<Mark>, asked: u64) {
        {
            let mut shelf = self.shelf();
            let goes_on = match (&shelf.mark, &mark) {
                (Some(old), Some(new)) => old.incarnation == new.incarnation,
                (None, None) => true,
                _ => false,
            };
            let is_newer = match (&shelf.mark, &mark) {
                (Some(old), Some(new)) if goes_on => new.version > old.version,
                // What has changed while the store was asked may be newer than its answer.
                _ => !goes_on && shelf.changes == asked,
            };
            if !is_newer {
                return;
            }
            shelf.rows.clear();
            shelf.mark = mark;
            shelf.changes += 1;
        }
        self.changed.notify_waiters();
    }

    /// Takes in what the store said has happened since this mark. Rows that
    /// follow what is at hand are shared by all who read; otherwise each reads
    /// what it lacks.
    pub(crate) fn learn(&self, asked: (u64, Option<Mark>), head: Option<Head>, rows: Vec<Row>) {
        let (changes, known) = asked;
        let to = head.map(Mark::from);
        {
            let mut shelf = self.shelf();
            if let (Some(old), Some(new)) = (shelf.mark, to)
                && known.is_some_and(|known| known.is_version_of(&old))
                && (old.incarnation, old.removals) == (new.incarnation, new.removals)
                && new.version > old.version
                && rows.first().is_none_or(|first| first.seq == old.next_seq)
                && rows.last().map_or(old.next_seq, Row::end) == new.next_seq
            {
                shelf.rows.extend(rows.into_iter().map(Arc::new));
                let surplus = shelf.rows.len().saturating_sub(CAPACITY);
                shelf.rows.drain(..surplus);
                shelf.mark = to;
                shelf.changes += 1;
                drop(shelf);
                self.changed.notify_waiters();
                return;
            }
        }
        self.stands(to, changes);
    }

    /// What is known here, and after how many changes.
    pub(crate) fn known(&self) -> (u64, Option<Mark>) {
        let shelf = self.shelf();
        (shelf.changes, shelf.mark)
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

    /// The rows that end after event `from`, if they are at hand; of this
    /// thread only, if it is known which one is meant.
    pub(crate) fn look(&self, of: Option<Incarnation>, from: Seq) -> Found {
        let mut shelf = self.shelf();
        let mark = match (shelf.mark, of) {
            (Some(mark), Some(of)) if mark.incarnation != of => return Found::Another,
            (None, Some(_)) => return Found::Another,
            (None, None) => return Found::Nothing,
            (Some(mark), _) => mark,
        };
        if from >= mark.next_seq {
            return Found::Nothing;
        }
        match shelf.rows.front() {
            Some(first) if first.seq <= from => {}
            _ => return Found::Behind(mark),
        }
        let skip = shelf.rows.partition_point(|row| row.end() <= from);
        if self.only_copy {
            let rows = shelf.rows.drain(..).skip(skip).collect();
            drop(shelf);
            self.room.notify_waiters();
            return Found::Rows(rows, mark);
        }
        Found::Rows(shelf.rows.iter().skip(skip).cloned().collect(), mark)
    }

    /// Waits for a change after so many.
    pub(crate) async fn changed_since(&self, seen: u64) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if self.shelf().changes != seen {
                return;
            }
            changed.await;
        }
    }
}
