//! Faults of the matrix in docs/faults.md that only a whole server shows, in small numbers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::counts::{tell, times};
use crate::fixture::Place;
use crate::pg_cluster::{Server, programs};
use crate::pg_proxy::Proxy;
use crate::pg_server;
use crate::runs::{Accepted, new_thread, start, steps};

async fn values_of(client: &Client, run: &Accepted) -> Value {
    client.get(&format!("/threads/{}/state", run.thread)).await.expect(200)["values"].clone()
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
        run.is_done(&client, 15).await;
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
        run.is_done(&client, 3).await;
    }
    assert!(proxy.seen.round_trips.load(Ordering::SeqCst) > 40, "nothing went through the proxy");
    assert!(server.memory_mb() < before + 50, "{} MB, {before} MB before", server.memory_mb());
}

/// F13: new input while a run is under way, in all four ways.
#[tokio::test]
async fn double_texting_does_what_was_asked_for() {
    let server = Place::sqlite().serve();
    let rounds = times(5, 500);
    // A few at a time, so that the second one comes while the first is under way.
    let places = Arc::new(Semaphore::new(8));
    let mut texting = JoinSet::new();
    for round in 0..rounds {
        for way in ["reject", "enqueue", "interrupt", "rollback"] {
            let (client, places) = (server.client(), Arc::clone(&places));
            texting.spawn(async move {
                let _place = places.acquire_owned().await.unwrap();
                text_twice(&client, way, Duration::from_millis(20 + 15 * (round as u64 % 5))).await;
            });
        }
    }
    while let Some(done) = texting.join_next().await {
        done.unwrap();
    }
    tell("F13", format_args!("4 ways, {rounds} times each: as documented, no input lost"));
}

async fn text_twice(client: &Client, way: &str, moment: Duration) {
    let path = format!("/threads/{}/runs", new_thread());
    let first = Accepted::of(&client.post(&path, steps(6, 100)).await.expect(200));
    tokio::time::sleep(moment).await;
    let mut body = steps(2, 5);
    body["multitask_strategy"] = json!(way);
    let answer = client.post(&path, body).await;
    if way == "reject" {
        assert_eq!(answer.status, 409, "{}", answer.text);
        return first.is_done(client, 6).await;
    }
    let second = Accepted::of(&answer.expect(200));
    assert_eq!(second.end(client).await, "success", "{way}");
    match way {
        "enqueue" => assert_eq!(first.status(client).await.as_deref(), Some("success")),
        "interrupt" => assert_eq!(first.status(client).await.as_deref(), Some("interrupted")),
        _ => assert_eq!(first.status(client).await, None, "it is undone"),
    }
    let values = values_of(client, &second).await;
    assert_eq!(values["n"], 2, "{way}: the new input is lost: {values}");
    let log: Vec<usize> = serde_json::from_value(values["log"].clone()).unwrap();
    assert_eq!(log, (0..log.len()).collect::<Vec<_>>(), "{way}: a step is lost or doubled");
    // The second goes on from what the first had done, unless that is undone.
    let done = match way {
        "enqueue" => 7..=7,
        "interrupt" => 2..=6,
        _ => 2..=2,
    };
    assert!(done.contains(&log.len()), "{way}: {log:?}");
}

/// F18: readers go in the middle of a stream, after any number of frames and within them. Whoever comes back gets
/// exactly the rest, of a run that is under way and of one that is over.
#[tokio::test]
async fn a_stream_that_is_cut_anywhere_is_read_on_without_a_gap() {
    const STEPS: usize = 30;
    let server = Place::sqlite().serve();
    let client = server.client();
    let most = times(60, 10_000);
    let mut cuts = 0;
    while cuts < most {
        let run = start(&client, steps(STEPS, 2)).await;
        let path = format!("{}/stream", run.path());
        let (mut seen, mut last): (Vec<String>, Option<String>) = (Vec::new(), Some("-1".to_owned()));
        // The first time while it runs, then what is stored, from every place.
        'reading: loop {
            let mut events = client.events(&path, last.as_deref()).await.unwrap();
            for _ in 0..fastrand::usize(0..4) {
                let Some(frame) = events.next().await.unwrap() else { break 'reading };
                if !frame.id.is_empty() {
                    last = Some(frame.id.clone());
                }
                seen.push(format!("{} {} {}", frame.id, frame.event, frame.data));
            }
            if fastrand::bool() {
                // In the middle of whatever comes next.
                drop(tokio::time::timeout(Duration::from_millis(fastrand::u64(0..3)), events.next()).await);
            }
            drop(events);
            cuts += 1;
        }
        let mut whole = client.events(&path, Some("-1")).await.unwrap();
        let mut wanted = Vec::new();
        while let Some(frame) = whole.next().await.unwrap() {
            wanted.push(format!("{} {} {}", frame.id, frame.event, frame.data));
        }
        // What has no id is no part of the log.
        seen.retain(|frame| !frame.starts_with(' '));
        wanted.retain(|frame| !frame.starts_with(' '));
        assert!(wanted.len() >= STEPS, "{}", wanted.len());
        assert_eq!(seen, wanted);
    }
    tell("F18", format_args!("{cuts} streams cut: every event read once"));
}

