//! Many runs at once, each a chain of nodes that sleep. Once per process, so that the peak of memory is its own.

use std::future::IntoFuture;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use duru::{Compiled, Cx, Durability, END, Graph, State};
use serde_json::json;
use tokio::task::JoinSet;

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{Lap, Watch, memory_mib};
use crate::report::{PIECES, Report, round};
use crate::store::{self, Kind};

#[derive(State, Clone)]
struct Count {
    count: u64,
}

fn graph(nodes: usize, sleep: Duration) -> Result<Compiled<Count>> {
    let mut g = Graph::<Count>::new("sleepers");
    let mut last = None;
    for index in 0..nodes {
        let node = g.node(&format!("n{index}"), move |s: Arc<Count>, _: Cx| async move {
            pause(sleep).await;
            duru::Result::Ok(CountUpdate::new().count(s.count + 1))
        });
        match last.replace(node) {
            None => g.start(node),
            Some(before) => g.edge(before, node),
        };
    }
    if let Some(last) = last {
        g.edge(last, END);
    }
    Ok(g.compile()?)
}

/// No pause is none: the shortest sleep takes a millisecond.
async fn pause(sleep: Duration) {
    if !sleep.is_zero() {
        tokio::time::sleep(sleep).await;
    }
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let implementation = args.implementation()?;
    let (runs, nodes) = (args.get("concurrent", 1000usize)?, args.get("nodes", 10usize)?);
    let sleep = Duration::from_millis(args.get("sleep_ms", 10)?);
    let kind = args.store()?;
    // One process, one run: there is no window to fill.
    args.window()?;
    let runtime = floor::runtime(args)?;
    let (idle, lap) = match implementation {
        Impl::Duru => floor::on_worker(&runtime, ours(runs, nodes, sleep, kind))?,
        Impl::Floor => floor::on_worker(&runtime, by_hand(runs, nodes, sleep, kind))?,
    };
    let wall = lap.wall.as_secs_f64();
    Ok(Report {
        bench: "concurrency",
        implementation: implementation.name(),
        unit: "s wall",
        samples: vec![wall],
        extra: vec![
            ("cpu_s", json!(round(lap.cpu.as_secs_f64()))),
            ("peak_rss_mib", json!(memory_mib("VmHWM").map(round))),
            ("idle_rss_mib", json!(idle.map(round))),
            // One more run came first, to warm up.
            (PIECES, json!((runs + 1) * nodes)),
            ("steps_per_s", json!(round((runs * nodes) as f64 / wall))),
            ("us_per_node_exec", json!(round(wall * 1e6 / (runs * nodes) as f64))),
            ("ideal_wall_s", json!(round((sleep * u32::try_from(nodes)?).as_secs_f64()))),
        ],
    })
}

async fn ours(runs: usize, nodes: usize, sleep: Duration, kind: Kind) -> Result<(Option<f64>, Lap)> {
    let graph = graph(nodes, sleep)?;
    let opened = store::open(kind).await?;
    let app = opened.as_ref().map(|opened| graph.clone().on(Arc::clone(&opened.store)));
    let start = |run: usize| {
        let input = CountUpdate::new().count(0u64);
        let run = match &app {
            None => graph.invoke(input),
            Some(app) => app.thread(format!("t{run}").as_str())?.invoke(input),
        };
        anyhow::Ok(run.recursion_limit(nodes as u64 + 10))
    };
    start(runs)?.await?.done()?;
    let idle = memory_mib("VmRSS");
    let watch = Watch::start();
    let mut set = JoinSet::new();
    for run in 0..runs {
        set.spawn(start(run)?.into_future());
    }
    let mut done = 0;
    while let Some(end) = set.join_next().await {
        ensure!(end??.done()?.count == nodes as u64, "a run ended early");
        done += 1;
    }
    ensure!(done == runs);
    Ok((idle, watch.lap()))
}

async fn by_hand(runs: usize, nodes: usize, sleep: Duration, kind: Kind) -> Result<(Option<f64>, Lap)> {
    // Only a server is worth waiting for, on a connection per run.
    let kind = if matches!(kind, Kind::Postgres(_)) { kind } else { Kind::None };
    let mut logs = Vec::with_capacity(runs);
    for _ in 0..runs {
        logs.push(floor::Log::open(kind.clone(), Durability::EachStep).await?);
    }
    let idle = memory_mib("VmRSS");
    let watch = Watch::start();
    let mut set = JoinSet::new();
    for mut log in logs {
        set.spawn(async move {
            let mut count = 0;
            for _ in 0..nodes {
                pause(sleep).await;
                count += 1;
                log.write(|| format!(r#"{{"count":{count}}}"#)).await?;
            }
            anyhow::Ok(count)
        });
    }
    while let Some(end) = set.join_next().await {
        ensure!(end?? == nodes, "a run ended early");
    }
    Ok((idle, watch.lap()))
}
