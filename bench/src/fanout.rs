//! A router sends so many tasks, each appends one number, a node joins them.

use std::sync::Arc;

use anyhow::{Result, ensure};
use duru::{Compiled, Cx, Durability, END, Graph, State};
use serde_json::json;
use tokio::task::JoinSet;

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{Lap, Watch};
use crate::report::{Report, per_piece};
use crate::store::{self, Kind};

#[derive(State, Clone)]
struct Fan {
    n: u64,
    #[merge(append)]
    results: Vec<u64>,
    total: u64,
}

async fn work(x: u64, _: Cx) -> duru::Result<FanUpdate> {
    Ok(FanUpdate::new().results([x]))
}

async fn join(state: Arc<Fan>, _: Cx) -> duru::Result<FanUpdate> {
    Ok(FanUpdate::new().total(state.results.iter().sum::<u64>()))
}

fn graph() -> Result<Compiled<Fan>> {
    let mut g = Graph::<Fan>::new("fan");
    let work = g.worker("work", work);
    let join = g.node("join", join);
    g.start_route([work], move |s: &Fan| (0..s.n).map(|x| work.send(x)).collect::<Vec<_>>());
    g.edge(work, join).edge(join, END);
    Ok(g.compile()?)
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let implementation = args.implementation()?;
    let tasks = args.get("tasks", 1000)?;
    let (kind, durability) = (args.store()?, args.durability()?);
    let runtime = floor::runtime(args)?;
    let laps = args.window()?.fill(|| match implementation {
        Impl::Duru => floor::on_worker(&runtime, ours(tasks, kind.clone(), durability)),
        Impl::Floor => floor::on_worker(&runtime, by_hand(tasks, kind.clone(), durability)),
    })?;
    let (samples, cpu) = per_piece(&laps, usize::try_from(tasks)?);
    let whole_ms = cpu * tasks as f64 / 1000.0;
    Ok(Report {
        bench: "fanout",
        implementation: implementation.name(),
        unit: "us/task",
        samples,
        extra: vec![("cpu_us_per_task", json!(cpu)), ("cpu_ms_whole", json!(whole_ms))],
    })
}

async fn ours(tasks: u64, kind: Kind, durability: Durability) -> Result<Lap> {
    let graph = graph()?;
    let input = FanUpdate::new().n(tasks);
    let opened = store::open(kind).await?;
    let run = match &opened {
        None => graph.invoke(input),
        Some(opened) => graph.on(Arc::clone(&opened.store)).thread("t")?.invoke(input),
    };
    let watch = Watch::start();
    let end = run.durability(durability).await?.done()?;
    let lap = watch.lap();
    ensure!(
        end.total == tasks * (tasks - 1) / 2 && end.results.iter().copied().eq(0..tasks),
        "wrong results"
    );
    Ok(lap)
}

async fn by_hand(tasks: u64, kind: Kind, durability: Durability) -> Result<Lap> {
    let mut log = floor::Log::open(kind, durability).await?;
    let watch = Watch::start();
    let mut set = JoinSet::new();
    for x in 0..tasks {
        set.spawn(async move { (x, std::hint::black_box(x)) });
    }
    let mut results = Vec::new();
    while let Some(done) = set.join_next().await {
        let (x, result) = done?;
        log.write(|| format!(r#"{{"results":[{result}]}}"#)).await?;
        results.push((x, result));
    }
    results.sort_unstable();
    let total: u64 = results.iter().map(|(_, result)| result).sum();
    log.finish().await?;
    let lap = watch.lap();
    ensure!(total == tasks * (tasks - 1) / 2, "wrong results");
    Ok(lap)
}
