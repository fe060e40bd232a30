//! What is stored and damaged, newer or of another thread is an error that
//! names it: no panic, and no thread that is silently fresh or different.

use std::sync::Arc;

use duru::store::{Checkpoints, Error as StoreError, Row, RowQuery, Snapshot};
use duru::{Compiled, Cx, Deadline, END, Error, Graph, Thread, ThreadId};

use crate::counts::tell;
use crate::support::{Log, LogUpdate, Probe, by};

/// A thread with a bit of everything, that waits for an answer.
async fn small() -> (Compiled<Log>, Arc<Probe>) {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", |_: Arc<Log>, cx: Cx| async move {
        cx.emit("hello")?;
        let n: u32 = cx.effect("act", |_| async { Ok(7) }).await?;
        Ok(by(format!("a{n}")).total(3u64))
    });
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move {
        let deadline = Deadline::after(std::time::Duration::from_secs(60), "default".to_owned());
        Ok(by(cx.interrupt_until::<String>("who?", deadline)?))
    });
    let work = g.worker("work", |n: u32, _: Cx| async move { Ok(by(format!("w{n}"))) });
    g.start(a).edge(a, ask).edge(ask, END).edge(work, END);
    g.route(a, [work], move |_: &Log| [work.send(1), work.send(2)]);
    let (graph, store) = (g.compile().unwrap(), Probe::shared());
    let outcome = graph.clone().on(store.clone()).thread("t").unwrap().invoke(by("in")).await.unwrap();
    assert_eq!(outcome.questions().len(), 1);
    (graph, store)
}

fn cold(graph: &Compiled<Log>, store: &Arc<Probe>) -> Thread<Log> {
    graph.clone().on(store.clone()).thread("t").unwrap()
}

fn spoil(store: &Probe, spoil: impl Fn(&mut Row) + Send + 'static) {
    *store.spoil.lock().unwrap() = Some(Box::new(spoil));
}

async fn everything(store: &Probe) -> Vec<Row> {
    *store.spoil.lock().unwrap() = None;
    store.rows(&ThreadId::new("t").unwrap(), RowQuery::default()).await.unwrap()
}

/// Every way to open the thread; each must fail with the same error.
async fn refused(graph: &Compiled<Log>, store: &Arc<Probe>) -> StoreError {
    let thread = cold(graph, store);
    let commits = store.commits.lock().unwrap().len();
    let mut errors: Vec<Error> = vec![
        thread.state().await.unwrap_err(),
        thread.resume("me").await.unwrap_err(),
        thread.go_on().await.unwrap_err(),
        thread.invoke(by("new")).await.unwrap_err(),
        thread.history(100).await.unwrap_err(),
    ];
    assert_eq!(store.commits.lock().unwrap().len(), commits, "nothing is written onto a damaged thread");
    match errors.swap_remove(0) {
        Error::Store(error) => error,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_damaged_row_is_named() {
    let (graph, store) = small().await;
    let rows = everything(&store).await;
    let row = rows.iter().find(|row| row.kind == duru::store::Kind::Checkpoint).unwrap().clone();
    spoil(&store, move |other| {
        if other.seq == row.seq {
            other.payload[10] ^= 1;
        }
    });
    let error = refused(&graph, &store).await;
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("row {} of thread t is damaged", row.seq)), "{error}");
    *store.spoil.lock().unwrap() = None;
    assert_eq!(
        cold(&graph, &store).resume("me").await.unwrap().done().unwrap().by,
        ["in", "a7", "me", "w1", "w2"]
    );
}

#[tokio::test]
async fn a_newer_row_is_named_and_says_upgrade() {
    let (graph, store) = small().await;
    spoil(&store, |row| {
        row.format += 1;
        row.seal(&ThreadId::new("t").unwrap());
    });
    let error = refused(&graph, &store).await;
    assert!(matches!(error, StoreError::Newer { found: 2, known: 1, .. }), "{error}");
    assert!(error.to_string().contains("of thread t") && error.to_string().contains("upgrade"), "{error}");
}

#[tokio::test]
async fn a_row_of_another_thread_is_refused() {
    let (graph, store) = small().await;
    spoil(&store, |row| row.seal(&ThreadId::new("other").unwrap()));
    assert!(matches!(refused(&graph, &store).await, StoreError::Corrupt { .. }));
}

