//! Long threads stay cheap: what is stored, read and written does not grow faster than the state.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use duru::{Compiled, Cx, END, Graph, Result, State};
use duru_messages::{Message, Messages};

use crate::support::{Log, LogUpdate, Probe, by};

const TURN: usize = 1024;

#[derive(State, Clone)]
struct Chat {
    #[merge(messages)]
    messages: Messages,
    turns: u64,
}

/// A turn of about 1 KB: a question of half of it, an answer of the other half.
fn chat() -> Compiled<Chat> {
    let mut g = Graph::<Chat>::new("chat");
    let reply = g.node("reply", |s: Arc<Chat>, _: Cx| async move {
        Ok(ChatUpdate::new().messages([Message::ai("a".repeat(TURN / 2))]).turns(s.turns + 1))
    });
    g.start(reply).edge(reply, END);
    g.compile().unwrap()
}

fn question() -> ChatUpdate {
    ChatUpdate::new().messages([Message::human("q".repeat(TURN / 2))])
}

/// What one turn commits: rows, bytes of rows.
fn cost(store: &Probe) -> (usize, usize) {
    let commits = store.commits.lock().unwrap();
    let rows: Vec<_> = commits.iter().flat_map(|commit| &commit.rows).collect();
    (rows.len(), rows.iter().map(|row| row.payload.len()).sum())
}

#[tokio::test]
async fn two_hundred_turns_take_at_most_five_times_their_bytes() {
    let store = Probe::shared();
    let thread = chat().on(store.clone()).thread("t").unwrap();
    for _ in 0..200 {
        thread.invoke(question()).await.unwrap().done().unwrap();
    }
    let raw = 200 * TURN;
    let stored = store.bytes_committed();
    assert!(stored <= 5 * raw, "{stored} bytes stored for {raw}");
    // A test that never took a snapshot would show nothing.
    let snapshots = store.commits.lock().unwrap().iter().map(|commit| commit.snapshots.len()).sum::<usize>();
    assert!(snapshots >= 2, "{snapshots} snapshots");
}

#[tokio::test]
async fn a_turn_costs_the_same_at_turn_10_and_2000_and_opening_is_bounded() {
    let store = Probe::shared();
    let graph = chat();
    let thread = graph.clone().on(store.clone()).thread("t").unwrap();
    let mut costs = Vec::new();
    for turn in 1..=2000 {
        store.forget();
        thread.invoke(question()).await.unwrap().done().unwrap();
        if [10, 200, 2000].contains(&turn) {
            costs.push(cost(&store));
            assert_eq!(store.rows_read.load(Ordering::SeqCst), 0, "a warm thread is not read again");
        }
    }
    let (rows, bytes) = costs[0];
    for (later_rows, later_bytes) in &costs {
        assert_eq!(*later_rows, rows);
        // The numbers in it grow by a few digits.
        assert!(later_bytes.abs_diff(bytes) <= 16, "{costs:?}");
    }
    store.forget();
    let cold = graph.on(store.clone()).thread("t").unwrap();
    let state: Chat = cold.state().await.unwrap().decode().unwrap();
    assert_eq!((state.messages.len(), state.turns), (4000, 2000));
    let read = store.bytes_read.load(Ordering::SeqCst);
    let size = serde_json::to_vec(&state.messages).unwrap().len();
    assert!(read <= 4 * size, "{read} bytes read for a state of {size}");
}

#[tokio::test]
async fn opening_a_long_thread_with_a_small_state_reads_little() {
    let store = Probe::shared();
    let mut g = Graph::<Log>::new("count");
    async fn count(s: Arc<Log>, _: Cx) -> Result<LogUpdate> {
        Ok(LogUpdate::new().last(format!("{}", s.total)).total(1u64))
    }
    let node = g.node("count", count);
    g.start(node).edge(node, END);
    let graph = g.compile().unwrap();
    let thread = graph.clone().on(store.clone()).thread("t").unwrap();
    let mut read = Vec::new();
    for turn in 1..=2000 {
        thread.invoke(LogUpdate::new()).await.unwrap().done().unwrap();
        if turn % 400 == 0 {
            store.forget();
            let cold = graph.clone().on(store.clone()).thread("t").unwrap();
            assert_eq!(cold.state().await.unwrap().decode::<Log>().unwrap().total, turn);
            read.push((store.rows_read.load(Ordering::SeqCst), store.bytes_read.load(Ordering::SeqCst)));
        }
    }
    // Four rows a turn, 8,000 in all.
    assert!(read.iter().all(|(rows, bytes)| *rows <= 400 && *bytes <= 64 * 1024), "{read:?}");
}

#[tokio::test]
async fn a_thread_opened_cold_for_every_turn_takes_snapshots_too() {
    let store = Probe::shared();
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, _: Cx| async { Ok(by("x".repeat(TURN))) });
    g.start(node).edge(node, END);
    let graph = g.compile().unwrap();
    for _ in 0..200 {
        let thread = graph.clone().on(store.clone()).thread("t").unwrap();
        thread.invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    }
    let stored = store.bytes_committed();
    assert!(stored <= 5 * 200 * TURN, "{stored}");
    store.forget();
    let thread = graph.on(store.clone()).thread("t").unwrap();
    assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap().by.len(), 200);
    let read = store.bytes_read.load(Ordering::SeqCst);
    assert!(read <= 4 * 200 * TURN, "{read} bytes read");
}
