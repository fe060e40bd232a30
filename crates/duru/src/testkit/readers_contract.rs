//! What a reader of a thread must see, whatever others do to it meanwhile:
//! the thread that it opened, all of it, and nothing else. A backend's tests
//! run [`CASES`], each on an empty store.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use std::sync::Arc;
//! use duru::store::MemoryStore;
//!
//! duru::testkit::readers_contract::check(async || Arc::new(MemoryStore::new()) as _).await;
//! # }
//! ```
// These are tests, though another crate calls them.
#![allow(clippy::unwrap_used)]

use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::store::{
    Checkpoints, Commit, Error, Head, LogPosition, Owner, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
};
use crate::{
    App, Compiled, Cx, END, Event, Graph, HistoryQuery, LogLook, Mode, Namespace, Reader, Result, Source,
    State, Thread, ThreadId,
};

/// A store under test; empty.
pub type Store = Arc<dyn Checkpoints>;

/// A case: panics when a reader sees what it must not, or does not see what it must.
pub type Case = fn(Store) -> Pin<Box<dyn Future<Output = ()> + Send>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        /// Every case under its name.
        pub const CASES: &[(&str, Case)] = &[$((stringify!($name), |store| Box::pin($name(store)))),*];
    };
}

cases! {
    a_deleted_thread_does_not_come_back_to_who_makes_it_again,
    a_run_under_way_writes_nothing_into_the_next_thread_of_its_name,
    a_reader_ends_with_its_thread,
    a_new_reader_sees_nothing_of_a_deleted_thread,
    a_reader_opened_after_a_rollback_waits_without_asking,
    a_new_reader_sees_nothing_of_a_run_that_was_undone,
    a_live_reader_misses_no_row_that_another_process_wrote,
    a_live_reader_folds_the_right_state_after_a_rollback,
    a_live_reader_folds_the_right_state_after_a_rollback_elsewhere,
    a_reader_of_a_pruned_thread_begins_with_the_right_state,
    history_of_a_pruned_thread_is_right,
    a_reader_of_many_subgraph_calls_asks_for_no_page_twice,
    history_is_found_without_reading_everything,
    readers_of_several_threads_share_one_look,
}

/// Runs every case, each on a store of its own, and panics with the names of
/// those that failed.
pub async fn check(make: impl AsyncFn() -> Store) {
    let mut failed = Vec::new();
    for (name, case) in CASES {
        if tokio::spawn(case(make().await)).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "readers see something else: {}", failed.join(", "));
}

#[derive(State, Clone, Debug)]
struct Diary {
    #[merge(append)]
    lines: Vec<String>,
    #[merge(sum)]
    count: u64,
}

fn line(text: &str) -> DiaryUpdate {
    DiaryUpdate::new().lines([text.to_owned()])
}

/// Each turn writes a line and an event of its own.
fn diary() -> Compiled<Diary> {
    let mut g = Graph::<Diary>::new("diary");
    let count = g.node("count", |s: Arc<Diary>, cx: Cx| async move {
        cx.emit(&s.lines)?;
        Ok(DiaryUpdate::new().count(1u64))
    });
    g.start(count).edge(count, END);
    g.compile().unwrap()
}

/// An app as another process would have it.
fn process(graph: &Compiled<Diary>, store: &Store, name: &str) -> App<Diary> {
    graph.clone().on(Arc::clone(store)).owned_by(Owner::named(name), Duration::from_secs(15))
}

async fn turn(thread: &Thread<Diary>, text: &str) {
    thread.invoke(line(text)).await.unwrap().done().unwrap();
}

async fn lines(thread: &Thread<Diary>) -> Vec<String> {
    thread.state().await.unwrap().decode::<Diary>().unwrap().lines
}

async fn ready(reader: &mut Reader) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(event) = reader.next_ready().await.unwrap() {
        events.push(event);
    }
    events
}