#[tokio::test]
async fn every_flipped_byte_of_a_row_is_noticed() {
    let (graph, store) = small().await;
    let rows = everything(&store).await;
    assert!(rows.len() >= 7, "{}", rows.len());
    let thread = cold(&graph, &store);
    let mut flips = 0;
    for row in rows {
        for byte in 0..row.payload.len() {
            for bit in [0, 3, 7] {
                flips += 1;
                let seq = row.seq;
                spoil(&store, move |row| {
                    if row.seq == seq {
                        row.payload[byte] ^= 1 << bit;
                    }
                });
                // Readers of the log see every row, runs and states all but the events.
                let mut reader = thread.events(0, duru::Mode::ALL).await.unwrap();
                let error = loop {
                    match reader.next_ready().await {
                        Ok(Some(_)) => {}
                        Ok(None) => panic!("byte {byte} of row {seq} was not noticed"),
                        Err(error) => break error,
                    }
                };
                assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
                if row.kind != duru::store::Kind::Emit {
                    assert!(thread.state().await.is_err(), "byte {byte} of row {seq}");
                }
            }
        }
    }
    assert!(flips >= 1000, "{flips}");
    tell("F16", format_args!("{flips} bits of stored rows flipped, all noticed"));
}

#[tokio::test]
async fn a_row_that_is_sealed_but_makes_no_sense_is_an_error() {
    let (graph, store) = small().await;
    let rows = everything(&store).await;
    let thread_id = ThreadId::new("t").unwrap();
    let broken = [&b""[..], b"{}", b"null", b"[]", b"{\"id\":1}", b"\xff\xfe", b"{\"status\":\"no such\"}"];
    for row in rows.iter().filter(|row| row.kind != duru::store::Kind::Emit) {
        for payload in broken {
            let (seq, id) = (row.seq, thread_id.clone());
            spoil(&store, move |row| {
                if row.seq == seq {
                    row.payload = payload.to_vec();
                    row.seal(&id);
                }
            });
            let thread = cold(&graph, &store);
            let error = thread.state().await.unwrap_err();
            assert!(error.to_string().contains(&format!("row {seq} of thread t")), "{error}");
            assert!(thread.go_on().await.is_err());
        }
    }
}

#[tokio::test]
async fn a_damaged_snapshot_is_named() {
    let store = Probe::shared();
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, _: Cx| async { Ok(by("x".repeat(8192))) });
    g.start(node).edge(node, END);
    let graph = g.compile().unwrap();
    for _ in 0..8 {
        cold(&graph, &store).invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    }
    type Spoil = fn(&mut Snapshot);
    let cases: [(Spoil, &str); 3] = [
        (|snapshot| snapshot.payload[20] ^= 4, "is damaged"),
        (|snapshot| snapshot.format = 9, "was written by a newer version (format 9, this version knows 1)"),
        (|snapshot| snapshot.seal(&ThreadId::new("other").unwrap()), "is damaged"),
    ];
    for (spoil, text) in cases {
        *store.spoil_snapshot.lock().unwrap() = Some(Box::new(spoil));
        for error in [
            cold(&graph, &store).state().await.unwrap_err().to_string(),
            cold(&graph, &store).invoke(LogUpdate::new()).await.unwrap_err().to_string(),
        ] {
            assert!(
                error.starts_with("snapshot ") && error.contains("of thread t") && error.contains(text),
                "{error}"
            );
        }
    }
    *store.spoil_snapshot.lock().unwrap() = None;
    assert_eq!(cold(&graph, &store).state().await.unwrap().decode::<Log>().unwrap().by.len(), 8);
}

#[tokio::test]
async fn a_thread_that_no_longer_fits_its_graph_says_why() {
    let (_, store) = small().await;
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", |_: Arc<Log>, _: Cx| async { Ok(()) });
    g.start(a).edge(a, END);
    let error = cold(&g.compile().unwrap(), &store).resume("me").await.unwrap_err();
    assert!(matches!(error, Error::Incompatible { .. }), "{error}");
    assert!(error.to_string().contains("node \"ask\", which no longer exists; there are: a"), "{error}");
}

#[derive(duru::State, Clone, Debug)]
struct Changed {
    by: u32,
}

#[tokio::test]
async fn a_field_that_can_not_be_read_is_named() {
    let (_, store) = small().await;
    let mut g = Graph::<Changed>::new("g");
    let ask = g.node("ask", |_: Arc<Changed>, _: Cx| async { Ok(()) });
    g.start(ask).edge(ask, END);
    let thread = g.compile().unwrap().on(store.clone()).thread("t").unwrap();
    let error = thread.resume("me").await.unwrap_err();
    assert!(error.to_string().contains("field \"by\" can't be read"), "{error}");
}
