//! Servers are replaced one by one by those of a next version, whose migration only adds, and then by old ones again.
//! Whoever works with them notices nothing, and an old one that dies in between starts again.
//!
//! `DURU_UPGRADES` says how often there and back, for longer than a test may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::anywhere::{asked_somewhere, read_through, start_once, start_somewhere};
use crate::client::{Client, PATIENCE};
use crate::fixture::{Fixture, Place};
use crate::runs::{Accepted, steps};

/// How long a server may take to stop: its grace, and some time for a busy machine.
const GRACE: Duration = Duration::from_secs(50);
/// Knows the schema as it is, and writes down what it warns of.
const OLD: [&str; 2] = ["--log", "warn"];
/// Knows one migration more.
const NEW: [&str; 3] = ["--log", "warn", "--next-schema"];
/// So many runs are over before the next server goes.
const BETWEEN: usize = 8;

/// What clients do all the time, and what they saw.
#[derive(Default)]
struct Load {
    is_over: AtomicBool,
    done: AtomicUsize,
}

/// What became of the runs of one client is looked at once everything is over.
#[derive(Default)]
struct Begun {
    done: Vec<Accepted>,
    cancelled: Vec<Accepted>,
    read: usize,
}

async fn client(load: Arc<Load>, servers: Vec<Client>, number: usize) -> Begun {
    let mut begun = Begun::default();
    let mut turn = number;
    while !load.is_over.load(Ordering::SeqCst) {
        match number % 3 {
            0 => begun.done.push(start_somewhere(&servers, turn, &steps(4, 40)).await),
            1 => begun.cancelled.push(cancel_one(&servers, turn).await),
            _ => {
                let run = start_somewhere(&servers, turn, &steps(5, 40)).await;
                let mut at = servers.clone();
                at.rotate_left(turn % servers.len());
                let (updates, _) = read_through(at, run.clone()).await;
                let once: Vec<Value> = (0..5).map(|i| json!({ "step": { "log": [i] } })).collect();
                assert_eq!(updates, once, "{run:?}: each step is seen once");
                begun.read += 1;
                begun.done.push(run);
            }
        }
        turn += 1;
        load.done.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    begun
}

/// Longer than the test, if nobody stopped it: at another server than the one that has it.
async fn cancel_one(servers: &[Client], turn: usize) -> Accepted {
    let run = start_once(servers, turn, &steps(6000, 100)).await;
    let give_up = Instant::now() + PATIENCE;
    loop {
        let told = asked_somewhere(servers, turn + 1, "GET", &run.path()).await.expect(200);
        match told["status"].as_str() {
            Some("running") => break,
            Some("pending") => assert!(Instant::now() < give_up, "{run:?} waits after {PATIENCE:?}"),
            other => panic!("{run:?} is {other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    asked_somewhere(servers, turn + 1, "POST", &format!("{}/cancel?wait=0", run.path())).await;
    run
}

impl Load {
    /// Waits until so many more runs are over.
    async fn goes_on(&self) {
        let (until, give_up) = (self.done.load(Ordering::SeqCst) + BETWEEN, Instant::now() + PATIENCE);
        while self.done.load(Ordering::SeqCst) < until {
            assert!(Instant::now() < give_up, "the clients are stuck");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// As whoever deploys another version does it.
async fn replace(place: &Place, server: &mut Fixture, by: &[&str]) {
    server.terminate();
    let status = server.ended(GRACE).await.expect("it stops in time");
    assert_eq!(status.code(), Some(0), "{}", server.log());
    *server = start(place, server.port, by);
}

fn start(place: &Place, port: u16, which: &[&str]) -> Fixture {
    // The clients go on meanwhile.
    tokio::task::block_in_place(|| place.serve_at_with(port, which))
}

/// How many runs it has settled in this life.
async fn settled(server: &Fixture) -> u64 {
    let text = server.client().get("/metrics").await.text;
    let lines = text.lines().filter(|line| line.starts_with("duru_runs_total{"));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

async fn works(server: &Fixture) {
    let give_up = Instant::now() + PATIENCE;
    while settled(server).await == 0 {
        assert!(Instant::now() < give_up, "the server on port {} settles nothing", server.port);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn warned_of_a_newer_schema(server: &Fixture) -> usize {
    server.log().matches("bring this program up to date").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn servers_are_upgraded_one_by_one_and_rolled_back_and_nobody_notices() {
    let Some(place) = Place::postgres() else { return };
    let mut servers = [place.serve_with(&OLD), place.serve_with(&OLD), place.serve_with(&OLD)];
    let clients: Vec<Client> = servers.iter().map(Fixture::client).collect();
    let load = Arc::new(Load::default());
    let mut working = JoinSet::new();
    for number in 0..6 {
        working.spawn(client(Arc::clone(&load), clients.clone(), number));
    }
    let began = Instant::now();
    load.goes_on().await;
    let rounds = std::env::var("DURU_UPGRADES").map_or(1, |rounds| rounds.parse().unwrap());
    for round in 0..rounds {
        // The first new one migrates, under the eyes of the others.
        replace(&place, &mut servers[0], &NEW).await;
        let told = place.asked("SELECT max(version) - max(oldest) FROM duru.migrations");
        assert_eq!(told, "1", "the schema is the next one, and says that ours will do");
        works(&servers[0]).await;
        // An old one dies of something else, and has to come back.
        servers[1].kill();
        servers[1] = start(&place, servers[1].port, &OLD);
        assert_eq!(warned_of_a_newer_schema(&servers[1]), 1, "{}", servers[1].log());
        works(&servers[1]).await;
        load.goes_on().await;
        for server in &mut servers[1..] {
            replace(&place, server, &NEW).await;
            assert_eq!(warned_of_a_newer_schema(server), 0, "{}", server.log());
            load.goes_on().await;
        }
        // The new version is no good.
        for server in &mut servers {
            replace(&place, server, &OLD).await;
            load.goes_on().await;
        }
        println!("round {}: {:?}, {} runs", round + 1, began.elapsed(), load.done.load(Ordering::SeqCst));
    }
    load.is_over.store(true, Ordering::SeqCst);
    let begun = working.join_all().await;
    nothing_is_lost(&place, &servers, begun).await;
    println!("all of it took {:?}", began.elapsed());
}

async fn nothing_is_lost(place: &Place, servers: &[Fixture], begun: Vec<Begun>) {
    let client = servers[0].client();
    let (mut done, mut cancelled, mut read) = (0, 0, 0);
    for of_client in begun {
        for run in &of_client.done {
            assert_eq!(run.end(&client).await, "success", "{run:?}");
            let state = client.get(&format!("/threads/{}/state", run.thread)).await.expect(200);
            let log = state["values"]["log"].as_array().unwrap();
            assert!(log.iter().map(|i| i.as_u64().unwrap()).eq(0..log.len() as u64), "{run:?}: {log:?}");
            assert_eq!(state["values"]["n"].as_u64(), Some(log.len() as u64), "{run:?}");
        }
        for run in &of_client.cancelled {
            assert_eq!(run.end(&client).await, "interrupted", "{run:?}");
        }
        done += of_client.done.len();
        cancelled += of_client.cancelled.len();
        read += of_client.read;
    }
    println!("{done} runs were done, {cancelled} cancelled, {read} read along");
    assert!(done > 0 && cancelled > 0 && read > 0);
    // Those, too, of which no client heard that they were accepted.
    let give_up = Instant::now() + PATIENCE;
    while place.asked("SELECT count(*) FROM duru.runs WHERE status IN ('pending', 'running')") != "0" {
        assert!(Instant::now() < give_up, "some runs are stuck");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The next version's schema counts how often each run came to an end, whoever's server ended it.
    let twice = place.asked("SELECT count(*) - count(DISTINCT run) FROM duru.next_endings");
    assert_eq!(twice, "0", "a run ended twice");
    assert_ne!(place.asked("SELECT count(*) FROM duru.next_endings"), "0");
}