/// What a reader sees who comes now, with a process of its own.
async fn afresh(store: &Store, modes: &[Mode]) -> Vec<Event> {
    let thread = process(&diary(), store, "auditor").thread("t").unwrap();
    ready(&mut thread.events(0, modes.to_vec()).await.unwrap()).await
}

const SECRET: &str = "kim's secret";

fn has_secret(shown: impl std::fmt::Debug) -> bool {
    format!("{shown:?}").contains(SECRET)
}

/// A thread of kim's is warm in one process, deleted in another (or in the store alone) and made again by park.
async fn a_deleted_thread_does_not_come_back_to_who_makes_it_again(store: Store) {
    let graph = diary();
    let (here, there) = (process(&graph, &store, "here"), process(&graph, &store, "there"));
    for (name, through_the_store) in [("t", false), ("u", true)] {
        let (mine, theirs) = (here.thread(name).unwrap(), there.thread(name).unwrap());
        turn(&mine, SECRET).await;
        let old = store.head(mine.id()).await.unwrap().unwrap();
        let deleted = if through_the_store {
            store.delete(mine.id()).await.unwrap()
        } else {
            theirs.delete().await.unwrap()
        };
        assert!(deleted);
        turn(&theirs, "park's").await;
        let new = store.head(mine.id()).await.unwrap().unwrap();
        assert_eq!((old.version, old.next_seq), (new.version, new.next_seq), "the case shows nothing");

        let mut stream = mine.invoke(line("hello")).stream(Mode::ALL).await.unwrap();
        let mut events = Vec::new();
        while let Some(event) = stream.next().await.unwrap() {
            events.push(event);
        }
        assert!(!has_secret(&events), "the next owner's stream shows it");
        assert_eq!(stream.outcome().await.unwrap().done().unwrap().lines, ["park's", "hello"]);
        // And the thread is well, wherever it goes on.
        turn(&theirs, "again").await;
        turn(&mine, "and again").await;
        let all = ["park's", "hello", "again", "and again"];
        for thread in [&mine, &theirs, &process(&graph, &store, "third").thread(name).unwrap()] {
            assert_eq!(lines(thread).await, all);
            assert!(!has_secret(thread.history(100).await.unwrap()));
        }
    }
}

async fn a_run_under_way_writes_nothing_into_the_next_thread_of_its_name(store: Store) {
    let began = Arc::new(Semaphore::new(0));
    let (kims, parks) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let gates = (Arc::clone(&began), Arc::clone(&kims), Arc::clone(&parks));
    let mut g = Graph::<Diary>::new("diary");
    let wait = g.node("wait", move |s: Arc<Diary>, _: Cx| {
        let (began, kims, parks) = gates.clone();
        async move {
            if s.count == 0 {
                began.add_permits(1);
                let gate = if has_secret(&s.lines) { kims } else { parks };
                gate.acquire().await.map_err(crate::NodeError::fatal)?.forget();
            }
            Ok(DiaryUpdate::new().count(1u64))
        }
    });
    g.start(wait).edge(wait, END);
    let graph = g.compile().unwrap();
    let begin = async |name: &str, text: &str| {
        let thread = process(&graph, &store, name).thread("t").unwrap();
        let run = thread.invoke(line(text));
        let running = tokio::spawn(run.into_future());
        began.acquire().await.unwrap().forget();
        (thread, running, store.head(&ThreadId::new("t").unwrap()).await.unwrap().unwrap())
    };
    let (mine, my_run, old) = begin("here", SECRET).await;
    assert!(store.delete(mine.id()).await.unwrap());
    let (theirs, their_run, new) = begin("there", "park's").await;
    assert_eq!((old.version, old.epoch), (new.version, new.epoch), "the case shows nothing");
    kims.add_permits(1);
    let Err(crate::Error::Store(Error::Conflict { .. })) = my_run.await.unwrap() else {
        panic!("it wrote into another thread");
    };
    parks.add_permits(1);
    their_run.await.unwrap().unwrap().done().unwrap();
    assert_eq!(lines(&theirs).await, ["park's"]);
    turn(&mine, "more").await;
    assert_eq!(lines(&theirs).await, ["park's", "more"]);
    assert!(!has_secret(afresh(&store, &Mode::ALL).await));
}

