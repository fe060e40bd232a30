//! Graphs that a crash sweep runs: each does something to the world, and each
//! has one right final state however often it is killed.

use std::sync::Arc;
use std::time::Duration;

use duru_messages::{Message, Messages};

use super::ledger::Ledger;
use crate::{Command, Compiled, Cx, END, Graph, NodeError, Policy, Result, Retry, State};

/// One state for all cases, with every kind of merge that is stored.
#[derive(State, Clone)]
pub struct Trip {
    /// Where it has been.
    #[merge(append)]
    pub path: Vec<String>,
    /// What it has cost.
    #[merge(sum)]
    pub cost: u64,
    /// What was said.
    #[merge(messages)]
    pub said: Messages,
    /// Where it is.
    pub at: String,
    /// How often it went round.
    pub rounds: u32,
}

/// A graph and its name.
pub struct Case {
    /// What it shows.
    pub name: &'static str,
    /// Makes it.
    pub build: fn() -> Compiled<Trip>,
}

/// All cases.
pub const CASES: &[Case] = &[
    Case { name: "chain", build: chain },
    Case { name: "looping", build: looping },
    Case { name: "fan_out", build: fan_out },
    Case { name: "barrier", build: barrier },
    Case { name: "subgraph", build: subgraph },
    Case { name: "embedded", build: embedded },
    Case { name: "interrupt", build: interrupt },
    Case { name: "error_handler", build: error_handler },
    Case { name: "asking_handler", build: asking_handler },
];

/// Goes somewhere, and the world takes note.
async fn go(cx: &Cx, place: &str) -> Result<TripUpdate> {
    let ledger = cx.get::<Ledger>()?;
    let paid: u64 = cx
        .effect(place, |key| async move {
            ledger.apply(place, &key)?;
            Ok(1)
        })
        .await?;
    // A made-up id would follow from the time of the run.
    let message = Message::ai(format!("at {place}")).with_id(place);
    Ok(TripUpdate::new().path([place.to_owned()]).cost(paid).said([message]))
}

macro_rules! visit {
    ($place:literal) => {
        |_: Arc<Trip>, cx: Cx| async move { go(&cx, $place).await }
    };
}

fn done(graph: Graph<Trip>) -> Compiled<Trip> {
    // A case that does not compile would be a mistake in this file.
    graph.compile().unwrap_or_else(|error| panic!("{error}"))
}

fn chain() -> Compiled<Trip> {
    let mut g = Graph::new("chain");
    let a = g.node("a", visit!("a"));
    let b = g.node("b", visit!("b"));
    let c = g.node("c", |_: Arc<Trip>, cx: Cx| async move {
        let there = go(&cx, "c").await?;
        Ok(there.at("c"))
    });
    g.start(a).edge(a, b).edge(b, c).edge(c, END);
    done(g)
}

fn looping() -> Compiled<Trip> {
    let mut g = Graph::new("looping");
    let round = g.node("round", |s: Arc<Trip>, cx: Cx| async move {
        let place = format!("round{}", s.rounds);
        Ok(go(&cx, &place).await?.rounds(s.rounds + 1))
    });
    g.start(round);
    g.route(round, [round.into(), END], move |s: &Trip| if s.rounds < 4 { round.into() } else { END });
    done(g)
}

fn fan_out() -> Compiled<Trip> {
    let mut g = Graph::new("fan_out");
    let work = g.worker("work", |i: u32, cx: Cx| async move { go(&cx, &format!("work{i}")).await });
    let join =
        g.node("join", |s: Arc<Trip>, _: Cx| async move { Ok(TripUpdate::new().at(s.path.join("+"))) });
    g.start_route([work], move |_: &Trip| (0..4).map(|i| work.send(i)).collect::<Vec<_>>());
    g.edge(work, join).edge(join, END);
    done(g)
}

fn barrier() -> Compiled<Trip> {
    let mut g = Graph::new("barrier");
    let a = g.node("a", visit!("a"));
    let b = g.node("b", visit!("b"));
    let b2 = g.node("b2", visit!("b2"));
    let c = g.node("c", visit!("c"));
    let last = g.node("last", visit!("last"));
    g.start(a).start(b).edge(b, b2).join([a, b2], c).defer(last).edge(a, last).edge(c, END).edge(last, END);
    done(g)
}

