//! Watching runs: every mode, numbered without gaps, readable again from anywhere.

use std::collections::HashSet;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use duru::{Compiled, Cx, Durability, END, Event, Graph, Mode, NodeError, Outcome, Result, Thread};
use duru_messages::{ChunkAccumulator, MessageChunk};
use serde_json::{Value, json};

use crate::support::{Log, LogUpdate, Probe, Tally, by, memory, reopened, rest, sign, watched};

/// Says a message of three pieces, then writes.
async fn speak(_: Arc<Log>, cx: Cx) -> Result<LogUpdate> {
    for word in ["one ", "two ", "three"] {
        cx.chunk(&MessageChunk::text(format!("msg-{}", cx.node()), word))?;
        cx.emit(json!({ "said": word }))?;
    }
    Ok(by(cx.node()).total(1u64))
}

/// Everything at once: a subgraph, a fan-out, a failure that is handled, a question.
fn everything() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("inner");
    let [x, y] = ["x", "y"].map(|name| g.node(name, speak));
    g.start(x).edge(x, y).edge(y, END);
    let inner = g.compile().unwrap();
    let mut g = Graph::<Log>::new("outer");
    let a = g.node("a", speak);
    let bad = g.node("bad", |_: Arc<Log>, _: Cx| async { Err::<(), _>(NodeError::msg("broke")) });
    g.on_error(bad, |_: Arc<Log>, failure, _: Cx| async move { Ok(by(failure.message)) });
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move { Ok(by(cx.interrupt::<String>("who?")?)) });
    let sub = g.embed("sub", &inner);
    let work = g.worker("work", |n: u32, cx: Cx| async move {
        let call = cx.tool(format!("call{n}"), "act", n)?;
        let done = cx.effect("act", |_| async { Ok(n) }).await?;
        call.finished(done)?;
        Ok(by(format!("work{n}")))
    });
    g.start(a).edge(a, bad).edge(a, ask).edge(a, sub);
    g.route(a, [work], move |_: &Log| [work.send(1), work.send(2)]);
    for node in [bad, ask, sub, work.into()] {
        g.edge(node, END);
    }
    g.compile().unwrap()
}

const FINAL: [&str; 8] = ["in", "a", "me", "broke", "x", "y", "work1", "work2"];

/// All events of two runs on a thread: until the question, and from the answer on.
async fn both(thread: &Thread<Log>) -> Vec<Event> {
    let (mut events, outcome) = watched(thread.invoke(by("in")).stream(Mode::ALL).await.unwrap()).await;
    assert_eq!(outcome.questions().len(), 1);
    let (more, outcome) = watched(thread.resume("me").stream(Mode::ALL).await.unwrap()).await;
    assert_eq!(outcome.done().unwrap().by, FINAL);
    events.extend(more);
    events
}

fn data(events: &[Event], mode: Mode) -> Vec<Value> {
    events.iter().filter(|event| event.mode == mode).map(|event| event.data.clone()).collect()
}

#[tokio::test]
async fn events_are_numbered_without_gaps_and_read_again_from_every_number() {
    let graph = everything();
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let events = both(&thread).await;
    assert_eq!(
        events.iter().map(|event| event.seq).collect::<Vec<_>>(),
        (0..events.len() as u64).collect::<Vec<_>>()
    );
    assert_eq!(events.iter().map(|event| event.mode).collect::<HashSet<_>>().len(), Mode::ALL.len());
    let cold = reopened(&graph, &app, "t");
    for from in 0..=events.len() {
        let again = rest(cold.events(from as u64, Mode::ALL).await.unwrap()).await;
        assert_eq!(again, events[from..], "from {from}");
    }
    for mode in Mode::ALL {
        for from in [0, events.len() / 3, events.len() / 2] {
            let again = rest(cold.events(from as u64, [mode]).await.unwrap()).await;
            let expected: Vec<Event> =
                events[from..].iter().filter(|event| event.mode == mode).cloned().collect();
            assert_eq!(again, expected, "{mode} from {from}");
        }
    }
}

#[tokio::test]
async fn a_reader_who_comes_back_over_a_snapshot_sees_the_same() {
    let mut g = Graph::<Log>::new("g");
    let node =
        g.node(
            "node",
            |_: Arc<Log>, cx: Cx| async move { Ok(by(format!("{}{}", cx.step(), "x".repeat(5000)))) },
        );
    g.start(node).edge(node, END);
    let (graph, store) = (g.compile().unwrap(), Probe::shared());
    let thread = graph.clone().on(store.clone()).thread("t").unwrap();
    for _ in 0..20 {
        thread.invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    }
    let snapshots = store.commits.lock().unwrap().iter().map(|commit| commit.snapshots.len()).sum::<usize>();
    assert!(snapshots >= 1);
    let events = rest(thread.events(0, Mode::ALL).await.unwrap()).await;
    for from in 0..events.len() {
        let again = rest(thread.events(from as u64, Mode::ALL).await.unwrap()).await;
        assert_eq!(again.len(), events.len() - from);
        assert!(
            again == events[from..],
            "from {from}: {:?}",
            again.iter().zip(&events[from..]).find(|(a, b)| a != b).map(|(a, _)| (a.seq, a.mode))
        );
    }
}