async fn a_reader_ends_with_its_thread(store: Store) {
    let graph = diary();
    let (here, there) = (process(&graph, &store, "here"), process(&graph, &store, "there"));
    let (mine, theirs) = (here.thread("t").unwrap(), there.thread("t").unwrap());
    turn(&mine, "kim's").await;
    let is_over = |ended: Result<Option<Event>, Error>| matches!(ended, Err(Error::Deleted { .. }));

    let mut reader = mine.events(0, Mode::ALL).await.unwrap();
    assert!(!ready(&mut reader).await.is_empty());
    assert!(theirs.delete().await.unwrap());
    turn(&theirs, "park's").await;
    turn(&theirs, "park's, too").await;
    assert!(matches!(reader.refresh().await, Err(Error::Deleted { .. })), "it goes on with another thread");
    assert!(is_over(reader.next_ready().await) && is_over(reader.next().await.map(Some)));

    // Also one that never asks, when the next owner comes to where it is.
    let mut reader = mine.events(0, Mode::ALL).await.unwrap();
    ready(&mut reader).await;
    assert!(theirs.delete().await.unwrap());
    turn(&mine, "lee's").await;
    turn(&mine, "lee's, too").await;
    assert!(is_over(reader.next_ready().await), "it shows another thread");

    // And one that was behind, and reads the store.
    let mut reader = mine.events(0, Mode::ALL).await.unwrap();
    reader.next().await.unwrap();
    assert!(mine.delete().await.unwrap());
    turn(&theirs, "choi's").await;
    let rest = timeout(Duration::from_secs(60), async {
        let mut rest = Vec::new();
        loop {
            match reader.next().await {
                Ok(event) => rest.push(event),
                Err(error) => return (rest, error),
            }
        }
    });
    let (rest, error) = rest.await.unwrap();
    assert!(matches!(error, Error::Deleted { .. }) && !format!("{rest:?}").contains("choi"));

    // One that came before there was a thread reads the first that is made.
    let name = here.thread("new").unwrap();
    let mut reader = name.events(0, Mode::ALL).await.unwrap();
    turn(&name, "first").await;
    assert!(!ready(&mut reader).await.is_empty());
    assert!(name.delete().await.unwrap());
    assert!(is_over(reader.next_ready().await));
}

async fn a_new_reader_sees_nothing_of_a_deleted_thread(store: Store) {
    let graph = diary();
    let (here, there) = (process(&graph, &store, "here"), process(&graph, &store, "there"));
    let (mine, theirs) = (here.thread("t").unwrap(), there.thread("t").unwrap());
    // Somebody reads along, so that rows are kept at hand.
    let mut old = mine.events(0, Mode::ALL).await.unwrap();
    turn(&mine, SECRET).await;
    assert!(has_secret(ready(&mut old).await));
    assert!(store.delete(mine.id()).await.unwrap());
    let mut reader = mine.events(0, Mode::ALL).await.unwrap();
    assert_eq!(ready(&mut reader).await, []);
    turn(&theirs, "park's").await;
    for _ in 0..2 {
        let mut reader = mine.events(0, Mode::ALL).await.unwrap();
        assert_eq!(ready(&mut reader).await, afresh(&store, &Mode::ALL).await);
        assert!(!has_secret(mine.state().await.unwrap()));
    }
    reader.refresh().await.unwrap();
    assert_eq!(ready(&mut reader).await, afresh(&store, &Mode::ALL).await);
}

/// Counts what is asked of a store.
struct Counted {
    store: Store,
    calls: AtomicUsize,
    rows: AtomicUsize,
}

