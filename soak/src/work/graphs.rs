//! The graphs: a chain, a fan-out, a subgraph, a loop, questions, and a handler that asks after tries that failed.

use std::sync::Arc;
use std::time::Duration;

use duru::testkit::ledger::Ledger;
use duru::{Compiled, Cx, END, Goto, Graph, Node, NodeError, Policy, Result, Retry};

use super::{Pace, Work, WorkUpdate, hash};

pub(super) fn all() -> Vec<Compiled<Work>> {
    vec![chain(), fan_out(), subgraph(), looping(), questions(), handling()]
}

/// Acts on the world. What it comes to is known only from the act's record.
async fn act(cx: &Cx, name: &str, turn: u64, place: &str) -> Result<WorkUpdate> {
    let Pace(most) = *cx.get::<Pace>()?;
    if !most.is_zero() {
        tokio::time::sleep(most.mul_f64(fastrand::f64())).await;
    }
    let ledger = cx.get::<Ledger>()?;
    let effect = format!("{name}.{turn}.{place}");
    let value: u64 = cx
        .effect(place, |key| async move {
            ledger.apply(&effect, &key)?;
            Ok(hash(&effect) % 100)
        })
        .await?;
    Ok(WorkUpdate::new().trail([format!("{turn}.{place}")]).total(value))
}

macro_rules! step {
    ($place:literal) => {
        |s: Arc<Work>, cx: Cx| async move { act(&cx, &s.name, s.turn, $place).await }
    };
}

/// The node that ends a turn.
macro_rules! last {
    ($place:literal) => {
        |s: Arc<Work>, cx: Cx| async move { Ok(act(&cx, &s.name, s.turn, $place).await?.done(1)) }
    };
}

fn done(graph: Graph<Work>) -> Compiled<Work> {
    // A graph that does not compile would be a mistake in this file.
    graph.compile().unwrap_or_else(|error| panic!("{error}"))
}

/// A turn that was done before this call was heard is not done again.
fn begin_at(graph: &mut Graph<Work>, first: Node) {
    graph.start_route([first.into(), END], move |s: &Work| if s.done > s.turn { END } else { first.into() });
}

fn chain() -> Compiled<Work> {
    let mut g = Graph::new("chain");
    let a = g.node("a", step!("a"));
    let b = g.node("b", step!("b"));
    let c = g.node("c", last!("c"));
    begin_at(&mut g, a);
    g.edge(a, b).edge(b, c).edge(c, END);
    done(g)
}

fn fan_out() -> Compiled<Work> {
    let mut g = Graph::new("fan_out");
    let split = g.node("split", step!("split"));
    let work = g.worker("work", |(name, turn, i): (String, u64, u64), cx: Cx| async move {
        act(&cx, &name, turn, &format!("work{i}")).await
    });
    let join = g.node("join", last!("join"));
    begin_at(&mut g, split);
    g.route(split, [work], move |s: &Work| {
        (0..s.size).map(|i| work.send((s.name.clone(), s.turn, i))).collect::<Vec<_>>()
    });
    g.edge(work, join).edge(join, END);
    done(g)
}

fn subgraph() -> Compiled<Work> {
    let mut inner = Graph::new("inner");
    let x = inner.node("x", step!("x"));
    let y = inner.node("y", step!("y"));
    let z = inner.node("z", step!("z"));
    inner.start(x).start(y).join([x, y], z).edge(z, END);

    let mut g = Graph::new("subgraph");
    let before = g.node("before", step!("before"));
    let child = g.subgraph(
        "child",
        &done(inner),
        |s: &Work| WorkUpdate::new().name(s.name.clone()).turn(s.turn),
        |end: Arc<Work>| WorkUpdate::new().trail(end.trail.clone()).total(end.total),
    );
    let after = g.node("after", last!("after"));
    begin_at(&mut g, before);
    g.edge(before, child).edge(child, after).edge(after, END);
    done(g)
}

fn looping() -> Compiled<Work> {
    let mut g = Graph::new("looping");
    let round = g.node("round", |s: Arc<Work>, cx: Cx| async move {
        let there = act(&cx, &s.name, s.turn, &format!("round{}", s.round)).await?;
        // Back to none with the last one, not with the next input: a process that
        // stood still brings an input for a turn that is over.
        Ok(if s.round + 1 >= s.size { there.done(1).round(0) } else { there.round(s.round + 1) })
    });
    begin_at(&mut g, round);
    g.route(round, [round.into(), END], move |s: &Work| if s.round > 0 { round.into() } else { END });
    done(g)
}

fn questions() -> Compiled<Work> {
    let mut g = Graph::new("questions");
    let ask = g.node("ask", |s: Arc<Work>, cx: Cx| async move {
        let booked = act(&cx, &s.name, s.turn, "booked").await?;
        let yes: bool = cx.interrupt("go on?")?;
        let seats: u64 = cx.interrupt("how many?")?;
        Ok(booked.trail([format!("{}.{yes}", s.turn)]).total(seats))
    });
    let other = g.node("other", |s: Arc<Work>, cx: Cx| async move {
        let seats: u64 = cx.interrupt("how many more?")?;
        Ok(act(&cx, &s.name, s.turn, "more").await?.total(seats))
    });
    let end = g.node("end", last!("end"));
    g.start_route([ask.into(), other.into(), END], move |s: &Work| {
        let goals: Vec<Goto> =
            if s.done > s.turn { vec![END.into()] } else { vec![ask.into(), other.into()] };
        goals
    });
    g.join([ask, other], end).edge(end, END);
    done(g)
}

/// Asks, and fails as often as it may; then its handler asks. How often it was tried is part of what is compared.
fn handling() -> Compiled<Work> {
    let mut g = Graph::new("handling");
    let pay = g.node("pay", |s: Arc<Work>, cx: Cx| async move {
        act(&cx, &s.name, s.turn, "asked").await?;
        let yes: bool = cx.interrupt("go on?")?;
        Err::<WorkUpdate, _>(NodeError::msg(format!("told {yes}")))
    });
    g.policy(pay, Policy::new().retry(Retry::times(3).first_wait(Duration::from_millis(5))));
    g.on_error(pay, |s: Arc<Work>, failure, cx: Cx| async move {
        let seats: u64 = cx.interrupt("how many?")?;
        let trail = format!("{}.{} after {} tries", s.turn, failure.message, failure.attempts);
        Ok(act(&cx, &s.name, s.turn, "handled").await?.trail([trail]).total(seats).done(1))
    });
    begin_at(&mut g, pay);
    g.edge(pay, END);
    done(g)
}