#[tokio::test]
async fn values_updates_and_tasks_say_what_happened() {
    let mut g = Graph::<Log>::new("g");
    let [a, b] = ["a", "b"].map(|name| g.node(name, sign));
    g.start(a).edge(a, b).edge(b, END);
    let graph = g.compile().unwrap();
    let app = graph.clone().on(memory());
    let stored = app.thread("t").unwrap().invoke(by("in")).stream(Mode::ALL).await.unwrap();
    let bare = graph.invoke(by("in")).stream(Mode::ALL).await.unwrap();
    for stream in [stored, bare] {
        let (events, outcome) = watched(stream).await;
        assert!(matches!(outcome, Outcome::Done(_)));
        assert!(events.iter().all(|event| event.ns.is_root() && event.run == events[0].run));
        // What is merged is there from the start, though nobody has written to it.
        let values = [json!(["in"]), json!(["in", "a"]), json!(["in", "a", "b"])];
        let values = values.map(|by| json!({ "by": by, "total": 0 }));
        assert_eq!(data(&events, Mode::Values), values);
        let update = |node: &str, word: &str| json!({ node: { "by": [word] } });
        assert_eq!(
            data(&events, Mode::Updates),
            [update("__start__", "in"), update("a", "a"), update("b", "b")]
        );
        let tasks: Vec<String> = data(&events, Mode::Tasks)
            .iter()
            .map(|task| format!("{} {}", task["type"].as_str().unwrap(), task["node"].as_str().unwrap()))
            .collect();
        assert_eq!(tasks, ["end __start__", "start a", "end a", "start b", "end b"]);
        let checkpoints = data(&events, Mode::Checkpoints);
        assert_eq!(
            checkpoints.iter().map(|c| c["next"].clone()).collect::<Vec<_>>(),
            [json!(["a"]), json!(["b"]), json!([])]
        );
        assert_eq!(
            checkpoints.iter().map(|c| c["step"].clone()).collect::<Vec<_>>(),
            [json!(0), json!(1), json!(2)]
        );
        assert_eq!(
            (&checkpoints[0]["parent"], &checkpoints[1]["parent"]),
            (&Value::Null, &checkpoints[0]["id"])
        );
        assert_eq!(checkpoints[2]["values"], values[2]);
        let runs = data(&events, Mode::Runs);
        assert_eq!((&runs[0]["type"], &runs[0]["graph"]), (&json!("begin"), &json!("g")));
        assert_eq!((&runs[1]["type"], &runs[1]["status"]), (&json!("end"), &json!("done")));
        let debug: Vec<Value> =
            data(&events, Mode::Debug).iter().map(|event| event["type"].clone()).collect();
        assert_eq!(debug.len(), 8);
    }
}

#[tokio::test]
async fn questions_and_errors_show_in_updates_and_values() {
    let app = everything().on(memory());
    let events = both(&app.thread("t").unwrap()).await;
    let root = |mode| data(&events.iter().filter(|e| e.ns.is_root()).cloned().collect::<Vec<_>>(), mode);
    let updates = root(Mode::Updates);
    let errors: Vec<_> = updates.iter().filter(|update| update.get("__error__").is_some()).collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (&errors[0]["__error__"]["message"], &errors[0]["__error__"]["handled"]),
        (&json!("broke"), &json!(true))
    );
    for asked in [&updates, &root(Mode::Values)] {
        let asked: Vec<_> = asked.iter().filter_map(|event| event.get("__interrupt__")).collect();
        assert_eq!(asked.len(), 1);
        assert_eq!((&asked[0][0]["value"], &asked[0][0]["node"]), (&json!("who?"), &json!("ask")));
    }
    let debug = root(Mode::Debug);
    let answers: Vec<_> = debug.iter().filter(|event| event["type"] == "answer").collect();
    assert_eq!((answers.len(), &answers[0]["payload"]["value"]), (1, &json!("me")));
    assert_eq!(debug.iter().filter(|event| event["type"] == "effect").count(), 2);
}