impl Counted {
    fn new(store: &Store) -> Arc<Self> {
        Arc::new(Self { store: Arc::clone(store), calls: AtomicUsize::new(0), rows: AtomicUsize::new(0) })
    }

    /// Calls, and rows that were read, since the last time.
    fn taken(&self) -> (usize, usize) {
        (self.calls.swap(0, Ordering::SeqCst), self.rows.swap(0, Ordering::SeqCst))
    }

    async fn count<T>(&self, call: impl Future<Output = T>) -> T {
        self.calls.fetch_add(1, Ordering::SeqCst);
        // A store in memory never waits, and a loop around it would keep the thread for itself.
        tokio::task::yield_now().await;
        call.await
    }
}

#[async_trait]
impl Checkpoints for Counted {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.count(self.store.head(thread)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.count(self.store.commit(commit)).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        let rows = self.count(self.store.rows(thread, query)).await?;
        self.rows.fetch_add(rows.len(), Ordering::SeqCst);
        Ok(rows)
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.count(self.store.snapshot(thread, ns, until)).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.count(self.store.due(now_ms, after, limit)).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.count(self.store.threads(offset, limit)).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.count(self.store.delete(thread)).await
    }
}

async fn undo_last(thread: &Thread<Diary>) {
    let run = thread.state().await.unwrap().run.unwrap();
    thread.rollback(run).await.unwrap();
}

async fn a_reader_opened_after_a_rollback_waits_without_asking(store: Store) {
    let counted = Counted::new(&store);
    let thread = process(&diary(), &(counted.clone() as Store), "here").thread("t").unwrap();
    turn(&thread, "one").await;
    turn(&thread, "two").await;
    undo_last(&thread).await;
    for from in [0, 5, store.head(thread.id()).await.unwrap().unwrap().next_seq] {
        let mut reader = thread.events(from, Mode::ALL).await.unwrap();
        let waits = async |reader: &mut Reader| {
            while let Ok(event) = timeout(Duration::from_millis(100), reader.next()).await {
                event.unwrap();
            }
        };
        // However long a busy machine takes to show what there is.
        let mut looks = 0;
        loop {
            counted.taken();
            waits(&mut reader).await;
            if counted.taken().0 == 0 {
                break;
            }
            looks += 1;
            assert!(looks < 50, "a reader that waits asks again and again");
        }
        // Each look is one question, and what comes is seen.
        reader.refresh().await.unwrap();
        waits(&mut reader).await;
        assert!(counted.taken().0 <= 2);
        turn(&thread, "three").await;
        assert!(!ready(&mut reader).await.is_empty());
        undo_last(&thread).await;
    }
}

async fn a_new_reader_sees_nothing_of_a_run_that_was_undone(store: Store) {
    let graph = diary();
    let (here, there) = (process(&graph, &store, "here"), process(&graph, &store, "there"));
    let (mine, theirs) = (here.thread("t").unwrap(), there.thread("t").unwrap());
    let mut along = mine.events(0, Mode::ALL).await.unwrap();
    for undone_by in [&mine, &theirs] {
        turn(&mine, "kept").await;
        turn(&mine, SECRET).await;
        assert!(has_secret(ready(&mut along).await));
        undo_last(undone_by).await;
        let mut reader = mine.events(0, Mode::ALL).await.unwrap();
        let seen = ready(&mut reader).await;
        assert!(!has_secret(&seen), "what was undone is shown from memory");
        assert_eq!(seen, afresh(&store, &Mode::ALL).await);
    }
}

/// The events that follow those that a reader has seen already.
fn after(seen: &[Event], all: Vec<Event>) -> Vec<Event> {
    let last = seen.last().map_or(0, |event| event.seq + 1);
    all.into_iter().filter(|event| event.seq >= last).collect()
}

