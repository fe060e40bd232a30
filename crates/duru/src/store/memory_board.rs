//! The queue and the catalog in memory.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::time::{Duration, Instant};

use super::memory::MemoryStore;
use super::{
    Cancel, Catalog, Claim, Claimed, Enqueued, Entry, EntryKind, EntryQuery, Error, Expect, Found, HeldRun,
    IfBusy, NewRun, Owner, Put, QueuedRun, RunQuery, RunStatus, Runs, Settled, SortBy, Worker,
};
use crate::clock::{Clock, SystemClock};
use crate::{Incarnation, RunId, ThreadId};

/// Everything under one lock, so that each call is one transaction.
#[derive(Default)]
pub(super) struct Board {
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    /// By the number in which they were accepted.
    runs: BTreeMap<u64, Waiting>,
    accepted: u64,
    by_id: HashMap<RunId, u64>,
    by_key: HashMap<String, u64>,
    by_thread: HashMap<ThreadId, BTreeSet<u64>>,
    /// Those that wait or are under way.
    active: HashMap<ThreadId, BTreeSet<u64>>,
    entries: BTreeMap<(EntryKind, String), Entry>,
    /// Until when the runs of a worker are its own.
    leases: HashMap<Owner, Instant>,
}

struct Waiting {
    run: QueuedRun,
    key: Option<(String, u64)>,
    due: Instant,
    /// When its owner is to have heard of it.
    overdue: Instant,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Tables> {
        // Nothing below panics half-way through a change.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the queue has a run.
    pub(super) fn has(&self, run: RunId) -> bool {
        self.lock().by_id.contains_key(&run)
    }

    /// Until when a run of this owner, under way on the thread, keeps others off it.
    pub(super) fn held_until(&self, thread: &ThreadId, owner: &Owner) -> Option<Instant> {
        let tables = self.lock();
        let mut runs = tables.active.get(thread)?.iter().filter_map(|number| tables.runs.get(number));
        runs.find(|w| w.run.status == RunStatus::Running && w.run.owner == *owner)?;
        tables.leases.get(owner).copied()
    }
}

fn now_ms() -> u64 {
    SystemClock.now_ms()
}

impl Waiting {
    fn claim(&mut self, worker: &Worker) {
        self.run.status = RunStatus::Running;
        self.run.attempt += 1;
        self.run.owner = worker.owner.clone();
        self.run.updated_ms = now_ms();
        self.overdue = Instant::now() + Duration::from_millis(worker.lease_ms);
    }

    fn is_held_by(&self, owner: &Owner) -> bool {
        self.run.status == RunStatus::Running && self.run.owner == *owner
    }

    fn held(&self) -> HeldRun {
        let QueuedRun { id, attempt, cancel, .. } = self.run;
        HeldRun { id, attempt, cancel, overdue: self.overdue <= Instant::now() }
    }

    /// Since it was accepted, given back or due.
    fn waited_ms(&self) -> u64 {
        let since_due = u64::try_from(self.due.elapsed().as_millis()).unwrap_or(u64::MAX);
        now_ms().saturating_sub(self.run.updated_ms).min(since_due)
    }

    fn is_due(&self) -> bool {
        self.run.status == RunStatus::Pending && self.due <= Instant::now()
    }
}

impl Tables {
    /// A sign of life of a worker. Between two renewals it changes nothing.
    fn keep(&mut self, worker: &Worker) {
        let lease = Duration::from_millis(worker.lease_ms);
        let now = Instant::now();
        if self.leases.get(&worker.owner).is_none_or(|until| *until < now + lease / 2) {
            self.leases.insert(worker.owner.clone(), now + lease);
        }
    }

    fn is_lost(&self, waiting: &Waiting, gone: &[Owner]) -> bool {
        let owner = &waiting.run.owner;
        let is_silent = || self.leases.get(owner).is_none_or(|until| *until <= Instant::now());
        waiting.run.status == RunStatus::Running && (gone.contains(owner) || is_silent())
    }

    fn add(&mut self, waiting: Waiting) -> u64 {
        self.accepted += 1;
        let (number, run) = (self.accepted, &waiting.run);
        self.by_id.insert(run.id, number);
        self.by_thread.entry(run.thread.clone()).or_default().insert(number);
        self.active.entry(run.thread.clone()).or_default().insert(number);
        if let Some((key, _)) = &waiting.key {
            self.by_key.insert(key.clone(), number);
        }
        self.runs.insert(number, waiting);
        number
    }

    fn drop_run(&mut self, number: u64) {
        self.end(number);
        let Some(Waiting { run, key, .. }) = self.runs.remove(&number) else { return };
        self.by_id.remove(&run.id);
        if let Some((key, _)) = key {
            self.by_key.remove(&key);
        }
        take(&mut self.by_thread, &run.thread, number);
    }

