//! The chain, watched: what an event costs on top of the run.

use std::time::Duration;

use anyhow::{Result, ensure};
use duru::{Compiled, Mode};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::args::{Args, Impl};
use crate::chain::{Count, CountUpdate, graph};
use crate::floor;
use crate::measure::{Lap, Watch, median, micros};
use crate::report::{Report, round};

/// One run that was only awaited, and one that was watched.
struct Pair {
    plain: Lap,
    watched: Lap,
    first: Duration,
    events: usize,
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let implementation = args.implementation()?;
    let steps = args.get("steps", 1000u64)?;
    let modes: Vec<Mode> =
        args.text("modes", "updates").split('+').map(str::parse).collect::<Result<_, duru::UnknownMode>>()?;
    let runtime = floor::runtime(args)?;
    let mut pairs = Vec::new();
    args.window()?.fill(|| {
        let pair = match implementation {
            Impl::Duru => {
                let graph = graph(steps, modes.contains(&Mode::Custom))?;
                floor::on_worker(&runtime, ours(graph, steps, modes.clone()))?
            }
            Impl::Floor => floor::on_worker(&runtime, by_hand(steps))?,
        };
        let lap = pair.watched;
        pairs.push(pair);
        Ok(lap)
    })?;
    pairs.remove(0);
    let events = pairs.last().map_or(1, |pair| pair.events).max(1);
    let each = |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(of).collect::<Vec<f64>>();
    let mean = |of: &dyn Fn(&Pair) -> f64| each(of).iter().sum::<f64>() / pairs.len() as f64;
    let (plain_cpu, watched_cpu) =
        (mean(&|pair| micros(pair.plain.cpu)), mean(&|pair| micros(pair.watched.cpu)));
    let plain = median(each(&|pair| micros(pair.plain.wall)));
    let watched = median(each(&|pair| micros(pair.watched.wall)));
    let (per_event, per_step) =
        (|us: f64| json!(round(us / events as f64)), |us: f64| json!(round(us / steps as f64)));
    Ok(Report {
        bench: "stream",
        implementation: implementation.name(),
        unit: "us/event (total)",
        samples: each(&|pair| micros(pair.watched.wall) / events as f64),
        extra: vec![
            ("events", json!(events)),
            ("ainvoke_us_per_step", per_step(plain)),
            ("extra_us_per_event_vs_ainvoke", per_event(watched - plain)),
            ("cpu_us_per_event", per_event(watched_cpu)),
            ("cpu_ainvoke_us_per_step", per_step(plain_cpu)),
            ("cpu_extra_us_per_event", per_event(watched_cpu - plain_cpu)),
            ("first_event_ms", json!(round(median(each(&|pair| micros(pair.first) / 1000.0))))),
        ],
    })
}

async fn ours(graph: Compiled<Count>, steps: u64, modes: Vec<Mode>) -> Result<Pair> {
    let start = || graph.invoke(CountUpdate::new().count(0u64)).recursion_limit(steps + 10);
    let watch = Watch::start();
    start().await?.done()?;
    let plain = watch.lap();
    let (watch, mut events, mut first) = (Watch::start(), 0, Duration::ZERO);
    let mut stream = start().stream(modes).await?;
    while stream.next().await?.is_some() {
        if events == 0 {
            first = watch.lap().wall;
        }
        events += 1;
    }
    let end = stream.outcome().await?.done()?;
    let watched = watch.lap();
    ensure!(end.count == steps, "it took {} steps", end.count);
    Ok(Pair { plain, watched, first, events })
}

async fn by_hand(steps: u64) -> Result<Pair> {
    let watch = Watch::start();
    let (send, mut events) = mpsc::channel::<Value>(256);
    let run = tokio::spawn(async move {
        for count in 0..steps {
            if send.send(json!({"n": {"count": count}})).await.is_err() {
                break;
            }
        }
    });
    let (mut count, mut first) = (0, Duration::ZERO);
    while events.recv().await.is_some() {
        if count == 0 {
            first = watch.lap().wall;
        }
        count += 1;
    }
    run.await?;
    let zero = Lap { wall: Duration::ZERO, cpu: Duration::ZERO };
    Ok(Pair { plain: zero, watched: watch.lap(), first, events: count })
}
