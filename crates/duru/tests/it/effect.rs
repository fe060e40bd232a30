//! Acting on the world once.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use duru::{Compiled, Cx, Durability, END, Graph, Mode, Node, NodeError, Policy, Result, Retry};
use serde_json::json;

use crate::support::{Log, LogUpdate, Tally, by, failure, memory, reopened, told};

/// The world: every act, by its idempotency key, in order.
#[derive(Clone, Default)]
struct World(Arc<Mutex<Vec<String>>>);

impl World {
    fn keys(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Acts under a key of the node's choice; the result says which act it was.
async fn act(cx: &Cx, key: &str) -> Result<usize> {
    let world = cx.get::<World>()?;
    cx.effect(key, |idempotency_key| async move {
        let mut acts = world.0.lock().unwrap();
        acts.push(idempotency_key);
        Ok(acts.len())
    })
    .await
}

fn graph(build: impl FnOnce(&mut Graph<Log>) -> Node) -> (Compiled<Log>, World) {
    let mut g = Graph::<Log>::new("g");
    let node = build(&mut g);
    g.start(node).edge(node, END);
    let world = World::default();
    (g.compile().unwrap().provide(world.clone()).provide(Tally::default()), world)
}

const DURABILITIES: [Durability; 3] = [Durability::EachStep, Durability::Background, Durability::AtEnd];

#[tokio::test(start_paused = true)]
async fn once_over_retries() {
    for durability in DURABILITIES {
        let (graph, world) = graph(|g| {
            let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
                let number = act(&cx, "pay").await?;
                if cx.attempt() < 3 {
                    return Err(NodeError::msg("later"));
                }
                Ok(by(number.to_string()))
            });
            g.policy(node, Policy::new().retry(Retry::times(3)));
            node
        });
        let app = graph.clone().on(memory());
        let run = app.thread("t").unwrap().invoke(LogUpdate::new()).durability(durability);
        assert_eq!(run.await.unwrap().done().unwrap().by, ["1"]);
        assert_eq!(world.keys().len(), 1, "{durability:?}");
        // Without a store too.
        assert_eq!(graph.invoke(LogUpdate::new()).await.unwrap().done().unwrap().by, ["2"]);
        assert_eq!(world.keys().len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn once_over_a_try_that_times_out() {
    let (graph, world) = graph(|g| {
        let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
            let number = act(&cx, "pay").await?;
            if cx.attempt() == 1 {
                tokio::time::sleep(Duration::from_secs(60)).await;
            }
            Ok(by(number.to_string()))
        });
        g.policy(node, Policy::new().timeout(Duration::from_secs(1)).retry(Retry::times(2)));
        node
    });
    let app = graph.on(memory());
    assert_eq!(app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap().by, ["1"]);
    assert_eq!(world.keys().len(), 1);
}

#[tokio::test]
async fn once_over_a_question_and_a_restart() {
    let (graph, world) = graph(|g| {
        g.node("node", |_: Arc<Log>, cx: Cx| async move {
            let before = act(&cx, "before").await?;
            let answer: String = cx.interrupt("go on?")?;
            let after = act(&cx, "after").await?;
            match cx.get::<Tally>()?.count("node") {
                1 => Err(NodeError::msg("broke")),
                _ => Ok(by(format!("{before} {answer} {after}"))),
            }
        })
    });
    let app = graph.clone().on(memory());
    let _ = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    let _ = failure(reopened(&graph, &app, "t").resume("yes").await.unwrap());
    let thread = reopened(&graph, &app, "t");
    assert_eq!(thread.go_on().await.unwrap().done().unwrap().by, ["1 yes 2"]);
    let keys = world.keys();
    assert_eq!(keys.len(), 2);
    assert_ne!(keys[0], keys[1]);
    let debug = told(&thread, Mode::Debug).await;
    let effects: Vec<_> = debug.into_iter().filter(|event| event["type"] == "effect").collect();
    assert_eq!(
        effects.iter().map(|effect| &effect["payload"]["key"]).collect::<Vec<_>>(),
        ["before", "after"]
    );
    assert_eq!(effects[1]["payload"]["value"], json!(2));
}

#[tokio::test]
async fn an_act_that_fails_is_tried_again_under_the_same_key() {
    let keys = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&keys);
    let (graph, _) = graph(|g| {
        g.node("node", move |_: Arc<Log>, cx: Cx| {
            let seen = Arc::clone(&seen);
            async move {
                let act = |key: String| async move {
                    seen.lock().unwrap().push(key);
                    if seen.lock().unwrap().len() == 1 { Err(NodeError::msg("no line")) } else { Ok(7) }
                };
                Ok(by(cx.effect("pay", act).await?.to_string()))
            }
        })
    });
    let app = graph.clone().on(memory());
    let _ = failure(app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap());
    let end = reopened(&graph, &app, "t").go_on().await.unwrap().done().unwrap();
    assert_eq!(end.by, ["7"]);
    let keys = keys.lock().unwrap();
    assert_eq!((keys.len(), &keys[0]), (2, &keys[1]));
}