    /// Removes an entry; a thread's with all of its runs. Whether there was one.
    fn remove(&mut self, kind: EntryKind, id: &str) -> bool {
        if kind == EntryKind::Thread {
            let thread = ThreadId::new(id).ok();
            let runs = thread.and_then(|thread| self.by_thread.get(&thread).cloned());
            runs.into_iter().flatten().for_each(|number| self.drop_run(number));
        }
        self.entries.remove(&(kind, id.to_owned())).is_some()
    }

    /// Takes a run out of those that wait or are under way.
    fn end(&mut self, number: u64) {
        if let Some(waiting) = self.runs.get(&number) {
            take(&mut self.active, &waiting.run.thread, number);
        }
    }

    fn is_busy(&self, thread: &ThreadId) -> bool {
        self.active.contains_key(thread)
    }

    /// The run of a thread that may begin: the first that is due, unless one is
    /// under way.
    fn next_of(&self, thread: &ThreadId) -> Option<u64> {
        let mut next = None;
        for number in self.active.get(thread)? {
            let waiting = self.runs.get(number)?;
            if waiting.run.status == RunStatus::Running {
                return None;
            }
            if next.is_none() && waiting.is_due() {
                next = Some(*number);
            }
        }
        next
    }

    fn touch(&mut self, thread: &ThreadId, status: &str) {
        if let Some(entry) = self.entries.get_mut(&(EntryKind::Thread, thread.to_string())) {
            status.clone_into(&mut entry.status);
            entry.updated_ms = now_ms();
            entry.version += 1;
        }
    }

    /// What the thread's entry says after one of its runs has ended.
    fn settle_thread(&mut self, thread: &ThreadId, status: &str) {
        let status = if self.is_busy(thread) { "busy" } else { status };
        self.touch(thread, status);
    }

    /// Stops what waits or is under way; gives what it became.
    fn stop(&mut self, numbers: Vec<u64>, how: Cancel) -> Vec<QueuedRun> {
        let mut stopped = Vec::new();
        for number in numbers {
            let Some(Waiting { run, .. }) = self.runs.get_mut(&number) else { continue };
            if !run.status.is_active() {
                continue;
            }
            run.cancel = Some(how);
            run.updated_ms = now_ms();
            let waited = run.status == RunStatus::Pending;
            if waited {
                run.status = RunStatus::Cancelled;
            }
            stopped.push(run.clone());
            match how {
                Cancel::Rollback if waited => self.drop_run(number),
                _ if waited => self.end(number),
                _ => {}
            }
        }
        stopped
    }

    fn enqueue(&mut self, new: NewRun) -> Enqueued {
        if let Some((key, digest)) = &new.key
            && let Some(waiting) = self.by_key.get(key).and_then(|number| self.runs.get(number))
        {
            let same = waiting.key.as_ref().is_some_and(|(_, found)| found == digest);
            return if same { Enqueued::Again(waiting.run.clone()) } else { Enqueued::KeyTaken };
        }
        let place = (EntryKind::Thread, new.thread.to_string());
        if !self.entries.contains_key(&place) && !new.make_thread {
            return Enqueued::NoThread;
        }
        let stopping = match new.if_busy {
            IfBusy::Reject if self.is_busy(&new.thread) => return Enqueued::Busy,
            IfBusy::Cancel(how) => {
                let others = self.active.get(&new.thread).into_iter().flatten().copied().collect();
                self.stop(others, how)
            }
            _ => Vec::new(),
        };
        let now = now_ms();
        let entry = self.entries.entry(place).or_insert_with(|| Entry {
            incarnation: Incarnation::random(),
            created_ms: now,
            ..Entry::new(EntryKind::Thread, new.thread.to_string())
        });
        entry.metadata.extend(new.thread_metadata);
        "busy".clone_into(&mut entry.status);
        entry.updated_ms = now;
        entry.version += 1;
        let run = QueuedRun {
            id: new.id,
            thread: new.thread,
            status: RunStatus::Pending,
            payload: new.payload,
            metadata: new.metadata,
            outcome: None,
            attempt: 0,
            deaths: 0,
            owner: Owner::default(),
            cancel: None,
            created_ms: now,
            updated_ms: now,
        };
        let due = Instant::now() + Duration::from_millis(new.after_ms);
        let number = self.add(Waiting { run: run.clone(), key: new.key, due, overdue: Instant::now() });
        let next = self.next_of(&run.thread);
        if let Some(worker) = new.claim.as_ref().filter(|_| next == Some(number)) {
            self.keep(worker);
        }
        let run = match (&new.claim, self.runs.get_mut(&number)) {
            (Some(worker), Some(waiting)) if next == Some(number) => {
                waiting.claim(worker);
                waiting.run.clone()
            }
            _ => run,
        };
        let stopping = stopping.into_iter().filter(|run| run.status == RunStatus::Running).collect();
        Enqueued::Accepted { run, stopping }
    }

