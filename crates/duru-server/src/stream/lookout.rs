//! What runs of other processes write, seen by all who watch them here.
//!
//! Nobody who watches asks the store. One task does, for all of them at once: every thread once, however many watch it,
//! and all threads that are due in one question. It looks often at a thread on which something happens, and less and
//! less often at one on which nothing does.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use duru::store::{self, Hints, LogPosition, Status};
use duru::{LogLook, RunId, ThreadId};
use futures_util::future::join_all;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::error::log_line;
use crate::hub::Shared;

/// How often to look at a thread on which something happens.
const FAST: Duration = Duration::from_millis(50);
/// And at one on which nothing has happened for a while.
const SLOW: Duration = Duration::from_millis(250);
const WHILE: Duration = Duration::from_secs(1);
/// How often to look at a thread that others tell of when something happens: what they tell may be lost.
const TOLD: Duration = Duration::from_secs(1);
/// How soon after a look the next may be, where others tell.
const BREATH: Duration = Duration::from_millis(10);
/// After an error, wait before the next try.
const REST: Duration = Duration::from_millis(500);
/// So many threads are asked for at once.
const AT_ONCE: usize = 1000;

/// Everything that is watched here.
#[derive(Default)]
pub(crate) struct Lookout {
    watched: Mutex<HashMap<ThreadId, Watched>>,
    /// There is something to look at, or sooner than was known.
    sooner: Notify,
    /// Others tell by them that they have written something.
    hints: Option<Arc<dyn Hints>>,
}

/// A thread that somebody watches.
struct Watched {
    watchers: usize,
    /// How many of them read what is written there.
    readers: usize,
    /// The runs whose end is waited for, and by how many.
    runs: HashMap<RunId, (usize, watch::Sender<bool>)>,
    /// How long until the next look, and when that is.
    pace: Duration,
    due: Instant,
    /// Whether somebody said that there is something new, after the last look began.
    told: bool,
    /// When something last happened.
    changed: Instant,
    /// Whether a run was under way then.
    busy: bool,
    /// When the queue was last asked what its runs are doing.
    asked: Option<Instant>,
}

impl Default for Watched {
    fn default() -> Self {
        let changed = Instant::now();
        Self {
            watchers: 0,
            readers: 0,
            runs: HashMap::new(),
            pace: FAST,
            due: changed + FAST,
            told: false,
            changed,
            busy: false,
            asked: None,
        }
    }
}

/// Somebody who watches a thread, as long as this lives.
pub(crate) struct Watcher {
    lookout: Arc<Lookout>,
    thread: ThreadId,
    run: Option<RunId>,
    reads: bool,
    over: watch::Receiver<bool>,
}

impl Lookout {
    pub(crate) fn new(hints: Option<Arc<dyn Hints>>) -> Self {
        Self { hints, ..Self::default() }
    }

    /// Whether others tell what they write.
    fn is_told(&self) -> bool {
        self.hints.as_ref().is_some_and(|hints| hints.arrive())
    }

