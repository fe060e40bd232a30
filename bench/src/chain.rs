//! One node that loops through a conditional edge, so many steps.

use std::sync::Arc;

use anyhow::{Result, ensure};
use duru::{Compiled, Cx, Durability, END, Graph, State};
use serde_json::json;

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{Lap, Watch};
use crate::report::{PIECES, Report, per_piece};
use crate::round_trips;
use crate::store::{self, Kind};

#[derive(State, Clone)]
pub(crate) struct Count {
    pub(crate) count: u64,
}

async fn add(state: Arc<Count>, _: Cx) -> duru::Result<CountUpdate> {
    Ok(CountUpdate::new().count(state.count + 1))
}

/// The same, with one custom event per step.
async fn add_and_tell(state: Arc<Count>, cx: Cx) -> duru::Result<CountUpdate> {
    cx.emit(json!({"i": state.count}))?;
    Ok(CountUpdate::new().count(state.count + 1))
}

pub(crate) fn graph(steps: u64, tells: bool) -> Result<Compiled<Count>> {
    let mut g = Graph::<Count>::new("chain");
    let node = if tells { g.node("n", add_and_tell) } else { g.node("n", add) };
    g.start(node);
    g.route(node, [node.into(), END], move |s: &Count| if s.count < steps { node.into() } else { END });
    Ok(g.compile()?)
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let implementation = args.implementation()?;
    let steps = args.get("steps", 1000)?;
    let (kind, durability) = (args.store()?, args.durability()?);
    let runtime = floor::runtime(args)?;
    let laps = args.window()?.fill(|| match implementation {
        Impl::Duru => floor::on_worker(&runtime, ours(steps, kind.clone(), durability)),
        Impl::Floor => floor::on_worker(&runtime, by_hand(steps, kind.clone(), durability)),
    })?;
    let (samples, cpu) = per_piece(&laps, usize::try_from(steps)?);
    let mut extra = vec![("cpu_us_per_superstep", json!(cpu))];
    // And the one that warmed up.
    let mut pieces = steps * (laps.len() as u64 + 1);
    if let (Impl::Duru, Kind::Postgres(url)) = (implementation, kind) {
        let found = floor::on_worker(&runtime, round_trips::per_step(url))?;
        extra.push(("round_trips_per_step", json!(found)));
        pieces += round_trips::STEPS;
    }
    extra.push((PIECES, json!(pieces)));
    Ok(Report { bench: "chain", implementation: implementation.name(), unit: "us/superstep", samples, extra })
}

async fn ours(steps: u64, kind: Kind, durability: Durability) -> Result<Lap> {
    let graph = graph(steps, false)?;
    let input = CountUpdate::new().count(0u64);
    let opened = store::open(kind).await?;
    let run = match &opened {
        None => graph.invoke(input),
        Some(opened) => graph.on(Arc::clone(&opened.store)).thread("t")?.invoke(input),
    };
    let run = run.durability(durability).recursion_limit(steps + 10);
    let watch = Watch::start();
    let end = run.await?.done()?;
    let lap = watch.lap();
    ensure!(end.count == steps, "it took {} steps", end.count);
    Ok(lap)
}

async fn by_hand(steps: u64, kind: Kind, durability: Durability) -> Result<Lap> {
    let mut log = floor::Log::open(kind, durability).await?;
    let watch = Watch::start();
    let mut count = 0;
    while count < steps {
        count = add_by_hand(std::hint::black_box(count)).await;
        log.write(|| format!(r#"{{"count":{count}}}"#)).await?;
    }
    log.finish().await?;
    Ok(watch.lap())
}

async fn add_by_hand(count: u64) -> u64 {
    count + 1
}
