//! Faults of the matrix in docs/faults.md that only a whole server shows, in small numbers.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::Client;
use crate::fixture::Place;
use crate::pg_cluster::{Server, programs};
use crate::pg_proxy::Proxy;
use crate::pg_server;
use crate::runs::{Accepted, new_thread, start, steps};

const SOON: Duration = Duration::from_secs(30);

async fn log_of(client: &Client, run: &Accepted) -> Value {
    client.get(&format!("/threads/{}/state", run.thread)).await.expect(200)["values"]["log"].clone()
}

/// F4: the database stops in the middle of runs. The server lives, says that it is not ready and when to come
/// back; what was accepted goes on by itself.
#[tokio::test]
async fn a_database_that_goes_away_is_waited_for() {
    if programs().is_none() {
        return pg_server::skip("there is no PostgreSQL 15");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut database = Server::start(folder.path());
    let place = Place::at(database.url());
    let server = place.serve();
    let client = server.client();
    let mut runs = Vec::new();
    for _ in 0..3 {
        runs.push(start(&client, steps(15, 100)).await);
    }
    tokio::time::sleep(Duration::from_millis(400)).await;
    database.stop();
    assert_eq!(client.get("/ok").await.status, 200, "it lives");
    let ready = client.get("/ready").await;
    assert_eq!(ready.status, 503, "{}", ready.text);
    assert!(ready.header("retry-after").is_some());
    let refused = client.post("/threads", json!({})).await;
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.header("retry-after").is_some());
    database.resume();
    let back = Instant::now();
    for run in &runs {
        run.is_done(&client, 15, SOON).await;
    }
    println!("all were done {:?} after the database was back", back.elapsed());
    assert_eq!(client.get("/ready").await.status, 200);
}

/// F6: every answer of the database is late. Nothing stands still, and nothing piles up.
#[tokio::test]
async fn a_slow_database_only_makes_runs_slow() {
    let Some(place) = Place::postgres() else { return };
    let proxy = Proxy::start(place.url()).await;
    let slow = Place::at(proxy.url.clone());
    // Not on this thread, which the proxy needs.
    let server = tokio::task::spawn_blocking(move || slow.serve()).await.unwrap();
    let client = server.client();
    proxy.seen.delay_ms.store(100, Ordering::SeqCst);
    let before = server.memory_mb();
    let mut posts = JoinSet::new();
    for _ in 0..40 {
        let client = client.clone();
        posts.spawn(async move { start(&client, steps(3, 10)).await });
    }
    for run in posts.join_all().await {
        run.is_done(&client, 3, SOON).await;
    }
    assert!(proxy.seen.round_trips.load(Ordering::SeqCst) > 40, "nothing went through the proxy");
    assert!(server.memory_mb() < before + 50, "{} MB, {before} MB before", server.memory_mb());
}

/// F13: new input while a run is under way, in all four ways.
#[tokio::test]
async fn double_texting_does_what_was_asked_for() {
    let server = Place::sqlite().serve();
    let client = server.client();
    for round in 0..5 {
        for way in ["reject", "enqueue", "interrupt", "rollback"] {
            let path = format!("/threads/{}/runs", new_thread());
            let first = Accepted::of(&client.post(&path, steps(4, 60)).await.expect(200));
            tokio::time::sleep(Duration::from_millis(20 + 15 * round)).await;
            let mut body = steps(2, 5);
            body["multitask_strategy"] = json!(way);
            let answer = client.post(&path, body).await;
            if way == "reject" {
                assert_eq!(answer.status, 409, "{}", answer.text);
                first.is_done(&client, 4, SOON).await;
                continue;
            }
            let second = Accepted::of(&answer.expect(200));
            assert_eq!(second.end(&client, SOON).await, "success", "{way}");
            match way {
                "enqueue" => assert_eq!(first.status(&client).await.as_deref(), Some("success")),
                "interrupt" => assert_eq!(first.status(&client).await.as_deref(), Some("interrupted")),
                _ => assert_eq!(first.status(&client).await, None, "it is undone"),
            }
            let log = log_of(&client, &second).await;
            let log: Vec<i64> = serde_json::from_value(log).unwrap();
            assert!(log.ends_with(&[0, 1]) || way == "enqueue", "{way}: the new input is lost: {log:?}");
        }
    }
}

