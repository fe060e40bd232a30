//! A place in a thread's log that moves forward as events come.

use std::collections::VecDeque;
use std::sync::Arc;

use super::feed::Found;
use super::project::Standing;
use super::{Event, Feed, Projector, Wanted};
use crate::ThreadId;
use crate::store::{self, Checkpoints, Row, RowQuery, Seq};
use crate::view::View;

/// How many rows to read from a store at a time.
const PAGE: usize = 256;

/// Reads a thread's events in order, without gaps, from wherever it is told to.
pub struct Reader {
    thread: ThreadId,
    store: Option<Arc<dyn Checkpoints>>,
    feed: Arc<Feed>,
    projector: Projector,
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
        Self { thread, store, feed, projector, next: from, rows: VecDeque::new(), ready: VecDeque::new() }
    }

    /// The next event. Waits for it; the caller knows when a run is over.
    pub async fn next(&mut self) -> Result<Event, store::Error> {
        loop {
            if let Some(event) = self.advance().await? {
                return Ok(event);
            }
            self.feed.more_than(self.next).await;
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
        if let Some(store) = &self.store
            && let Some(head) = store.head(&self.thread).await?
        {
            self.feed.reaches(head.next_seq);
        }
        Ok(())
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
            let rows = match self.feed.from(self.next) {
                Found::Rows(rows) => rows,
                Found::Nothing => return Ok(None),
                Found::Behind => self.page().await?,
            };
            if rows.is_empty() {
                return Ok(None);
            }
            self.rows.extend(rows);
        }
    }

    async fn page(&self) -> Result<Vec<Arc<Row>>, store::Error> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let query = RowQuery { from: self.next, limit: Some(PAGE), ..RowQuery::default() };
        Ok(store.rows(&self.thread, query).await?.into_iter().map(Arc::new).collect())
    }

    async fn take(&mut self, row: &Row) -> Result<(), store::Error> {
        if self.projector.lacks(&row.ns) {
            let view = match &self.store {
                Some(store) => before(&**store, &self.thread, row).await?,
                None => Standing::Before(View::default()),
            };
            self.projector.follow(row.ns.clone(), view);
        }
        self.ready.extend(self.projector.events(row, self.next)?);
        self.next = self.next.max(row.end());
        Ok(())
    }
}

/// Where the first row that is read of a namespace finds it. After a pruned
/// thread's first row there is a snapshot, and nothing before it.
async fn before(store: &dyn Checkpoints, thread: &ThreadId, row: &Row) -> Result<Standing, store::Error> {
    let snapshot = store.snapshot(thread, &row.ns, Some(row.seq)).await?;
    if snapshot.is_some_and(|snapshot| snapshot.seq == row.seq) {
        return Ok(Standing::After(View::load(store, thread, &row.ns, Some(row.end())).await?));
    }
    Ok(Standing::Before(View::load(store, thread, &row.ns, Some(row.seq)).await?))
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.feed.unwatch();
    }
}