#[tokio::test]
async fn subgraphs_show_with_their_path_and_state() {
    let app = everything().on(memory());
    let events = both(&app.thread("t").unwrap()).await;
    let inside: Vec<Event> = events.into_iter().filter(|event| !event.ns.is_root()).collect();
    assert!(inside.iter().all(|event| event.ns.as_str().starts_with("sub:")));
    assert_eq!(inside.iter().map(|event| &event.ns).collect::<HashSet<_>>().len(), 1);
    let updates: Vec<String> = data(&inside, Mode::Updates)
        .iter()
        .map(|u| u.as_object().unwrap().keys().next().unwrap().clone())
        .collect();
    assert_eq!(updates, ["__start__", "x", "y"]);
}

#[tokio::test]
async fn pieces_of_messages_carry_the_id_of_their_message() {
    for store in [true, false] {
        let mut g = Graph::<Log>::new("g");
        let nodes = ["p", "q"].map(|name| g.node(name, speak));
        for node in nodes {
            g.start(node).edge(node, END);
        }
        let graph = g.compile().unwrap();
        let app = graph.clone().on(memory());
        let run = if store {
            app.thread("t").unwrap().invoke(LogUpdate::new())
        } else {
            graph.invoke(LogUpdate::new())
        };
        let (events, _) = watched(run.stream([Mode::Messages, Mode::Custom]).await.unwrap()).await;
        for node in ["p", "q"] {
            let pieces: Vec<Value> =
                data(&events, Mode::Messages).into_iter().filter(|piece| piece[1]["node"] == node).collect();
            assert_eq!(pieces.len(), 3);
            let mut joined = ChunkAccumulator::new();
            for piece in &pieces {
                assert_eq!(piece[0]["id"], format!("msg-{node}"));
                assert_eq!(piece[1]["step"], 1);
                joined.push(&serde_json::from_value(piece[0].clone()).unwrap());
            }
            assert_eq!(
                pieces.iter().map(|p| p[0]["content"].as_str().unwrap()).collect::<String>(),
                "one two three"
            );
        }
        // Of one task, pieces and events keep the order in which they were sent.
        let task = |event: &&Event| event.mode == Mode::Custom || event.data[1]["node"] == "p";
        let order: Vec<Mode> = events.iter().filter(task).take(3).map(|event| event.mode).collect();
        assert_eq!(order[..2], [Mode::Messages, Mode::Custom]);
    }
}

#[tokio::test(start_paused = true)]
async fn events_are_shown_before_their_task_ends_and_in_order() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
        for i in 0..300 {
            cx.emit(i)?;
            if i % 100 == 99 {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
        Ok(())
    });
    g.start(node).edge(node, END);
    let app = g.compile().unwrap().on(memory());
    let start = tokio::time::Instant::now();
    let mut stream = app.thread("t").unwrap().invoke(LogUpdate::new()).stream([Mode::Custom]).await.unwrap();
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        seen.push(event.data.as_u64().unwrap());
        if seen.len() == 100 {
            // At most 10 ms after it was sent.
            assert!(start.elapsed() <= Duration::from_millis(11), "{:?}", start.elapsed());
        }
    }
    assert_eq!(seen, (0..300).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn an_event_after_a_silence_waits_for_nothing() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
        for i in 0..3 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            cx.emit(i)?;
            // It follows one that was just committed.
            tokio::time::sleep(Duration::from_millis(1)).await;
            cx.emit(i)?;
        }
        Ok(())
    });
    g.start(node).edge(node, END);
    let app = g.compile().unwrap().on(memory());
    let start = tokio::time::Instant::now();
    let mut stream = app.thread("t").unwrap().invoke(LogUpdate::new()).stream([Mode::Custom]).await.unwrap();
    let mut seen = Vec::new();
    while let Some(_event) = stream.next().await.unwrap() {
        seen.push(start.elapsed().as_millis());
    }
    // The last one goes with the end of its task.
    assert_eq!(seen, [1000, 1010, 2001, 2011, 3002, 3003]);
}

/// Emits a lot without ever waiting.
fn chatty(events: u32) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("chatty");
    let node = g.node("node", move |s: Arc<Log>, cx: Cx| async move {
        for i in 0..events {
            cx.emit(i)?;
        }
        tokio::task::yield_now().await;
        Ok(by(s.by.len().to_string()))
    });
    g.start(node);
    g.route(node, [node.into(), END], move |s: &Log| if s.by.len() < 600 { node.into() } else { END });
    g.compile().unwrap()
}

