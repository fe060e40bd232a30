//! Two servers on one database are one server.

use std::time::{Duration, Instant, SystemTime};

use serde_json::json;
use tokio::task::JoinSet;

use crate::client::{Client, PATIENCE};
use crate::events::Events;
use crate::fixture::Place;
use crate::runs::{Accepted, start, steps, try_start};

/// How long a server may take to stop: its grace, and some time for a busy machine.
const GRACE: Duration = Duration::from_secs(50);

#[tokio::test]
async fn what_a_killed_server_had_accepted_the_other_carries_out() {
    let Some(place) = Place::postgres() else { return };
    let [mut a, b] = place.serve_two();
    let mut runs = Vec::new();
    for _ in 0..20 {
        runs.push(start(&a.client(), steps(10, 100)).await);
    }
    let killed = Instant::now();
    a.kill();
    for run in &runs {
        run.is_done(&b.client(), 10).await;
    }
    println!("all were done {:?} after the kill", killed.elapsed());
}

#[tokio::test]
async fn a_run_at_one_server_is_seen_live_at_the_other() {
    let Some(place) = Place::postgres() else { return };
    let [a, b] = place.serve_two();
    // Longer than any machine is busy: whoever sees nothing of it before its end is found out.
    let run = start(&a.client(), steps(1500, 200)).await;
    let mut events = b.client().events(&format!("{}/stream", run.path()), Some("-1")).await.unwrap();
    let mut late = Vec::new();
    while late.len() < 12 {
        let frame = events.next().await.unwrap().expect("it has not ended");
        if frame.event != "custom" {
            continue;
        }
        assert_eq!(frame.data, json!({ "tick": late.len() }));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        let written: u128 = frame.id.split('-').next().unwrap().parse().unwrap();
        late.push(now.saturating_sub(written));
    }
    println!("late by {late:?} ms");
    assert_eq!(run.status(&b.client()).await.as_deref(), Some("running"));
    assert_eq!(b.client().post(&format!("{}/cancel?wait=0", run.path()), json!({})).await.status, 202);
    assert_eq!(run.end(&a.client()).await, "interrupted");
}

#[tokio::test]
async fn a_run_at_one_server_is_cancelled_at_the_other() {
    let Some(place) = Place::postgres() else { return };
    let [a, b] = place.serve_two();
    for step in [100, 600_000] {
        let run = start(&a.client(), steps(3000, step)).await;
        run.begins(&b.client()).await;
        let asked = Instant::now();
        let answer = b.client().post(&format!("{}/cancel?wait=0", run.path()), json!({})).await;
        assert_eq!(answer.status, 202);
        assert_eq!(run.end(&a.client()).await, "interrupted");
        let took = asked.elapsed();
        println!("a run of steps of {step} ms stopped after {took:?}");
        let log = a.client().get(&format!("/threads/{}/state", run.thread)).await.text;
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(a.client().get(&format!("/threads/{}/state", run.thread)).await.text, log, "it goes on");
    }
}

/// What a client does that can go to either server: when one does not take it,
/// the other does.
async fn start_somewhere(servers: &[Client; 2], first: usize) -> Accepted {
    let give_up = Instant::now() + PATIENCE;
    let mut i = first;
    loop {
        match try_start(&servers[i % 2], steps(4, 60)).await {
            Ok(run) => return run,
            Err(error) => assert!(Instant::now() < give_up, "no server takes a run: {error}"),
        }
        i += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Reads a run to its end, at the other server whenever the stream breaks off.
async fn read_through(servers: [Client; 2], run: Accepted) -> (Vec<serde_json::Value>, usize) {
    let (mut updates, mut breaks, mut last) = (Vec::new(), 0, "-1".to_owned());
    let path = format!("{}/stream", run.path());
    loop {
        let opened: anyhow::Result<Events> = servers[breaks % 2].events(&path, Some(&last)).await;
        if let Ok(mut events) = opened {
            while let Ok(frame) = events.next().await {
                let Some(frame) = frame else { return (updates, breaks) };
                if frame.event == "updates" {
                    updates.push(frame.data);
                }
                last = frame.id;
            }
        }
        breaks += 1;
        assert!(breaks < 500, "{run:?} can't be read to its end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_rolling_restart_is_not_noticed() {
    let Some(place) = Place::postgres() else { return };
    let mut servers = place.serve_two();
    let clients = [servers[0].client(), servers[1].client()];

    // Longer than the restart, and begun at the server that goes first.
    let long = start(&clients[0], steps(24, 400)).await;
    let reading = tokio::spawn(read_through(clients.clone(), long.clone()));
    let until = Instant::now() + Duration::from_secs(7);
    let mut load = JoinSet::new();
    for worker in 0..8 {
        let clients = clients.clone();
        load.spawn(async move {
            let mut mine = Vec::new();
            while Instant::now() < until || mine.len() < 10 {
                mine.push(start_somewhere(&clients, worker).await);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            mine
        });
    }
    for server in &mut servers {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let asked = Instant::now();
        server.terminate();
        let status = server.ended(GRACE).await.expect("it stops in time");
        println!("stopped after {:?}", asked.elapsed());
        assert_eq!(status.code(), Some(0), "{}", server.log());
        *server = place.serve_at(server.port);
    }
    let mut runs: Vec<Accepted> = load.join_all().await.concat();
    println!("{} runs", runs.len());
    assert!(runs.len() > 50, "only {} runs were accepted", runs.len());
    let (updates, breaks) = reading.await.unwrap();
    println!("the long run was read with {breaks} breaks");
    let steps: Vec<_> = (0..24).map(|i| json!({ "step": { "log": [i] } })).collect();
    assert_eq!(updates, steps, "each step of the long run was seen once");
    long.is_done(&clients[0], 24).await;
    for run in runs.drain(..) {
        run.is_done(&clients[0], 4).await;
    }
}
