//! A place in a thread's log that moves forward as events come.

use std::collections::VecDeque;
use std::sync::Arc;

use super::feed::{Found, Mark};
use super::{Event, Feed, Projector, Wanted};
use crate::store::{self, Checkpoints, Head, Row, RowQuery, Seq};
use crate::view::{Pinned, View};
use crate::{Incarnation, ThreadId};

/// How many rows to read from a store at a time.
const PAGE: usize = 256;

/// Reads a thread's events in order, without gaps, from a given number.
///
/// It reads the thread that has the name when it is opened, or the first that
/// has it afterwards. When that one is deleted, the reader ends with
/// [`store::Error::Deleted`]: what others write under the name later is not
/// for it.
pub struct Reader {
    thread: ThreadId,
    store: Option<Arc<dyn Checkpoints>>,
    feed: Arc<Feed>,
    projector: Projector,
    /// Which of the threads that have had the name it reads, once it is known.
    incarnation: Option<Incarnation>,
    /// How often rows had been removed when it last looked.
    removals: u64,
    /// The number of the next event.
    next: Seq,
    /// Rows at hand that are not shown yet.
    rows: VecDeque<Arc<Row>>,
    ready: VecDeque<Event>,
}

impl Reader {
    pub(crate) fn new(
        thread: ThreadId,
        store: Option<Arc<dyn Checkpoints>>,
        feed: Arc<Feed>,
        wanted: Wanted,
        from: Seq,
    ) -> Self {
        feed.watch();
        let projector = Projector::new(thread.clone(), wanted);
        Self {
            thread,
            store,
            feed,
            projector,
            incarnation: None,
            removals: 0,
            next: from,
            rows: VecDeque::new(),
            ready: VecDeque::new(),
        }
    }

    /// The same, of the thread that stands here, or of the next one if there is none.
    pub(crate) fn of(mut self, head: Option<Head>) -> Self {
        self.incarnation = head.map(|head| head.incarnation);
        self
    }

    /// The next event. Waits for it; the caller knows when a run is over.
    pub async fn next(&mut self) -> Result<Event, store::Error> {
        loop {
            let seen = self.feed.changes();
            if let Some(event) = self.advance().await? {
                return Ok(event);
            }
            self.feed.changed_since(seen).await;
        }
    }

    /// The next event that has already happened.
    pub async fn next_ready(&mut self) -> Result<Option<Event>, store::Error> {
        self.advance().await
    }

    /// The number that the next event has at least.
    pub fn position(&self) -> Seq {
        self.next
    }

    /// Asks the store for what runs of other processes have written; those of
    /// this one are noticed as they happen.
    pub async fn refresh(&self) -> Result<(), store::Error> {
        let Some(store) = &self.store else { return Ok(()) };
        let asked = self.feed.changes();
        let head = store.head(&self.thread).await?;
        self.feed.stands(head.map(Mark::from), asked);
        match self.incarnation {
            Some(of) if head.is_none_or(|head| head.incarnation != of) => {
                Err(store::Error::Deleted { thread: self.thread.clone() })
            }
            _ => Ok(()),
        }
    }

    /// An event if one is there. Safe to drop while it waits: a row at hand is
    /// given up only when its events are ready.
    async fn advance(&mut self) -> Result<Option<Event>, store::Error> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            if let Some(row) = self.rows.front().cloned() {
                self.take(&row).await?;
                self.rows.pop_front();
                continue;
            }
            match self.feed.look(self.incarnation, self.next) {
                Found::Nothing => return Ok(None),
                Found::Rows(rows, mark) => {
                    self.notice(mark);
                    self.rows.extend(rows);
                }
                Found::Behind(mark) => {
                    self.notice(mark);
                    let rows = self.page(mark).await?;
                    if rows.is_empty() {
                        // Removed: what comes next has numbers after the mark.
                        self.next = mark.next_seq;
                    }
                    self.rows.extend(rows);
                }
                Found::Another => self.refresh().await?,
            }
        }
    }

    /// Takes in which thread this is, and that rows were removed which a state
    /// at hand may have been made of.
    fn notice(&mut self, mark: Mark) {
        self.incarnation = Some(mark.incarnation);
        if self.removals != mark.removals {
            self.removals = mark.removals;
            self.projector.forget();
        }
    }

    /// Rows up to the mark and no further: those after it may follow from a
    /// removal of which the mark does not know.
    async fn page(&self, mark: Mark) -> Result<Vec<Arc<Row>>, store::Error> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let query = RowQuery {
            incarnation: Some(mark.incarnation),
            from: self.next,
            until: Some(mark.next_seq),
            limit: Some(PAGE),
            ..RowQuery::default()
        };
        Ok(store.rows(&self.thread, query).await?.into_iter().map(Arc::new).collect())
    }

    async fn take(&mut self, row: &Row) -> Result<(), store::Error> {
        if self.projector.lacks(row) {
            let view = self.view(row, row.seq).await?;
            self.projector.follow(row.ns.clone(), view);
        }
        let events = match self.projector.events(row, self.next)? {
            Some(events) => events,
            None => {
                let view = self.view(row, row.end()).await?;
                self.projector.follow_after(row.ns.clone(), view);
                self.projector.events(row, self.next)?.unwrap_or_default()
            }
        };
        self.ready.extend(events);
        self.next = self.next.max(row.end());
        Ok(())
    }

    /// The row's namespace as it was before an event.
    async fn view(&self, row: &Row, until: Seq) -> Result<View, store::Error> {
        match (&self.store, self.incarnation) {
            // A run that is durable only at its end may be on a thread that the store does not know yet.
            (Some(store), _) if self.feed.is_only_copy() => {
                View::load(&**store, &self.thread, &row.ns, Some(until)).await
            }
            (Some(store), Some(incarnation)) => {
                let pinned = Pinned { store: &**store, thread: &self.thread, incarnation };
                View::load_of(pinned, &row.ns, Some(until)).await
            }
            _ => Ok(View::default()),
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.feed.unwatch();
    }
}
