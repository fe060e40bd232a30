//! Two servers on one database are one server.

use std::time::{Duration, Instant, SystemTime};

use serde_json::json;
use tokio::task::JoinSet;

use crate::anywhere::{read_through, start_somewhere};
use crate::fixture::Place;
use crate::runs::{Accepted, start, steps};

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

#[tokio::test]
async fn a_rolling_restart_is_not_noticed() {
    let Some(place) = Place::postgres() else { return };
    let mut servers = place.serve_two();
    let clients = [servers[0].client(), servers[1].client()];

    // Longer than the restart, and begun at the server that goes first.
    let long = start(&clients[0], steps(24, 400)).await;
    let reading = tokio::spawn(read_through(clients.to_vec(), long.clone()));
    let until = Instant::now() + Duration::from_secs(7);
    let mut load = JoinSet::new();
    for worker in 0..8 {
        let clients = clients.clone();
        load.spawn(async move {
            let mut mine = Vec::new();
            while Instant::now() < until || mine.len() < 10 {
                mine.push(start_somewhere(&clients, worker, &steps(4, 60)).await);
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