async fn a_live_reader_misses_no_row_that_another_process_wrote(store: Store) {
    let graph = diary();
    let (here, there) = (process(&graph, &store, "here"), process(&graph, &store, "there"));
    let (mine, theirs) = (here.thread("t").unwrap(), there.thread("t").unwrap());
    let mut readers = Vec::new();
    for modes in Mode::ALL.map(|mode| vec![mode]).into_iter().chain([Mode::ALL.to_vec()]) {
        readers.push((mine.events(0, modes.clone()).await.unwrap(), modes, Vec::new()));
    }
    for round in 0..3 {
        turn(&mine, &format!("mine {round}")).await;
        for (reader, _, seen) in &mut readers {
            seen.extend(ready(reader).await);
        }
        for n in 0..=round {
            turn(&theirs, &format!("theirs {round} {n}")).await;
        }
        turn(&mine, &format!("mine again {round}")).await;
        for (reader, modes, seen) in &mut readers {
            seen.extend(ready(reader).await);
            assert_eq!(*seen, afresh(&store, modes).await, "{modes:?} in round {round}");
        }
    }
}

/// Lines of the last values that were shown.
fn last_lines(events: &[Event]) -> Value {
    let values = events.iter().rfind(|event| event.mode == Mode::Values);
    values.map_or(Value::Null, |event| event.data["lines"].clone())
}

async fn after_a_rollback(store: Store, elsewhere: bool) {
    let graph = diary();
    let (here, there) = (process(&graph, &store, "here"), process(&graph, &store, "there"));
    let (mine, theirs) = (here.thread("t").unwrap(), there.thread("t").unwrap());
    let mut reader = mine.events(0, Mode::ALL).await.unwrap();
    turn(&mine, "one").await;
    turn(&mine, "undone").await;
    let seen = ready(&mut reader).await;
    assert_eq!(last_lines(&seen), serde_json::json!(["one", "undone"]));
    undo_last(if elsewhere { &theirs } else { &mine }).await;
    turn(&mine, "two").await;
    let more = ready(&mut reader).await;
    assert_eq!(last_lines(&more), serde_json::json!(["one", "two"]), "what was undone is still in the state");
    assert_eq!(more, after(&seen, afresh(&store, &Mode::ALL).await));
}

async fn a_live_reader_folds_the_right_state_after_a_rollback(store: Store) {
    after_a_rollback(store, false).await;
}

async fn a_live_reader_folds_the_right_state_after_a_rollback_elsewhere(store: Store) {
    after_a_rollback(store, true).await;
}

async fn a_reader_of_a_pruned_thread_begins_with_the_right_state(store: Store) {
    let thread = process(&diary(), &store, "here").thread("t").unwrap();
    let mut along = thread.events(0, Mode::ALL).await.unwrap();
    turn(&thread, "one").await;
    turn(&thread, "two").await;
    ready(&mut along).await;
    assert!(thread.prune(crate::Keep::Latest).await.unwrap() > 0);
    let mut reader = thread.events(0, Mode::ALL).await.unwrap();
    assert_eq!(last_lines(&ready(&mut reader).await), serde_json::json!(["one", "two"]));
    turn(&thread, "three").await;
    for reader in [&mut along, &mut reader] {
        assert_eq!(last_lines(&ready(reader).await), serde_json::json!(["one", "two", "three"]));
    }
}

async fn history_of_a_pruned_thread_is_right(store: Store) {
    let thread = process(&diary(), &store, "here").thread("t").unwrap();
    turn(&thread, "one").await;
    turn(&thread, "two").await;
    thread.prune(crate::Keep::Latest).await.unwrap();
    turn(&thread, "three").await;
    let history = thread.history(100).await.unwrap();
    assert_eq!(history.len(), 3);
    for past in history {
        let at = thread.state_at(past.checkpoint.unwrap()).await.unwrap();
        assert_eq!(past.values, at.values);
        assert_eq!(past.values["lines"].as_array().unwrap()[0], "one");
    }
}

