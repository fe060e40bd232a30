//! When what a run did becomes durable.

use std::sync::Arc;
use std::time::Duration;

use duru::store::{Checkpoints, Kind, Owner};
use duru::{Compiled, Cx, Durability, END, Graph, NodeError};

use crate::support::{Log, LogUpdate, Probe, Tally, by, failure, reopened, sign};

const ALL: [Durability; 3] = [Durability::EachStep, Durability::Background, Durability::AtEnd];

/// `a`, `b` (an hour long the first time), `c`.
fn slow() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("slow");
    let [a, c] = ["a", "c"].map(|name| g.node(name, sign));
    let b = g.node("b", |_: Arc<Log>, cx: Cx| async move {
        if cx.get::<Tally>()?.count("b") == 1 {
            tokio::time::sleep(Duration::from_secs(3600)).await;
        }
        Ok(by("b"))
    });
    g.start(a).edge(a, b).edge(b, c).edge(c, END);
    g.compile().unwrap().provide(Tally::default())
}

/// Drops a run in the middle of `b`.
async fn killed(durability: Durability) -> (Compiled<Log>, Arc<Probe>) {
    let (graph, store) = (slow(), Probe::shared());
    let app = graph.clone().on(store.clone());
    let thread = app.thread("t").unwrap();
    let run = async { thread.invoke(LogUpdate::new()).durability(durability).await };
    assert!(tokio::time::timeout(Duration::from_secs(60), run).await.is_err());
    (graph, store)
}

#[tokio::test(start_paused = true)]
async fn a_run_dropped_in_the_middle_goes_on_where_it_was() {
    for durability in [Durability::EachStep, Durability::Background] {
        let (graph, store) = killed(durability).await;
        let thread = graph.clone().on(store.clone()).thread("t").unwrap();
        let state = thread.state().await.unwrap();
        assert_eq!((state.next(), state.ended), (vec!["b"], None));
        assert_eq!(state.decode::<Log>().unwrap().by, ["a"]);
        assert_eq!(thread.go_on().await.unwrap().done().unwrap().by, ["a", "b", "c"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_durable_at_its_end_leaves_nothing_in_the_middle() {
    let (graph, store) = killed(Durability::AtEnd).await;
    let thread = graph.clone().on(store.clone()).thread("t").unwrap();
    assert!(store.head(thread.id()).await.unwrap().is_none());
    assert!(thread.state().await.unwrap().checkpoint.is_none());
    let end = thread.invoke(LogUpdate::new()).durability(Durability::AtEnd).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["a", "b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn every_mode_leaves_the_same_log() {
    let mut logs = Vec::new();
    for durability in ALL {
        let store = Probe::shared();
        let graph = slow();
        // So long that no commit is needed only to renew it.
        let patient =
            graph.clone().on(store.clone()).owned_by(Owner::this_process(), Duration::from_hours(99));
        let thread = patient.thread("t").unwrap();
        for input in ["one", "two"] {
            thread.invoke(by(input)).durability(durability).await.unwrap().done().unwrap();
        }
        let rows = store.rows(thread.id(), Default::default()).await.unwrap();
        let log: Vec<_> = rows.iter().map(|row| (row.seq, row.events, row.kind)).collect();
        logs.push(log);
        let commits = store.commits.lock().unwrap().len();
        match durability {
            // A one-task step is one commit; the last one also ends the run.
            Durability::EachStep => assert_eq!(commits, 2 * 4),
            Durability::AtEnd => assert_eq!(commits, 2),
            Durability::Background => assert!((2..=8).contains(&commits), "{commits}"),
        }
        let cold = graph.on(store.clone()).thread("t").unwrap();
        let state: Log = cold.state().await.unwrap().decode().unwrap();
        assert_eq!(state.by, ["one", "a", "b", "c", "two", "a", "b", "c"]);
    }
    assert_eq!(logs[0], logs[1]);
    assert_eq!(logs[0], logs[2]);
    let kinds: Vec<Kind> = logs[0].iter().take(6).map(|(_, _, kind)| *kind).collect();
    let step = Kind::Checkpoint;
    assert_eq!(kinds, [Kind::Begin, step, step, step, step, Kind::End]);
}

#[tokio::test]
async fn background_commits_keep_their_order_on_a_slow_store() {
    let store = Probe::slow();
    let mut g = Graph::<Log>::new("count");
    let a = g.node("a", |s: Arc<Log>, cx: Cx| async move {
        cx.emit(s.by.len())?;
        Ok(by(s.by.len().to_string()))
    });
    g.start(a);
    g.route(a, [a.into(), END], move |s: &Log| if s.by.len() < 50 { a.into() } else { END });
    let thread = g.compile().unwrap().on(store.clone()).thread("t").unwrap();
    let end =
        thread.invoke(LogUpdate::new()).durability(Durability::Background).await.unwrap().done().unwrap();
    assert_eq!(end.by.len(), 50);
    let commits = store.commits.lock().unwrap();
    assert!(commits.len() < 50, "{} commits were not grouped", commits.len());
    let mut next = 0;
    for (version, commit) in commits.iter().enumerate() {
        assert_eq!((commit.version, commit.claim), (version as u64, version == 0));
        for row in &commit.rows {
            assert_eq!(row.seq, next);
            next = row.end();
        }
    }
}

#[tokio::test]
async fn a_failed_run_is_kept_whatever_its_mode() {
    for durability in ALL {
        let mut g = Graph::<Log>::new("g");
        let good = g.node("good", sign);
        let bad = g.node("bad", |_: Arc<Log>, cx: Cx| async move {
            match cx.get::<Tally>()?.count("bad") {
                1 => Err(NodeError::msg("not yet")),
                _ => Ok(by("bad")),
            }
        });
        g.start(good).start(bad).edge(good, END).edge(bad, END);
        let graph = g.compile().unwrap().provide(Tally::default());
        let app = graph.clone().on(Probe::shared());
        let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).durability(durability).await.unwrap();
        assert_eq!(failure(outcome).node.as_deref(), Some("bad"));
        let thread = reopened(&graph, &app, "t");
        assert_eq!(thread.state().await.unwrap().next(), ["bad"]);
        assert_eq!(thread.go_on().await.unwrap().done().unwrap().by, ["bad", "good"]);
    }
}

#[tokio::test]
async fn another_owner_is_noticed_and_stops_the_run() {
    let graph = slow();
    let store = Probe::shared();
    let thread = graph.clone().on(store.clone()).thread("t").unwrap();
    let intruder = graph.clone().on(store.clone()).thread("t").unwrap();
    let mut g = Graph::<Log>::new("slow");
    let a = g.node("a", move |_: Arc<Log>, _: Cx| {
        let intruder = intruder.clone();
        async move {
            // Somebody else takes the thread over while this node runs.
            intruder
                .go_on()
                .step_timeout(Duration::from_millis(1))
                .await
                .map_err(NodeError::fatal)?
                .failure()
                .unwrap();
            Ok(by("mine"))
        }
    });
    let b = g.node("b", sign);
    g.start(a).edge(a, b).edge(b, END);
    let mine = g.compile().unwrap().on(store).thread("t").unwrap();
    let error = mine.invoke(LogUpdate::new()).await.unwrap_err();
    assert!(matches!(error, duru::Error::Store(duru::store::Error::Conflict { .. })), "{error}");
    assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap().by, ["a"]);
}