    fn claim(&mut self, claim: &Claim) -> Claimed {
        let mut claimed = Claimed::default();
        let active = self.active.values().flatten().copied();
        let lost = |number: &u64| self.runs.get(number).is_some_and(|w| self.is_lost(w, &claim.gone));
        for number in active.filter(lost).collect::<BTreeSet<u64>>() {
            let Some(Waiting { run, .. }) = self.runs.get_mut(&number) else { continue };
            run.deaths += 1;
            run.updated_ms = now_ms();
            run.status = RunStatus::Pending;
            if run.deaths >= claim.most_deaths {
                run.status = RunStatus::Dead;
                let run = run.clone();
                self.end(number);
                self.settle_thread(&run.thread, "error");
                claimed.dead.push(run);
            }
        }
        // After that: who comes back from a long silence has lost its runs, too.
        self.keep(&claim.worker);
        let next: BTreeSet<u64> = self.active.keys().filter_map(|thread| self.next_of(thread)).collect();
        for number in next {
            let Some(waiting) = self.runs.get_mut(&number) else { continue };
            if claimed.runs.len() >= claim.limit {
                if claimed.waiting == 0 {
                    claimed.waited_ms = waiting.waited_ms();
                }
                claimed.waiting += 1;
            } else {
                waiting.claim(&claim.worker);
                claimed.runs.push(waiting.run.clone());
            }
        }
        claimed
    }

    /// The numbers of runs, the latest first, or the oldest where only old ones are wanted.
    fn matching(&self, query: &RunQuery) -> Vec<u64> {
        let candidates: Box<dyn Iterator<Item = u64> + '_> = match (&query.thread, query.ids.as_slice()) {
            (_, [_, ..]) => {
                let numbers = query.ids.iter().filter_map(|id| self.by_id.get(id).copied());
                Box::new(numbers.collect::<BTreeSet<u64>>().into_iter().rev())
            }
            (Some(thread), _) => Box::new(self.by_thread.get(thread).into_iter().flatten().rev().copied()),
            (None, _) => Box::new(self.runs.keys().rev().copied()),
        };
        let wanted = |number: &u64| {
            self.runs.get(number).is_some_and(|Waiting { run, .. }| {
                query.thread.as_ref().is_none_or(|thread| *thread == run.thread)
                    && (query.statuses.is_empty() || query.statuses.contains(&run.status))
                    && query.older_than_ms.is_none_or(|time| run.updated_ms < time)
            })
        };
        let mut found: Vec<u64> = candidates.filter(wanted).collect();
        if query.older_than_ms.is_some() {
            found.reverse();
        }
        found.into_iter().skip(query.offset).take(query.limit.unwrap_or(usize::MAX)).collect()
    }

    fn under_way(&mut self, run: RunId, attempt: u32) -> Option<(u64, &mut Waiting)> {
        let number = *self.by_id.get(&run)?;
        let waiting = self.runs.get_mut(&number)?;
        let fits = waiting.run.attempt == attempt && waiting.run.status == RunStatus::Running;
        fits.then_some((number, waiting))
    }
}

fn take(index: &mut HashMap<ThreadId, BTreeSet<u64>>, thread: &ThreadId, number: u64) {
    if let Some(numbers) = index.get_mut(thread) {
        numbers.remove(&number);
        if numbers.is_empty() {
            index.remove(thread);
        }
    }
}

