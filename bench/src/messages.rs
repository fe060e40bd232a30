//! A conversation that grows by one message per turn: what a turn costs early and late, and what is stored.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use duru::{Cx, Durability, END, Graph, State, Thread};
use duru_messages::{Message, Messages};
use serde_json::{Value, json};

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{Lap, Watch, median, micros};
use crate::report::{PIECES, Report, round};
use crate::store::{self, Kind};

#[derive(State, Clone)]
struct Chat {
    turn: u64,
    #[merge(messages)]
    messages: Messages,
}

fn chat(bytes: usize, opened: &store::Opened) -> Result<Thread<Chat>> {
    let say = move |s: Arc<Chat>, _: Cx| async move {
        let message = Message::ai(text(bytes)).with_id(format!("m{}", s.turn));
        duru::Result::Ok(ChatUpdate::new().messages([message]))
    };
    let mut g = Graph::<Chat>::new("chat");
    let node = g.node("n", say);
    g.start(node).edge(node, END);
    Ok(g.compile()?.on(Arc::clone(&opened.store)).thread("t")?)
}

/// Letters and digits without a pattern, so that no compression flatters the sizes.
fn text(bytes: usize) -> String {
    std::iter::repeat_with(fastrand::alphanumeric).take(bytes).collect()
}

/// One conversation.
struct Talk {
    turns: Vec<Lap>,
    stored_bytes: Option<u64>,
    reopen_ms: Option<f64>,
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let implementation = args.implementation()?;
    let (turns, bytes) = (args.get("turns", 200usize)?, args.get("bytes", 1024usize)?);
    let (kind, durability) = (args.store()?, args.durability()?);
    ensure!(kind != Kind::None, "a conversation needs a store");
    let runtime = floor::runtime(args)?;
    let mut talks = Vec::new();
    args.window()?.fill(|| {
        let talk = match implementation {
            Impl::Duru => floor::on_worker(&runtime, ours(turns, bytes, kind.clone(), durability))?,
            Impl::Floor => floor::on_worker(&runtime, by_hand(turns, bytes, kind.clone(), durability))?,
        };
        let whole = Lap {
            wall: talk.turns.iter().map(|turn| turn.wall).sum(),
            cpu: talk.turns.iter().map(|turn| turn.cpu).sum(),
        };
        talks.push(talk);
        Ok(whole)
    })?;
    let conversations = talks.len();
    // The first one warmed up.
    talks.remove(0);
    let raw = turns * bytes;
    let stored = talks.last().and_then(|talk| talk.stored_bytes);
    let wall = |lap: &Lap| micros(lap.wall);
    let cpu = |lap: &Lap| micros(lap.cpu);
    let middle = |turn, of: &dyn Fn(&Lap) -> f64| {
        json!(round(median(talks.iter().map(|talk| around(&talk.turns, turn, of)).collect())))
    };
    let mean = |of: fn(&Talk) -> &[Lap]| {
        let all: Vec<f64> = talks.iter().flat_map(of).map(cpu).collect();
        json!(round(all.iter().sum::<f64>() / all.len() as f64))
    };
    let reopen = median(talks.iter().filter_map(|talk| talk.reopen_ms).collect());
    Ok(Report {
        bench: "messages",
        implementation: implementation.name(),
        unit: "us/turn@last10",
        samples: talks.iter().map(|talk| around(&talk.turns, turns, &wall)).collect(),
        extra: vec![
            ("us_turn_10", middle(15, &wall)),
            ("us_turn_200", middle(200.min(turns), &wall)),
            ("us_turn_last", middle(turns, &wall)),
            ("cpu_us_turn_10", middle(15, &cpu)),
            ("cpu_us_turn_200", middle(200.min(turns), &cpu)),
            ("cpu_us_turn_last", middle(turns, &cpu)),
            // Means, because what is done only now and then (snapshots) hides from a median.
            ("cpu_us_mean_first_half", mean(|talk| &talk.turns[..talk.turns.len() / 2])),
            ("cpu_us_mean_second_half", mean(|talk| &talk.turns[talk.turns.len() / 2..])),
            (
                "total_s",
                json!(round(
                    median(talks.iter().map(|talk| talk.turns.iter().map(wall).sum()).collect()) / 1e6
                )),
            ),
            ("reopen_ms", if reopen.is_nan() { Value::Null } else { json!(round(reopen)) }),
            (PIECES, json!(turns * conversations)),
            ("raw_message_bytes", json!(raw)),
            ("db_file_bytes", json!(stored)),
            ("stored_over_raw", json!(stored.map(|stored| round(stored as f64 / raw as f64)))),
        ],
    })
}

/// The median of the ten turns before this one.
fn around(turns: &[Lap], turn: usize, of: &dyn Fn(&Lap) -> f64) -> f64 {
    let until = turn.min(turns.len());
    let width = (turns.len() / 4).clamp(1, 10);
    median(turns[until.saturating_sub(width)..until].iter().map(of).collect())
}

async fn ours(turns: usize, bytes: usize, kind: Kind, durability: Durability) -> Result<Talk> {
    let Some(opened) = store::open(kind).await? else { anyhow::bail!("a conversation needs a store") };
    let thread = chat(bytes, &opened)?;
    let mut laps = Vec::with_capacity(turns);
    for turn in 0..turns {
        let run = thread.invoke(ChatUpdate::new().turn(turn as u64)).durability(durability);
        let watch = Watch::start();
        let end = run.await?.done()?;
        laps.push(watch.lap());
        ensure!(end.messages.len() == turn + 1, "{} messages after turn {turn}", end.messages.len());
    }
    drop(thread);
    // What a process pays that has never seen the thread.
    let start = Instant::now();
    let state = chat(bytes, &opened)?.state().await?;
    let reopen = start.elapsed().as_secs_f64() * 1000.0;
    ensure!(state.decode::<Chat>()?.messages.len() == turns, "messages are missing");
    Ok(Talk { turns: laps, stored_bytes: opened.stored_bytes().await?, reopen_ms: Some(reopen) })
}

async fn by_hand(turns: usize, bytes: usize, kind: Kind, durability: Durability) -> Result<Talk> {
    let mut log = floor::Log::open(kind, durability).await?;
    let mut laps = Vec::with_capacity(turns);
    for _ in 0..turns {
        let watch = Watch::start();
        log.write(|| text(bytes)).await?;
        log.finish().await?;
        laps.push(watch.lap());
    }
    Ok(Talk { turns: laps, stored_bytes: log.stored_bytes().await?, reopen_ms: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_turn_is_the_median_of_the_ten_up_to_it() {
        let turns: Vec<Lap> =
            (1..=100).map(|ms| Lap { wall: Duration::from_micros(ms), cpu: Duration::ZERO }).collect();
        let wall = |lap: &Lap| micros(lap.wall);
        assert_eq!(around(&turns, 15, &wall).round(), 11.0);
        assert_eq!(around(&turns, 1000, &wall).round(), 96.0);
        assert_eq!(around(&turns[..1], 15, &wall).round(), 1.0);
    }
}
