//! The one writer of a thread: puts records into the log in order, makes them
//! durable, and shows them to readers after that.
//!
//! Records are pushed by the run, its subgraphs and its tasks. One commit is
//! under way at a time; what is pushed meanwhile goes into the next one, so
//! that many tasks that end together cost few transactions.

mod turn;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant as StdInstant};

use futures_util::future::Shared;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::commit::{Place, Position, Timers, Work, commit_of, hold};
use crate::Namespace;
use crate::failpoint;
use crate::graph::topology::BoxFuture;
use crate::log::{Logged, Record};
use crate::options::Durability;
use crate::stepper::Item;
use crate::store::{self, Checkpoints, Kind, Row, RowQuery};
use crate::view::{Pinned, View};

/// Tokens and custom events are committed at most so often: one that comes after
/// a silence waits for nothing, and those that follow it share a commit.
const EVENT_DELAY: Duration = Duration::from_millis(10);
/// And at most so many wait.
const EVENT_BATCH: usize = 64;
/// When so many of them wait, or so many bytes, tasks are held up until the
/// store has taken them.
const CROWDED_EVENTS: usize = 1024;
const CROWDED_BYTES: usize = 1 << 20;
/// A task that sends without ever waiting can't be held up: beyond this, what
/// it sends is refused.
const MOST_EVENTS: usize = 64 * CROWDED_EVENTS;
const MOST_BYTES: usize = 64 * CROWDED_BYTES;
/// Background commits may be behind by so many records before the run waits.
const MOST_BEHIND: usize = 1024;

/// A place in the order of pushed records.
pub(crate) type Ticket = u64;

pub(crate) struct Committer {
    pub(crate) place: Place,
    queue: Mutex<Queue>,
    /// Something was pushed.
    work: Notify,
    /// Something became durable, or nothing will any more.
    progress: Notify,
    position: Mutex<Position>,
    /// Whether somebody commits right now.
    busy: AtomicBool,
    /// Nobody does any more.
    free: Notify,
    /// The commit that is under way. Another task than the one that began it can drive it, and must:
    /// a node may block the run's own task meanwhile.
    flight: Mutex<Option<Flight>>,
    /// When the store last knew that this run is alive; none before its first commit.
    renewed: Mutex<Option<StdInstant>>,
    /// Whether somebody renews the lease for the run right now.
    renewing: AtomicBool,
    /// Whether too many events wait.
    crowded: AtomicBool,
    /// They do so no more.
    room: Notify,
}

/// A commit that anybody may carry on.
type Flight = Shared<BoxFuture<Result<(), store::Error>>>;

#[derive(Default)]
struct Queue {
    items: Vec<Item>,
    pushed: Ticket,
    done: Ticket,
    /// Somebody waits; without it, events may wait for company.
    urgent: bool,
    events: usize,
    event_bytes: usize,
    /// When events were committed last.
    events_at: Option<Instant>,
    timers: Timers,
    error: Option<store::Error>,
    /// The run is over: nobody commits any more.
    closed: bool,
}

impl Queue {
    fn is_crowded(&self) -> bool {
        self.events >= CROWDED_EVENTS || self.event_bytes >= CROWDED_BYTES
    }
}