#[async_trait]
impl Runs for MemoryStore {
    async fn enqueue(&self, run: NewRun) -> Result<Enqueued, Error> {
        Ok(self.board.lock().enqueue(run))
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        Ok(self.board.lock().claim(&claim))
    }

    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        let mut tables = self.board.lock();
        let until = Instant::now() + Duration::from_millis(worker.lease_ms);
        tables.leases.insert(worker.owner.clone(), until);
        for (run, attempt) in unknown {
            if let Some((_, waiting)) = tables.under_way(*run, *attempt)
                && waiting.is_held_by(&worker.owner)
                && waiting.held().overdue
            {
                waiting.run.owner = Owner::default();
            }
        }
        let runs = tables.active.values().flatten().filter_map(|number| tables.runs.get(number));
        Ok(runs.filter(|waiting| waiting.is_held_by(&worker.owner)).map(Waiting::held).collect())
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        let tables = self.board.lock();
        let runs = tables.active.values().flatten().filter_map(|number| tables.runs.get(number));
        let stopping = runs.filter(|w| w.is_held_by(owner) && w.run.cancel.is_some());
        Ok(stopping.map(Waiting::held).collect())
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        let tables = self.board.lock();
        let runs = tables.active.values().flatten().filter_map(|number| tables.runs.get(number));
        let running = runs.filter(|waiting| waiting.run.status == RunStatus::Running);
        let owners: HashSet<Owner> = running.map(|waiting| waiting.run.owner.clone()).collect();
        Ok(owners.into_iter().collect())
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        let tables = self.board.lock();
        let status = |run: &RunId| Some((*run, tables.runs.get(tables.by_id.get(run)?)?.run.status));
        Ok(runs.iter().filter_map(status).collect())
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        let mut tables = self.board.lock();
        let Some((number, waiting)) = tables.under_way(run, attempt) else { return Ok(false) };
        if settled.remove_thread {
            let thread = waiting.run.thread.to_string();
            tables.remove(EntryKind::Thread, &thread);
            drop(tables);
            self.remove_log(&thread);
            return Ok(true);
        }
        waiting.run.status = settled.status;
        waiting.run.outcome = settled.outcome;
        waiting.run.updated_ms = now_ms();
        let thread = waiting.run.thread.clone();
        if !settled.status.is_active() {
            tables.end(number);
        }
        tables.settle_thread(&thread, &settled.thread_status);
        Ok(true)
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        let mut tables = self.board.lock();
        let matching = tables.matching(&query);
        let stopped = tables.stop(matching, how);
        for run in stopped.iter().filter(|run| run.status == RunStatus::Cancelled) {
            tables.settle_thread(&run.thread, "interrupted");
        }
        Ok(stopped)
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        let mut tables = self.board.lock();
        let Some(number) = tables.by_id.get(&run).copied() else { return Ok(false) };
        let Some(Waiting { run, due, .. }) = tables.runs.get_mut(&number) else { return Ok(false) };
        if run.status != RunStatus::Dead {
            return Ok(false);
        }
        (run.status, run.deaths, run.cancel, run.outcome) = (RunStatus::Pending, 0, None, None);
        run.updated_ms = now_ms();
        *due = Instant::now();
        let thread = run.thread.clone();
        tables.active.entry(thread.clone()).or_default().insert(number);
        tables.touch(&thread, "busy");
        Ok(true)
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        let tables = self.board.lock();
        let numbers = tables.matching(&query);
        Ok(numbers.iter().filter_map(|number| tables.runs.get(number)).map(|w| w.run.clone()).collect())
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        let mut tables = self.board.lock();
        let Some(number) = tables.by_id.get(&run).copied() else { return Ok(false) };
        let Some(Waiting { run, .. }) = tables.runs.get(&number) else { return Ok(false) };
        let (active, thread) = (run.status.is_active(), run.thread.clone());
        if active && attempt != Some(run.attempt) {
            return Ok(false);
        }
        tables.drop_run(number);
        if active {
            tables.settle_thread(&thread, "idle");
        }
        Ok(true)
    }
}

#[async_trait]
impl Catalog for MemoryStore {
    async fn put(&self, mut entry: Entry, expect: Expect) -> Result<Put, Error> {
        let mut tables = self.board.lock();
        let place = (entry.kind, entry.id.clone());
        let old = tables.entries.get(&place);
        let fits = match expect {
            Expect::Any => true,
            Expect::New => old.is_none(),
            Expect::Version(version) => old.is_some_and(|old| entry.follows(old, version)),
        };
        if !fits {
            return Ok(Put::Unexpected(old.cloned()));
        }
        let now = now_ms();
        entry.incarnation = old.map_or_else(Incarnation::random, |old| old.incarnation);
        entry.version = old.map_or(0, |old| old.version) + 1;
        entry.created_ms = old.map_or(now, |old| old.created_ms);
        entry.updated_ms = now;
        tables.entries.insert(place, entry.clone());
        Ok(Put::Stored(entry))
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        Ok(self.board.lock().entries.get(&(kind, id.to_owned())).cloned())
    }

    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        let tables = self.board.lock();
        let mut all: Vec<&Entry> = tables.entries.values().filter(|entry| query.wants(entry)).collect();
        all.sort_by(|a, b| order(&query, a, b));
        let total = all.len();
        let entries = all.into_iter().skip(query.offset).take(query.limit).cloned().collect();
        Ok(Found { entries, total })
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        let there = self.board.lock().remove(kind, id);
        if kind == EntryKind::Thread {
            self.remove_log(id);
        }
        Ok(there)
    }
}

/// Equal ones by their name, always from small to large.
fn order(query: &EntryQuery, a: &Entry, b: &Entry) -> Ordering {
    let order = match query.sort {
        SortBy::Created => a.created_ms.cmp(&b.created_ms),
        SortBy::Updated => a.updated_ms.cmp(&b.updated_ms),
        SortBy::Id => a.id.cmp(&b.id),
        SortBy::Status => a.status.cmp(&b.status),
        SortBy::Label => a.label.cmp(&b.label),
    };
    let order = if query.ascending { order } else { order.reverse() };
    order.then_with(|| a.id.cmp(&b.id))
}