fn inner(name: &str) -> Compiled<Trip> {
    let mut g = Graph::new(name);
    let x = g.node("x", visit!("x"));
    let y = g.node("y", visit!("y"));
    let z = g.node("z", visit!("z"));
    g.start(x).start(y).join([x, y], z).edge(z, END);
    done(g)
}

fn subgraph() -> Compiled<Trip> {
    let mut g = Graph::new("subgraph");
    let before = g.node("before", visit!("before"));
    let child = g.subgraph(
        "child",
        &inner("inner"),
        |s: &Trip| TripUpdate::new().at(s.path.join("/")),
        |end: Arc<Trip>| TripUpdate::new().at(end.path.join(",")).cost(end.cost),
    );
    let after = g.node("after", visit!("after"));
    g.start(before).edge(before, child).edge(child, after).edge(after, END);
    done(g)
}

fn embedded() -> Compiled<Trip> {
    let mut g = Graph::new("embedded");
    let before = g.node("before", visit!("before"));
    let child = g.embed("child", &inner("inner"));
    let beside = g.node("beside", visit!("beside"));
    g.start(before).edge(before, child).edge(before, beside).edge(child, END).edge(beside, END);
    done(g)
}

fn interrupt() -> Compiled<Trip> {
    let mut g = Graph::new("interrupt");
    let ask = g.node("ask", |_: Arc<Trip>, cx: Cx| async move {
        let booked = go(&cx, "booked").await?;
        let yes: bool = cx.interrupt("go on?")?;
        let name: String = cx.interrupt("who?")?;
        Ok(booked.at(format!("{yes} {name}")))
    });
    let other = g.node("other", |_: Arc<Trip>, cx: Cx| async move {
        let seats: u64 = cx.interrupt("how many?")?;
        Ok(go(&cx, "seats").await?.cost(10 + seats))
    });
    let end = g.node("end", visit!("end"));
    g.start(ask).start(other).join([ask, other], end).edge(end, END);
    done(g)
}

fn error_handler() -> Compiled<Trip> {
    let mut g = Graph::new("error_handler");
    let risky = g.node("risky", |_: Arc<Trip>, cx: Cx| async move {
        go(&cx, "risky").await?;
        Err::<TripUpdate, _>(NodeError::msg("no way through"))
    });
    let beside = g.node("beside", visit!("beside"));
    let rest = g.node("rest", visit!("rest"));
    g.on_error(risky, move |_: Arc<Trip>, failure, cx: Cx| async move {
        let there = go(&cx, "handler").await?;
        Ok(Command::update(there.at(format!("{}: {}", failure.node, failure.message))).goto(rest))
    });
    g.start(risky).start(beside).edge(risky, END).edge(beside, END).may_go(risky, [rest]).edge(rest, END);
    done(g)
}

fn asking_handler() -> Compiled<Trip> {
    let mut g = Graph::new("asking_handler");
    let pay = g.node("pay", |_: Arc<Trip>, cx: Cx| async move {
        go(&cx, "asked").await?;
        let yes: bool = cx.interrupt("go on?")?;
        go(&cx, "paid").await?;
        Err::<TripUpdate, _>(NodeError::msg(format!("told {yes}")))
    });
    g.policy(pay, Policy::new().retry(Retry::times(3).first_wait(Duration::ZERO)));
    g.on_error(pay, |_: Arc<Trip>, failure, cx: Cx| async move {
        let name: String = cx.interrupt("who?")?;
        let seats: u64 = cx.interrupt("how many?")?;
        // However often it was killed, it was tried three times.
        let at = format!("{} {name} after {} tries", failure.message, failure.attempts);
        Ok(go(&cx, "handler").await?.cost(seats).at(at))
    });
    let beside = g.node("beside", visit!("beside"));
    g.start(pay).start(beside).edge(pay, END).edge(beside, END);
    done(g)
}
