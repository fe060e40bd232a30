//! From the start of a process to the end of its first run, and what it then holds in memory.

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use duru::{Cx, END, Graph, State};
use serde_json::{Value, json};

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{median, memory_mib};
use crate::report::{Report, round};
use crate::store::{self, Kind};

pub(crate) const CHILD: &str = "coldstart-child";

#[derive(State, Clone)]
struct Count {
    count: u64,
}

async fn add(state: Arc<Count>, _: Cx) -> duru::Result<CountUpdate> {
    Ok(CountUpdate::new().count(state.count + 1))
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let implementation = args.implementation()?;
    let processes = args.get("processes", 10usize)?;
    args.window()?;
    let exe = std::env::current_exe()?;
    let word = format!("impl={}", if implementation == Impl::Duru { "duru" } else { "floor" });
    let store = format!("store={}", args.text("store", "none"));
    let start = || -> Result<(f64, Value)> {
        let clock = Instant::now();
        let output =
            Command::new(&exe).args([CHILD, &word, &store]).output().context("cannot start a child")?;
        let wall = clock.elapsed().as_secs_f64() * 1000.0;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok((wall, serde_json::from_slice(&output.stdout)?))
    };
    // Once for the page cache.
    start()?;
    let runs = (0..processes).map(|_| start()).collect::<Result<Vec<_>>>()?;
    let of = |field| json!(round(median(runs.iter().filter_map(|(_, said)| said[field].as_f64()).collect())));
    Ok(Report {
        bench: "coldstart",
        implementation: implementation.name(),
        unit: "ms process wall",
        samples: runs.iter().map(|(wall, _)| *wall).collect(),
        extra: vec![
            ("compile_ms", of("compile_ms")),
            ("first_invoke_ms", of("first_invoke_ms")),
            ("second_invoke_ms", of("second_invoke_ms")),
            ("rss_mib", of("rss_mib")),
        ],
    })
}

pub(crate) fn child(args: &Args) -> Result<()> {
    let clock = Instant::now();
    let runtime = floor::runtime(args)?;
    let (compiled, first, second) = match args.implementation()? {
        Impl::Duru => runtime.block_on(ours(args.store()?, clock))?,
        Impl::Floor => runtime.block_on(async {
            let count = std::hint::black_box(async { 1 }).await;
            let now = clock.elapsed() * count;
            (now, now, clock.elapsed())
        }),
    };
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{}",
        json!({
            "compile_ms": ms(compiled),
            "first_invoke_ms": ms(first.saturating_sub(compiled)),
            "second_invoke_ms": ms(second.saturating_sub(first)),
            "rss_mib": memory_mib("VmRSS"),
        })
    );
    Ok(())
}

type Times = (std::time::Duration, std::time::Duration, std::time::Duration);

async fn ours(kind: Kind, clock: Instant) -> Result<Times> {
    let mut g = Graph::<Count>::new("one");
    let node = g.node("n", add);
    g.start(node).edge(node, END);
    let graph = g.compile()?;
    let opened = store::open(kind).await?;
    let app = opened.as_ref().map(|opened| graph.clone().on(Arc::clone(&opened.store)));
    let compiled = clock.elapsed();
    let mut times = Vec::new();
    for _ in 0..2 {
        let input = CountUpdate::new().count(0u64);
        let run = match &app {
            None => graph.invoke(input),
            Some(app) => app.thread("t")?.invoke(input),
        };
        run.await?.done()?;
        times.push(clock.elapsed());
    }
    Ok((compiled, times[0], times[1]))
}