/// F19 and F20: many who do not read cost little, keep nobody waiting, and find everything when they do read.
#[tokio::test]
async fn readers_that_do_not_read_hold_up_nobody() {
    const READERS: usize = 60;
    const STEPS: usize = 40;
    let server = Place::sqlite().serve();
    let client = server.client();
    let run = start(&client, steps(STEPS, 5)).await;
    let before = server.memory_mb();
    let path = format!("{}/stream", run.path());
    let mut idle = Vec::new();
    for _ in 0..READERS {
        idle.push(client.events(&path, Some("-1")).await.unwrap());
    }
    let others: JoinSet<Accepted> = (0..60)
        .map(|_| {
            let client = client.clone();
            async move { start(&client, steps(3, 5)).await }
        })
        .collect();
    for other in others.join_all().await {
        other.is_done(&client, 3, SOON).await;
    }
    run.is_done(&client, STEPS, SOON).await;
    assert!(server.memory_mb() < before + 50, "{} MB, {before} MB before", server.memory_mb());
    let wanted: Vec<Value> = (0..STEPS).map(|i| json!({ "step": { "log": [i] } })).collect();
    for mut events in idle {
        let mut updates = Vec::new();
        while let Some(frame) = events.next().await.unwrap() {
            if frame.event == "updates" {
                updates.push(frame.data);
            }
        }
        assert_eq!(updates, wanted);
    }
}

/// F21: runs that fail, among runs that do not.
#[tokio::test]
async fn bad_runs_leave_the_good_ones_alone() {
    let server = Place::sqlite().serve();
    let client = server.client();
    let mut runs = JoinSet::new();
    for i in 0..44 {
        let client = client.clone();
        runs.spawn(async move {
            let bad = i % 4 == 0;
            let body = match bad {
                true => json!({ "assistant_id": "fail", "input": { "x": 1 }, "if_not_exists": "create" }),
                false => steps(3, 5),
            };
            (bad, start(&client, body).await)
        });
    }
    let mut failed = 0;
    for (bad, run) in runs.join_all().await {
        if bad {
            assert_eq!(run.end(&client, SOON).await, "error");
            failed += 1;
        } else {
            run.is_done(&client, 3, SOON).await;
        }
    }
    assert_eq!(failed, 11);
}

/// F23: runs are cancelled at every moment of theirs. Each ends soon, and does nothing after that.
#[tokio::test]
async fn a_storm_of_cancels_ends_every_run() {
    let server = Place::sqlite().serve();
    let client = server.client();
    let mut storm = JoinSet::new();
    for i in 0..30_u64 {
        let client = client.clone();
        storm.spawn(async move {
            let run = start(&client, steps(8, 20)).await;
            tokio::time::sleep(Duration::from_millis(i * 7)).await;
            let asked = Instant::now();
            let answer = client.post(&format!("{}/cancel?wait=1", run.path()), json!({})).await;
            // One that has just ended has nothing to cancel.
            assert!([200, 202, 204, 404, 409].contains(&answer.status), "{} {}", answer.status, answer.text);
            let end = run.end(&client, Duration::from_secs(5)).await;
            (run, end, asked.elapsed())
        });
    }
    let ended = storm.join_all().await;
    let interrupted = ended.iter().filter(|(_, end, _)| end == "interrupted").count();
    assert!(interrupted >= 10, "only {interrupted} were cancelled in time");
    let mut logs = Vec::new();
    for (run, end, took) in &ended {
        assert!(["interrupted", "success"].contains(&end.as_str()), "{run:?} ended as {end}");
        println!("{end} after {took:?}");
        logs.push(client.get(&format!("/threads/{}/state", run.thread)).await.text);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    for ((run, ..), log) in ended.iter().zip(&logs) {
        assert_eq!(client.get(&format!("/threads/{}/state", run.thread)).await.text, *log, "{run:?} goes on");
    }
}