impl Committer {
    pub(crate) fn new(place: Place, position: Position) -> Self {
        Self {
            place,
            queue: Mutex::default(),
            work: Notify::new(),
            progress: Notify::new(),
            position: Mutex::new(position),
            busy: AtomicBool::new(false),
            free: Notify::new(),
            flight: Mutex::default(),
            renewed: Mutex::default(),
            renewing: AtomicBool::new(false),
            crowded: AtomicBool::new(false),
            room: Notify::new(),
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics half-way through a change of the queue.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn position_now(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flight(&self) -> MutexGuard<'_, Option<Flight>> {
        self.flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run is over: pending and new requests fail with that.
    pub(crate) fn close(&self) {
        self.queue().closed = true;
        // It holds the committer that holds it. What it holds besides is dropped after the lock.
        let flight = self.flight().take();
        drop(flight);
        self.make_room();
        self.progress.notify_waiters();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.queue().closed
    }

    /// Deadlines to set, and those of questions that are given up, to be cleared, with the next commit.
    pub(crate) fn change_timers(&self, timers: Timers) {
        let mut queue = self.queue();
        queue.timers.set.extend(timers.set);
        queue.timers.clear.extend(timers.clear);
    }

    /// Takes a record in; it is durable when its ticket is.
    pub(crate) fn push(&self, logged: Logged) -> Ticket {
        self.push_all(vec![Item { logged, snapshot: None }])
    }

    pub(crate) fn push_all(&self, items: Vec<Item>) -> Ticket {
        let mut queue = self.queue();
        queue.pushed += items.len() as Ticket;
        queue.items.extend(items);
        queue.urgent = true;
        let ticket = queue.pushed;
        drop(queue);
        self.work.notify_one();
        ticket
    }

    /// Takes records in that are to be durable with the next one, and not before.
    pub(crate) fn push_quietly(&self, records: impl IntoIterator<Item = Logged>) {
        let mut queue = self.queue();
        for logged in records {
            queue.pushed += 1;
            queue.items.push(Item { logged, snapshot: None });
        }
    }

    /// Takes an event of so many bytes in that nobody waits for. Events of one
    /// task that come together share a row. False if too many wait already.
    pub(crate) fn push_event(&self, logged: Logged, bytes: usize) -> bool {
        let mut queue = self.queue();
        if queue.events >= MOST_EVENTS || queue.event_bytes >= MOST_BYTES {
            return false;
        }
        queue.events += 1;
        queue.event_bytes += bytes;
        if queue.is_crowded() {
            self.crowded.store(true, Ordering::Relaxed);
        }
        if let (Some(Item { logged: last, .. }), Record::Emit(new)) = (queue.items.last_mut(), &logged.record)
            && let Record::Emit(open) = &mut last.record
            && open.task == new.task
            && open.items.len() < EVENT_BATCH
        {
            if let Record::Emit(new) = logged.record {
                open.items.extend(new.items);
            }
        } else {
            queue.pushed += 1;
            queue.items.push(Item { logged, snapshot: None });
        }
        let wake = queue.events == 1 || queue.events >= EVENT_BATCH;
        drop(queue);
        if wake {
            self.work.notify_one();
        }
        true
    }

    /// Whether tasks are to wait before they send more events.
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// Lets tasks go on that were held up.
    fn make_room(&self) {
        self.crowded.store(false, Ordering::Relaxed);
        self.room.notify_waiters();
    }

    /// Waits until the store has taken the events that wait, or never will.
    pub(crate) async fn room(&self) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            if !self.is_crowded() {
                return;
            }
            room.await;
        }
    }

    /// Waits until everything up to the ticket is durable. Somebody must be
    /// pumping; see [`Committer::pump`].
    pub(crate) async fn durable(&self, ticket: Ticket) -> Result<(), store::Error> {
        loop {
            let progress = self.progress.notified();
            tokio::pin!(progress);
            progress.as_mut().enable();
            {
                let queue = self.queue();
                if let Some(error) = &queue.error {
                    return Err(error.clone());
                }
                if queue.done >= ticket {
                    return Ok(());
                }
                if queue.closed {
                    return Err(store::Error::backend("record it", "its run is over"));
                }
            }
            progress.await;
        }
    }

    /// Whether the run must wait before it goes on in the background.
    pub(crate) fn is_far_behind(&self) -> bool {
        self.queue().items.len() > MOST_BEHIND
    }

    pub(crate) fn error(&self) -> Option<store::Error> {
        self.queue().error.clone()
    }

    /// Commits what others push, as long as it is polled. The run's own task
    /// polls it beside the run, so that both end together.
    pub(crate) async fn pump(self: &Arc<Self>) -> store::Error {
        loop {
            let due = {
                let queue = self.queue();
                if let Some(error) = &queue.error {
                    return error.clone();
                }
                let now = Instant::now();
                match queue.events_at {
                    _ if queue.urgent || queue.events >= EVENT_BATCH => Some(now),
                    _ if queue.events == 0 => None,
                    Some(last) => Some(last + EVENT_DELAY),
                    None => Some(now),
                }
            };
            match due {
                None => {
                    // A run that only waits for its tasks must not look dead.
                    let wait = tokio::time::timeout(self.place.sign_of_life(), self.work.notified());
                    if wait.await.is_err()
                        && let Err(error) = self.renew().await
                    {
                        return error;
                    }
                    continue;
                }
                Some(at) if at > Instant::now() => {
                    tokio::select! {
                        () = tokio::time::sleep_until(at) => {}
                        () = self.work.notified() => continue,
                    }
                }
                Some(_) => {}
            }
            if let Err(error) = self.flush().await {
                return error;
            }
        }
    }

    async fn write(&self, position: &mut Position, work: Work) -> Result<(), store::Error> {
        let commit = commit_of(&self.place, position, work)?;
        for row in &commit.rows {
            match row.kind {
                Kind::Task => hit("writes.flush")?,
                Kind::Checkpoint => hit("checkpoint.insert")?,
                Kind::End => hit("run.close")?,
                _ => {}
            }
        }
        let (feed, before) = (&self.place.feed, position.mark());
        // Readers who come later read the store; only those here now need a copy.
        let copied = |rows: &[Row]| feed.is_watched().then(|| rows.iter().cloned().map(Arc::new).collect());
        let next_seq = commit.rows.last().map_or(position.next_seq, Row::end);
        let mut seen = copied(&commit.rows);
        if let Some(store) = &self.place.store {
            let ends = commit.rows.iter().any(|row| row.kind == Kind::End);
            position.ended |= ends;
            let commit = if self.place.durability == Durability::AtEnd {
                hold(position, commit, ends)
            } else {
                Some(commit)
            };
            position.next_seq = next_seq;
            let Some(commit) = commit else {
                // In no store yet: only who asked for this very run may see it.
                if feed.is_only_copy() {
                    feed.publish(seen, before, position.mark()).await;
                }
                return hit("events.published");
            };
            if !feed.is_only_copy() {
                seen = copied(&commit.rows);
            }
            hit(if commit.claim { "run.claim" } else { "commit.sent" })?;
            // The lease begins no earlier than this.
            let sent = StdInstant::now();
            let head = store::commit(&**store, commit).await?;
            hit("commit.acked")?;
            position.version = head.version;
            position.epoch = head.epoch;
            position.removals = head.removals;
            position.claimed = true;
            *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = Some(sent);
        }
        position.next_seq = next_seq;
        feed.publish(seen, before, position.mark()).await;
        hit("events.published")
    }

    /// A namespace as it is after everything that was pushed so far, whether
    /// or not this run's durability has it in the store yet.
    pub(crate) async fn view(self: &Arc<Self>, ns: &Namespace) -> Result<View, store::Error> {
        let mut view = match &self.place.store {
            Some(store) => {
                self.settled().await?;
                match self.pinned(&**store).await {
                    Some(pinned) => View::load_of(pinned, ns, None).await?,
                    None => View { ns: ns.clone(), ..View::default() },
                }
            }
            None => return Ok(View::default()),
        };
        for row in self.held(ns).await {
            view.read(&self.place.thread, &row)?;
        }
        Ok(view)
    }

    /// The rows of a namespace that say what its steps wrote.
    pub(crate) async fn steps(self: &Arc<Self>, ns: &Namespace) -> Result<Vec<Row>, store::Error> {
        let Some(store) = &self.place.store else { return Ok(Vec::new()) };
        self.settled().await?;
        let kinds = vec![Kind::Checkpoint, Kind::Task];
        let query = RowQuery { ns: Some(ns.clone()), kinds: kinds.clone(), ..RowQuery::default() };
        let mut rows = match self.pinned(&**store).await {
            Some(pinned) => pinned.rows(query).await?,
            None => Vec::new(),
        };
        rows.extend(self.held(ns).await.into_iter().filter(|row| kinds.contains(&row.kind)));
        Ok(rows)
    }

    /// The thread in the store; none before the run's first commit has made it.
    async fn pinned<'a>(self: &'a Arc<Self>, store: &'a dyn Checkpoints) -> Option<Pinned<'a>> {
        let Position { incarnation, version, .. } = self.position().await;
        (version > 0).then_some(Pinned { store, thread: &self.place.thread, incarnation })
    }

    async fn settled(&self) -> Result<(), store::Error> {
        let ticket = {
            let mut queue = self.queue();
            queue.urgent |= !queue.items.is_empty();
            queue.pushed
        };
        self.work.notify_one();
        self.durable(ticket).await
    }

    async fn held(self: &Arc<Self>, ns: &Namespace) -> Vec<Row> {
        let _turn = self.turn().await;
        let position = self.position_now();
        let rows = position.held.iter().flat_map(|commit| &commit.rows);
        rows.filter(|row| row.ns == *ns).cloned().collect()
    }

    pub(crate) async fn position(self: &Arc<Self>) -> Position {
        let _turn = self.turn().await;
        self.position_now().clone()
    }
}

fn hit(name: &'static str) -> Result<(), store::Error> {
    failpoint::hit(name).map_err(|crash| store::Error::backend("go on", crash))
}