/// F19 and F20: many who do not read cost little, keep nobody waiting, and find everything when they do read.
#[tokio::test]
async fn readers_that_do_not_read_hold_up_nobody() {
    let readers = times(60, 200);
    const STEPS: usize = 40;
    let server = Place::sqlite().serve();
    let client = server.client();
    let run = start(&client, steps(STEPS, 5)).await;
    let before = server.memory_mb();
    let path = format!("{}/stream", run.path());
    let mut idle = Vec::new();
    for _ in 0..readers {
        idle.push(client.events(&path, Some("-1")).await.unwrap());
    }
    let others: JoinSet<Accepted> = (0..60)
        .map(|_| {
            let client = client.clone();
            async move { start(&client, steps(3, 5)).await }
        })
        .collect();
    for other in others.join_all().await {
        other.is_done(&client, 3).await;
    }
    run.is_done(&client, STEPS).await;
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
    let grown = server.memory_mb().saturating_sub(before);
    tell("F19", format_args!("{readers} readers that did not read while 60 runs were done: +{grown} MB"));
}

/// F21: runs that fail, among runs that do not.
#[tokio::test]
async fn bad_runs_leave_the_good_ones_alone() {
    let server = Place::sqlite().serve();
    let client = server.client();
    let mut runs = JoinSet::new();
    let (bad, good) = (times(11, 100), times(33, 1000));
    for i in 0..bad + good {
        let client = client.clone();
        runs.spawn(async move {
            let bad = i % (good / bad + 1) == 0 && i / (good / bad + 1) < bad;
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
            assert_eq!(run.end(&client).await, "error");
            failed += 1;
        } else {
            run.is_done(&client, 3).await;
        }
    }
    assert_eq!(failed, bad);
    tell("F21", format_args!("{bad} runs that fail among {good} that do not: all of these were done"));
}

/// F23: runs are cancelled at every moment of theirs. Each ends soon, and does nothing after that.
#[tokio::test]
async fn a_storm_of_cancels_ends_every_run() {
    let server = Place::sqlite().serve();
    let client = server.client();
    let mut storm = JoinSet::new();
    let cancels = times(30, 5000);
    let places = Arc::new(Semaphore::new(30));
    for i in 0..cancels as u64 {
        let (client, places) = (client.clone(), Arc::clone(&places));
        storm.spawn(async move {
            let _place = places.acquire_owned().await.unwrap();
            let run = start(&client, steps(8, 20)).await;
            tokio::time::sleep(Duration::from_millis(i % 30 * 7)).await;
            let asked = Instant::now();
            let answer = client.post(&format!("{}/cancel?wait=1", run.path()), json!({})).await;
            // One that has just ended has nothing to cancel.
            assert!([200, 202, 204, 404, 409].contains(&answer.status), "{} {}", answer.status, answer.text);
            let end = run.end(&client).await;
            (run, end, asked.elapsed())
        });
    }
    let ended = storm.join_all().await;
    let interrupted = ended.iter().filter(|(_, end, _)| end == "interrupted").count();
    assert!(interrupted >= cancels / 3, "only {interrupted} were cancelled in time");
    let (mut logs, mut slowest) = (Vec::new(), Duration::ZERO);
    for (run, end, took) in &ended {
        assert!(["interrupted", "success"].contains(&end.as_str()), "{run:?} ended as {end}");
        slowest = slowest.max(*took);
        logs.push(client.get(&format!("/threads/{}/state", run.thread)).await.text);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    for ((run, ..), log) in ended.iter().zip(&logs) {
        assert_eq!(client.get(&format!("/threads/{}/state", run.thread)).await.text, *log, "{run:?} goes on");
    }
    tell(
        "F23",
        format_args!("{cancels} cancels, {interrupted} in time, the slowest ended after {slowest:?}"),
    );
}