    /// Something has happened on a thread, as somebody says.
    pub(crate) fn look_at(&self, thread: &ThreadId) {
        if let Some(watched) = self.watched().get_mut(thread) {
            watched.due = Instant::now();
            watched.told = true;
            self.sooner.notify_one();
        }
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<ThreadId, Watched>> {
        // Nothing panics half-way through a change.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches what other processes write to a thread. The caller holds a reader of it meanwhile.
    pub(crate) fn watch(self: &Arc<Self>, thread: &ThreadId) -> Watcher {
        self.add(thread, None, true)
    }

    /// The same, and whether a run of it is over.
    pub(crate) fn watch_run(self: &Arc<Self>, thread: &ThreadId, run: RunId) -> Watcher {
        self.add(thread, Some(run), true)
    }

    /// Only whether a run is over.
    pub(crate) fn wait_for(self: &Arc<Self>, thread: &ThreadId, run: RunId) -> Watcher {
        self.add(thread, Some(run), false)
    }

    fn add(self: &Arc<Self>, thread: &ThreadId, run: Option<RunId>, reads: bool) -> Watcher {
        let mut all = self.watched();
        let watched = all.entry(thread.clone()).or_default();
        watched.watchers += 1;
        if let Some(hints) = self.hints.as_ref().filter(|_| watched.watchers == 1) {
            hints.follow(thread);
        }
        watched.readers += usize::from(reads);
        watched.quicken();
        let over = match run {
            Some(run) => {
                let (waiting, over) =
                    watched.runs.entry(run).or_insert_with(|| (0, watch::Sender::new(false)));
                *waiting += 1;
                watched.asked = None;
                over.subscribe()
            }
            None => watch::Sender::new(false).subscribe(),
        };
        drop(all);
        self.sooner.notify_one();
        Watcher { lookout: Arc::clone(self), thread: thread.clone(), run, reads, over }
    }

    /// What is to be looked at now; or when there will be something.
    fn due(&self, hub: &Shared) -> Result<Due, Option<Instant>> {
        let now = Instant::now();
        let mut due = Due::default();
        let mut next: Option<Instant> = None;
        for (thread, watched) in self.watched().iter_mut() {
            if watched.due <= now {
                watched.due = now + watched.pace;
                watched.told = false;
                // What is under way here is heard of as it happens.
                if !watched.runs.keys().any(|run| hub.pool.is_under_way(*run)) {
                    due.add(thread, watched, now);
                }
            }
            next = Some(next.map_or(watched.due, |next| next.min(watched.due)));
        }
        if due.is_empty() { Err(next) } else { Ok(due) }
    }

    /// Notes what came of a look at a thread: none if nothing was new.
    fn note(&self, thread: &ThreadId, news: Option<Status>) {
        if let Some(watched) = self.watched().get_mut(thread) {
            match news {
                Some(status) => {
                    watched.busy = status == Status::Busy;
                    watched.quicken();
                }
                None if watched.changed.elapsed() > WHILE => watched.pace = (watched.pace * 3 / 2).min(SLOW),
                None => {}
            }
            if self.is_told() {
                watched.pace = TOLD;
            }
            // What was said meanwhile may be newer than what was seen.
            let rest = if watched.told { Duration::ZERO } else { watched.pace };
            watched.due = Instant::now() + rest;
        }
    }

    fn tell(&self, thread: &ThreadId, run: RunId) {
        if let Some((_, over)) = self.watched().get(thread).and_then(|watched| watched.runs.get(&run)) {
            over.send_replace(true);
        }
    }
}

impl Watched {
    fn quicken(&mut self) {
        self.pace = FAST;
        self.changed = Instant::now();
        self.due = self.due.min(self.changed + FAST);
    }
}

/// What is to be looked at.
#[derive(Default)]
struct Due {
    threads: Vec<ThreadId>,
    /// Runs whose thread is idle, or was not asked for lately.
    runs: Vec<(RunId, ThreadId)>,
    /// Runs of threads that are busy: asked for only if that has changed.
    running: Vec<(RunId, ThreadId)>,
}

impl Due {
    fn add(&mut self, thread: &ThreadId, watched: &mut Watched, now: Instant) {
        if watched.readers > 0 {
            self.threads.push(thread.clone());
        }
        let runs = watched.runs.keys().map(|run| (*run, thread.clone()));
        let lately = watched.asked.is_some_and(|asked| now - asked < 2 * SLOW);
        if watched.readers > 0 && watched.busy && lately {
            self.running.extend(runs);
        } else {
            self.runs.extend(runs);
            watched.asked = Some(now);
        }
    }

    fn is_empty(&self) -> bool {
        self.threads.is_empty() && self.runs.is_empty()
    }

    /// Apart for each place that keeps threads: where one is away, the others are there.
    fn by_place(self, hub: &Shared) -> HashMap<usize, Self> {
        let mut places: HashMap<usize, Self> = HashMap::new();
        let place = |thread: &ThreadId| hub.stores.checkpoints.place(thread);
        for thread in self.threads {
            places.entry(place(&thread)).or_default().threads.push(thread);
        }
        for (run, thread) in self.runs {
            places.entry(place(&thread)).or_default().runs.push((run, thread));
        }
        for (run, thread) in self.running {
            places.entry(place(&thread)).or_default().running.push((run, thread));
        }
        places
    }
}

impl Watcher {
    /// Waits until the run is over, as the store says. Again and again, until it is told that it is not.
    pub(crate) async fn over(&mut self) {
        if self.over.wait_for(|over| *over).await.is_err() {
            // Nobody waits for a run here.
            std::future::pending::<()>().await;
        }
    }

    /// It was over, and is not any more: it was put back into the queue.
    pub(crate) fn goes_on(&self) {
        if let Some(run) = self.run
            && let Some((_, over)) = self.lookout.watched().get(&self.thread).and_then(|w| w.runs.get(&run))
        {
            over.send_replace(false);
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut all = self.lookout.watched();
        let Some(watched) = all.get_mut(&self.thread) else { return };
        watched.watchers -= 1;
        watched.readers -= usize::from(self.reads);
        if let Some(run) = self.run
            && let Some((waiting, _)) = watched.runs.get_mut(&run)
        {
            *waiting -= 1;
            if *waiting == 0 {
                watched.runs.remove(&run);
            }
        }
        if watched.watchers == 0 {
            all.remove(&self.thread);
            if let Some(hints) = &self.lookout.hints {
                hints.unfollow(&self.thread);
            }
        }
    }
}

/// Looks, as long as anybody watches; until it is aborted.
pub(crate) async fn looking(hub: Shared) {
    let lookout = &hub.lookout;
    loop {
        match lookout.due(&hub) {
            Ok(due) => {
                let began = Instant::now();
                let rest = if lookout.is_told() { BREATH } else { FAST };
                join_all(due.by_place(&hub).into_values().map(|due| look_or_rest(&hub, due))).await;
                // Whatever is due meanwhile goes together in the next one.
                tokio::time::sleep_until(began + rest).await;
            }
            Err(Some(next)) => tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = lookout.sooner.notified() => {}
            },
            Err(None) => lookout.sooner.notified().await,
        }
    }
}

/// Looks at what is in one place. If it is away, what is there rests for a while; what is elsewhere does not.
async fn look_or_rest(hub: &Shared, due: Due) {
    let of_runs = due.runs.iter().chain(&due.running).map(|(_, thread)| thread);
    let threads: HashSet<ThreadId> = due.threads.iter().chain(of_runs).cloned().collect();
    if let Err(error) = look(hub, due).await {
        log_line(&error);
        let next = Instant::now() + REST;
        let mut all = hub.lookout.watched();
        for thread in &threads {
            if let Some(watched) = all.get_mut(thread) {
                watched.due = next;
            }
        }
    }
}

async fn look(hub: &Shared, mut due: Due) -> Result<(), store::Error> {
    let idle = read(hub, &due.threads).await?;
    let readers: HashSet<ThreadId> = due.threads.drain(..).collect();
    let ended = due.running.extract_if(.., |(_, thread)| idle.contains(thread));
    due.runs.extend(ended);
    let mut over = Vec::new();
    for some in due.runs.chunks(AT_ONCE) {
        let ids: Vec<RunId> = some.iter().map(|(run, _)| *run).collect();
        let told: HashMap<_, _> = hub.stores.runs.statuses(&ids).await?.into_iter().collect();
        let is_over = |run: &RunId| told.get(run).is_none_or(|status| !status.is_active());
        over.extend(some.iter().filter(|(run, _)| is_over(run)).cloned());
        for (_, thread) in some.iter().filter(|(run, thread)| !is_over(run) && !readers.contains(thread)) {
            hub.lookout.note(thread, None);
        }
    }
    // What was written before its end is there by now, and is shown before that.
    let threads = over.iter().map(|(_, thread)| thread).filter(|thread| readers.contains(*thread));
    read(hub, &threads.cloned().collect::<Vec<_>>()).await?;
    for (run, thread) in &over {
        hub.lookout.tell(thread, *run);
    }
    Ok(())
}

/// Tells all who read these threads what is new; gives those on which nothing is under way any more.
async fn read(hub: &Shared, threads: &[ThreadId]) -> Result<HashSet<ThreadId>, store::Error> {
    let mut idle = HashSet::new();
    for some in threads.chunks(AT_ONCE) {
        let looks: Vec<LogLook> = some.iter().map(|thread| hub.log(thread).look()).collect();
        let known: Vec<LogPosition> = looks.iter().map(LogLook::position).collect();
        let updates = hub.stores.checkpoints.updates_since(&known).await?;
        let mut updates: HashMap<ThreadId, _> =
            updates.into_iter().map(|update| (update.thread.clone(), update)).collect();
        for (thread, look) in some.iter().zip(looks) {
            let Some(update) = updates.remove(thread) else {
                hub.lookout.note(thread, None);
                continue;
            };
            let status = update.head.map_or(Status::Idle, |head| head.status);
            if status != Status::Busy {
                idle.insert(thread.clone());
            }
            look.learn(update);
            hub.lookout.note(thread, Some(status));
        }
    }
    Ok(idle)
}

#[cfg(test)]
mod tests {
    use duru::store::{LocalHints, MemoryStore};

    use super::*;
    use crate::test_hub::hub;

    /// What is due at this moment.
    fn due(hub: &Shared) -> usize {
        hub.lookout.due(hub).map_or(0, |due| due.threads.len())
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_thread_is_looked_at_less_and_less_often_and_once_for_all() {
        let hub = hub(&Arc::new(MemoryStore::new())).await;
        let thread = ThreadId::new("t").unwrap();
        let watchers = [hub.lookout.watch(&thread), hub.lookout.watch_run(&thread, RunId::random(1))];
        let mut looks = 0;
        for _ in 0..1000 {
            if due(&hub) > 0 {
                looks += 1;
                hub.lookout.note(&thread, None);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // In ten seconds: a second of looks every 50 ms, then ever fewer, down to four a second.
        assert!((40..=75).contains(&looks), "{looks} looks");
        hub.lookout.note(&thread, Some(Status::Busy));
        tokio::time::sleep(FAST).await;
        assert_eq!(due(&hub), 1, "it is not looked at though something happened");
        drop(watchers);
        tokio::time::sleep(SLOW).await;
        assert_eq!(due(&hub), 0, "nobody watches it");
        assert!(hub.lookout.watched().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_told_while_somebody_looks_is_looked_at_again() {
        let mut hub = hub(&Arc::new(MemoryStore::new())).await;
        let [here, _there] = LocalHints::pair();
        Arc::get_mut(&mut hub).unwrap().lookout = Arc::new(Lookout::new(Some(Arc::new(here))));
        let thread = ThreadId::new("t").unwrap();
        let _watcher = hub.lookout.watch(&thread);
        tokio::time::sleep(FAST).await;
        assert_eq!(due(&hub), 1);
        hub.lookout.note(&thread, None);
        tokio::time::sleep(SLOW).await;
        assert_eq!(due(&hub), 0, "others tell, and it is looked at all the time");
        hub.lookout.look_at(&thread);
        assert_eq!(due(&hub), 1);
        // While that look is under way.
        hub.lookout.look_at(&thread);
        hub.lookout.note(&thread, None);
        assert_eq!(due(&hub), 1, "what was told meanwhile is forgotten");
        hub.lookout.note(&thread, None);
        tokio::time::sleep(TOLD).await;
        assert_eq!(due(&hub), 1, "what was not told is never seen");
    }
}