#[tokio::test]
async fn a_slow_reader_loses_nothing_on_a_store() {
    let app = chatty(3).on(memory());
    let thread = app.thread("t").unwrap();
    let mut reader = thread.events(0, Mode::ALL).await.unwrap();
    let first = tokio::select! {
        event = reader.next() => event.unwrap(),
        _ = async { thread.invoke(LogUpdate::new()).await.unwrap().done().unwrap() } => reader.next().await.unwrap(),
    };
    assert_eq!(first.seq, 0);
    // The run was dropped somewhere; it is finished while nobody reads.
    let _ = thread.go_on().await;
    let mut next = 1;
    while let Some(event) = reader.next_ready().await.unwrap() {
        assert_eq!(event.seq, next);
        next += 1;
    }
    let again = rest(thread.events(0, Mode::ALL).await.unwrap()).await;
    assert_eq!(again.len() as u64, next);
    assert!(next > 3000, "{next}");
}

#[tokio::test]
async fn a_reader_who_comes_while_a_run_is_under_way_misses_nothing_of_it() {
    let mut g = Graph::<Log>::new("short");
    let speak = g.node("speak", speak);
    g.start(speak);
    let (app, mut seen) = (g.compile().unwrap().on(Probe::slow()), Vec::new());
    // The run comes and goes before, in the middle of, and after what it takes to open a reader.
    for steps in 0..4 {
        let thread = app.thread(format!("t{steps}")).unwrap();
        let mut opening = pin!(thread.events(0, [Mode::Custom]));
        let mut opened = Poll::Pending;
        for _ in 0..steps {
            if opened.is_pending() {
                opened = poll_fn(|cx| Poll::Ready(opening.as_mut().poll(cx))).await;
            }
        }
        thread.invoke(LogUpdate::new()).await.unwrap().done().unwrap();
        let reader = match opened {
            Poll::Ready(reader) => reader.unwrap(),
            Poll::Pending => opening.await.unwrap(),
        };
        seen.push(rest(reader).await.len());
    }
    assert_eq!(seen, [3; 4]);
}

#[tokio::test]
async fn a_run_without_a_store_waits_for_its_reader() {
    let tally = Tally::default();
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |s: Arc<Log>, cx: Cx| async move {
        cx.get::<Tally>()?.count("node");
        Ok(by(s.by.len().to_string()))
    });
    g.start(node);
    g.route(node, [node.into(), END], move |s: &Log| if s.by.len() < 2000 { node.into() } else { END });
    let graph = g.compile().unwrap().provide(tally.clone());
    let mut stream = graph.invoke(LogUpdate::new()).stream(Mode::ALL).await.unwrap();
    let mut next = 0;
    while let Some(event) = stream.next().await.unwrap() {
        assert_eq!(event.seq, next);
        next += 1;
        if next == 10 {
            assert!(tally.of("node") < 1000, "{} steps were run ahead of the reader", tally.of("node"));
        }
    }
    assert_eq!(tally.of("node"), 2000);
    assert_eq!(stream.outcome().await.unwrap().done().unwrap().by.len(), 2000);
}

#[tokio::test]
async fn an_unread_stream_still_gives_the_outcome() {
    for graph in [chatty(5), everything()] {
        let app = graph.clone().on(memory());
        let stream = app.thread("t").unwrap().invoke(LogUpdate::new()).stream(Mode::ALL).await.unwrap();
        assert!(!matches!(stream.outcome().await.unwrap(), Outcome::Failed(_)));
    }
    let stream = chatty(5).invoke(LogUpdate::new()).stream(Mode::ALL).await.unwrap();
    assert_eq!(stream.outcome().await.unwrap().done().unwrap().by.len(), 600);
}

#[tokio::test]
async fn a_run_durable_at_its_end_shows_the_same_events_on_a_slow_store() {
    let store = Probe::slow();
    let thread = everything().on(store.clone()).thread("t").unwrap();
    let run = thread.invoke(by("in")).durability(Durability::AtEnd);
    let (mut events, outcome) = watched(run.stream(Mode::ALL).await.unwrap()).await;
    assert_eq!(outcome.questions().len(), 1);
    let run = thread.resume("me").durability(Durability::AtEnd);
    let (more, outcome) = watched(run.stream(Mode::ALL).await.unwrap()).await;
    assert_eq!(outcome.done().unwrap().by, FINAL);
    events.extend(more);
    assert_eq!(
        events.iter().map(|event| event.seq).collect::<Vec<_>>(),
        (0..events.len() as u64).collect::<Vec<_>>()
    );
    assert_eq!(rest(thread.events(0, Mode::ALL).await.unwrap()).await, events);
}

#[tokio::test]
async fn event_ids_are_read_back() {
    let app = everything().on(memory());
    let events = both(&app.thread("t").unwrap()).await;
    for event in events {
        assert_eq!(Event::parse_id(&event.id()), Some(event.seq));
        assert_eq!(event.mode.as_str().parse::<Mode>().unwrap(), event.mode);
    }
    assert!("nope".parse::<Mode>().unwrap_err().to_string().contains("values, updates"));
}