/// A graph that calls another one again and again.
fn caller(times: u64) -> Compiled<Diary> {
    let mut g = Graph::<Diary>::new("inner");
    let write = g.node("write", |_: Arc<Diary>, _: Cx| async { Ok(line("inside")) });
    g.start(write).edge(write, END);
    let inner = g.compile().unwrap();
    let mut g = Graph::<Diary>::new("caller");
    let call = g.subgraph("call", &inner, |_: &Diary| line("called"), |_| DiaryUpdate::new().count(1u64));
    g.start(call);
    g.route(call, [call.into(), END], move |s: &Diary| if s.count < times { call.into() } else { END });
    g.compile().unwrap()
}

async fn a_reader_of_many_subgraph_calls_asks_for_no_page_twice(store: Store) {
    const CALLS: u64 = 120;
    let counted = Counted::new(&store);
    let thread = process(&caller(CALLS), &(counted.clone() as Store), "here").thread("t").unwrap();
    thread.invoke(line("go")).await.unwrap().done().unwrap();
    let rows = store.rows(thread.id(), RowQuery::default()).await.unwrap().len();
    for from in [0, 100] {
        counted.taken();
        let mut reader = thread.events(from, [Mode::Values, Mode::Debug]).await.unwrap();
        let events = ready(&mut reader).await;
        let inside = events.iter().filter(|event| event.mode == Mode::Values && !event.ns.is_root());
        let inside: Vec<&Event> = inside.collect();
        assert!(inside.len() as u64 >= 2 * CALLS - 20, "{}", inside.len());
        for event in &inside {
            let lines = event.data["lines"].as_array().map_or(0, Vec::len);
            assert!((1..=2).contains(&lines), "{}: {}", event.seq, event.data);
        }
        let (calls, read) = counted.taken();
        assert!(calls < rows / 10, "{calls} calls for {rows} rows");
        assert!(read < 2 * rows, "{read} rows were read of {rows}");
    }
}

async fn history_is_found_without_reading_everything(store: Store) {
    const STEPS: u64 = 600;
    let mut g = Graph::<Diary>::new("loop");
    let write = g.node("write", |_: Arc<Diary>, _: Cx| async { Ok(DiaryUpdate::new().count(1u64)) });
    g.start(write);
    g.route(write, [write.into(), END], move |s: &Diary| if s.count < STEPS { write.into() } else { END });
    let counted = Counted::new(&store);
    let thread = process(&g.compile().unwrap(), &(counted.clone() as Store), "here").thread("t").unwrap();
    thread.invoke(line("go")).durability(crate::Durability::Background).await.unwrap().done().unwrap();
    let all = thread.history(usize::MAX).await.unwrap();
    assert_eq!(all.len() as u64, STEPS + 1);
    for (step, past) in (0..=STEPS).rev().zip(&all) {
        assert_eq!(past.values.get("count").and_then(Value::as_u64).unwrap_or(0), step);
    }
    let rows = store.rows(thread.id(), RowQuery::default()).await.unwrap().len();
    let oldest = all.last().and_then(|past| past.checkpoint).unwrap();
    counted.taken();
    // One that is far back: the state there, not everything since.
    let inputs = thread.history(HistoryQuery::new().source(Source::Input).limit(1)).await.unwrap();
    assert_eq!(inputs.iter().map(|past| past.checkpoint).collect::<Vec<_>>(), [Some(oldest)]);
    let (_, read) = counted.taken();
    assert!(read < 40, "{read} rows were read for one checkpoint");
    assert_eq!(thread.state_at(oldest).await.unwrap().checkpoint, Some(oldest));
    let (_, read) = counted.taken();
    assert!(read < 40, "{read} rows were read for one checkpoint");
    // Page by page, everything is read a few times at most.
    let mut pages: Vec<Option<crate::CheckpointId>> = Vec::new();
    loop {
        let mut query = HistoryQuery::new().limit(50);
        if let Some(last) = pages.last().copied().flatten() {
            query = query.before(last);
        }
        let page = thread.history(query).await.unwrap();
        pages.extend(page.iter().map(|past| past.checkpoint));
        if page.len() < 50 {
            break;
        }
    }
    assert_eq!(pages, all.iter().map(|past| past.checkpoint).collect::<Vec<_>>());
    let (_, read) = counted.taken();
    assert!(read < 12 * rows, "{read} rows were read of {rows}");
    // Of a run: only its own rows.
    let run = all[0].run.unwrap();
    thread.invoke(line("more")).await.unwrap().done().unwrap();
    counted.taken();
    let of_run = thread.history(HistoryQuery::new().run(run).limit(5)).await.unwrap();
    assert_eq!(of_run.iter().map(|past| past.checkpoint).collect::<Vec<_>>(), pages[..5]);
}