#[tokio::test]
async fn every_task_has_a_key_of_its_own() {
    let mut g = Graph::<Log>::new("g");
    let fan = g.node("fan", |_: Arc<Log>, _: Cx| async { Ok(()) });
    let work = g.worker("work", |_: u32, cx: Cx| async move { Ok(by(act(&cx, "pay").await?.to_string())) });
    g.start(fan).edge(work, END);
    g.route(fan, [work], move |_: &Log| (0..3).map(|i| work.send(i)).collect::<Vec<_>>());
    let world = World::default();
    let app = g.compile().unwrap().provide(world.clone()).on(memory());
    for (name, turns) in [("one", 2), ("two", 1)] {
        for _ in 0..turns {
            app.thread(name).unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap();
        }
    }
    let keys = world.keys();
    assert_eq!(keys.len(), 9);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 9);
}

#[tokio::test(start_paused = true)]
async fn once_over_retries_of_a_subgraph() {
    for durability in DURABILITIES {
        let mut g = Graph::<Log>::new("inner");
        let pay = g.node("pay", |_: Arc<Log>, cx: Cx| async move {
            let number = act(&cx, "pay").await?;
            match cx.get::<Tally>()?.count("pay") {
                1 | 2 => Err(NodeError::msg("broke")),
                _ => Ok(by(number.to_string())),
            }
        });
        g.start(pay).edge(pay, END);
        let inner = g.compile().unwrap();
        let (graph, world) = graph(|g| {
            let sub =
                g.subgraph("sub", &inner, |_: &Log| LogUpdate::new(), |end: Arc<Log>| by(end.by.join(" ")));
            g.policy(sub, Policy::new().retry(Retry::times(3)));
            sub
        });
        let app = graph.on(memory());
        let run = app.thread("t").unwrap().invoke(LogUpdate::new()).durability(durability);
        assert_eq!(run.await.unwrap().done().unwrap().by, ["1"], "{durability:?}");
        assert_eq!(world.keys().len(), 1, "{durability:?}");
    }
}

#[tokio::test]
async fn a_context_that_outlives_its_run_is_told_so() {
    for durability in DURABILITIES {
        let kept: Arc<Mutex<Option<Cx>>> = Arc::default();
        let keep = Arc::clone(&kept);
        let (graph, world) = graph(move |g| {
            g.node("node", move |_: Arc<Log>, cx: Cx| {
                *keep.lock().unwrap() = Some(cx);
                async { Ok(by("done")) }
            })
        });
        let thread = graph.on(memory()).thread("t").unwrap();
        let _ = thread.invoke(LogUpdate::new()).durability(durability).await.unwrap().done().unwrap();
        let cx = kept.lock().unwrap().take().unwrap();
        let late = tokio::time::timeout(Duration::from_secs(10), act(&cx, "late")).await;
        let error = late.expect("it waits for ever").unwrap_err();
        assert!(error.to_string().contains("its run is over"), "{error}");
        assert!(cx.emit("late").unwrap_err().to_string().contains("its run is over"));
        assert!(cx.interrupt::<bool>("late?").unwrap_err().to_string().contains("its run is over"));
        assert_eq!(world.keys(), Vec::<String>::new(), "nothing is done that nobody would know of");
    }
}

#[tokio::test]
async fn what_a_question_is_made_of_stays_the_same() {
    for durability in DURABILITIES {
        let (graph, world) = graph(|g| {
            let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
                let world = cx.get::<World>()?;
                let number: usize = cx
                    .memo("number", async || {
                        world.0.lock().unwrap().push("made".to_owned());
                        Ok(world.0.lock().unwrap().len())
                    })
                    .await?;
                if cx.get::<Tally>()?.count("tries") == 1 {
                    return Err(NodeError::msg("later"));
                }
                let answer: String = cx.interrupt(format!("is it {number}?"))?;
                Ok(by(format!("{number} {answer}")))
            });
            g.policy(node, Policy::new().retry(Retry::times(2).first_wait(Duration::from_millis(1))));
            node
        });
        let app = graph.clone().on(memory());
        let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).durability(durability).await.unwrap();
        assert_eq!(outcome.questions()[0].get::<String>().unwrap(), "is it 1?");
        let end = reopened(&graph, &app, "t").resume("yes").await.unwrap().done().unwrap();
        assert_eq!((end.by.as_slice(), world.keys().len()), (&["1 yes".to_owned()][..], 1), "{durability:?}");
    }
}
