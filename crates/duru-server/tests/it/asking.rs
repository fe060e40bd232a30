//! What replicas ask of their database: little, and no more because there are more runs or more who watch them.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::fixture::Place;
use crate::pg_cluster;
use crate::pg_proxy::Proxy;
use crate::runs::{Accepted, start, steps};

/// So many are begun at the same time.
const AT_ONCE: usize = 50;

/// Longer than between two renewals, a third of a lease.
const WINDOW: Duration = Duration::from_secs(12);

/// Runs that are under way at a server.
async fn under_way(client: &Client, count: usize, tick: u64) -> Vec<Accepted> {
    let mut runs = Vec::new();
    while runs.len() < count {
        let mut some = JoinSet::new();
        for _ in 0..AT_ONCE.min(count - runs.len()) {
            let client = client.clone();
            some.spawn(async move { start(&client, steps(100_000, tick)).await });
        }
        runs.extend(some.join_all().await);
    }
    runs.last().unwrap().begins(client).await;
    runs
}

/// How many rows of the queue, the threads and the leases were changed so far.
fn updates(place: &Place) -> u64 {
    let sql = "SELECT pg_stat_force_next_flush(); \
        SELECT coalesce(sum(n_tup_upd), 0) FROM pg_stat_user_tables WHERE relname IN ('runs', 'threads', 'worker_leases')";
    let psql = pg_cluster::programs().unwrap().join("psql");
    let said = Command::new(psql).args(["-At", "-d", place.url(), "-c", sql]).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    said.lines().last().unwrap().trim().parse().unwrap()
}

/// Updates in a second for so many runs that wait for something slow.
async fn updates_a_second(place: &Place, count: usize) -> f64 {
    let server = place.serve();
    let runs = under_way(&server.client(), count, 600_000).await;
    // What their beginnings changed is counted a moment later.
    tokio::time::sleep(Duration::from_secs(11)).await;
    let (before, began) = (updates(place), Instant::now());
    tokio::time::sleep(WINDOW).await;
    let rate = (updates(place) - before) as f64 / began.elapsed().as_secs_f64();
    println!("{count} runs under way: {rate:.2} updates a second");
    for run in [&runs[0], &runs[count - 1]] {
        assert_eq!(run.status(&server.client()).await.as_deref(), Some("running"), "it was lost");
    }
    rate
}

/// Questions in a second for so many streams of runs of another server, and events that they show.
async fn questions_a_second(place: &Place, count: usize, tick: u64) -> (f64, f64) {
    let a = place.serve();
    let proxy = Proxy::start(place.url()).await;
    let b = Place::at(proxy.url.clone()).serve();
    let runs = under_way(&a.client(), count, tick).await;
    let shown = Arc::new(AtomicUsize::new(0));
    let mut streams = JoinSet::new();
    for run in runs {
        let (client, shown) = (b.client(), Arc::clone(&shown));
        streams.spawn(async move {
            let mut events = client.events(&format!("{}/stream", run.path()), Some("-1")).await.unwrap();
            let mut next = 0;
            while let Ok(Some(frame)) = events.next().await {
                if frame.event == "custom" {
                    assert_eq!(frame.data, json!({ "tick": next }), "one is missing");
                    next += 1;
                    shown.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
    }
    while shown.load(Ordering::SeqCst) < 2 * count {
        assert!(streams.try_join_next().is_none(), "a stream has ended");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let counts = || (proxy.seen.round_trips.load(Ordering::SeqCst), shown.load(Ordering::SeqCst));
    let (before, began) = (counts(), Instant::now());
    tokio::time::sleep(WINDOW / 2).await;
    let (after, took) = (counts(), began.elapsed().as_secs_f64());
    assert!(streams.try_join_next().is_none(), "a stream has ended");
    let rates = ((after.0 - before.0) as f64 / took, (after.1 - before.1) as f64 / took);
    println!(
        "{count} streams watched elsewhere: {:.0} questions and {:.0} events a second",
        rates.0, rates.1
    );
    streams.abort_all();
    rates
}

#[tokio::test]
async fn runs_under_way_are_kept_by_one_lease() {
    let Some(place) = Place::postgres() else { return };
    let rate = updates_a_second(&place, 50).await;
    // It was one a second for each run, and one in five for its thread.
    assert!(rate < 5.0, "{rate} updates a second");
    assert!(rate > 0.0, "nothing is renewed, or nothing is counted");
}

// The proxy goes on while a server is waited for.
#[tokio::test(flavor = "multi_thread")]
async fn streams_of_other_servers_share_their_looks() {
    let Some(place) = Place::postgres() else { return };
    let (questions, events) = questions_a_second(&place, 50, 200).await;
    // It was 40 a second for each stream, and one more for each event.
    assert!(questions < 100.0, "{questions} questions a second");
    assert!(events > 10.0, "only {events} events a second were shown");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: `cargo xtask bench replicas` runs it"]
async fn at_full_size() {
    let Some(place) = Place::postgres() else { return };
    let rate = updates_a_second(&place, 10_000).await;
    assert!(rate < 100.0, "{rate} updates a second");
    let place = Place::postgres().unwrap();
    let (questions, _) = questions_a_second(&place, 1000, 2000).await;
    assert!(questions < 2000.0, "{questions} questions a second");
}