/// Looks once for all of these threads, as a process does that watches runs of others. How many had changed.
async fn look(store: &Store, threads: &[&Thread<Diary>]) -> usize {
    let looks: Vec<LogLook> = threads.iter().map(|thread| thread.log().look()).collect();
    let known: Vec<LogPosition> = looks.iter().map(LogLook::position).collect();
    let updates = store.updates_since(&known).await.unwrap();
    let count = updates.len();
    for (look, known) in looks.into_iter().zip(known) {
        if let Some(update) = updates.iter().find(|update| update.thread == known.thread) {
            look.learn(update.clone());
        }
    }
    count
}

async fn readers_of_several_threads_share_one_look(store: Store) {
    let graph = diary();
    let counted = Counted::new(&store);
    let here = process(&graph, &(counted.clone() as Store), "here");
    let there = process(&graph, &store, "there");
    let mine = ["t", "u", "v"].map(|name| here.thread(name).unwrap());
    let theirs = ["t", "u", "v"].map(|name| there.thread(name).unwrap());
    let mut readers = Vec::new();
    for thread in [&mine[0], &mine[0], &mine[1], &mine[2]] {
        readers.push(thread.events(0, Mode::ALL).await.unwrap());
    }
    let all: Vec<&Thread<Diary>> = mine.iter().collect();
    assert_eq!(look(&store, &all).await, 0, "there is none of them yet");
    turn(&theirs[0], "one").await;
    assert_eq!(look(&store, &all).await, 1);
    let seen = ready(&mut readers[0]).await;
    assert_eq!(seen, afresh(&store, &Mode::ALL).await);
    assert_eq!(ready(&mut readers[1]).await, seen);
    assert!(ready(&mut readers[2]).await.is_empty());

    // What follows is told with the look: nobody asks for rows any more.
    turn(&theirs[0], "two").await;
    turn(&theirs[1], "other").await;
    counted.taken();
    assert_eq!(look(&store, &all).await, 2);
    assert_eq!(look(&store, &all).await, 0, "nothing is new");
    let more = ready(&mut readers[0]).await;
    assert_eq!(counted.taken().0, 0, "each reader asks for itself");
    assert_eq!(more, after(&seen, afresh(&store, &Mode::ALL).await));
    assert_eq!(ready(&mut readers[1]).await, more);
    assert!(!ready(&mut readers[2]).await.is_empty());

    // A rollback, and a thread that is deleted and made again.
    undo_last(&theirs[0]).await;
    turn(&theirs[0], "three").await;
    assert_eq!(look(&store, &all).await, 1);
    let last = ready(&mut readers[0]).await;
    assert_eq!(last_lines(&last), serde_json::json!(["one", "three"]));
    assert!(theirs[0].delete().await.unwrap());
    turn(&theirs[0], SECRET).await;
    assert_eq!(look(&store, &all).await, 1);
    for reader in &mut readers[..2] {
        assert!(matches!(reader.next_ready().await, Err(Error::Deleted { .. })));
    }
}
