//! What a client does that can go to any of several servers: when one does not take it, the next one does.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use crate::client::{Answer, Client, PATIENCE};
use crate::events::Events;
use crate::runs::{Accepted, new_thread, try_start};

const PAUSE: Duration = Duration::from_millis(20);

/// Starts a run, first of all at one of the servers.
pub(crate) async fn start_somewhere(servers: &[Client], first: usize, body: &Value) -> Accepted {
    let give_up = Instant::now() + PATIENCE;
    let mut i = first;
    loop {
        match try_start(&servers[i % servers.len()], body.clone()).await {
            Ok(run) => return run,
            Err(error) => assert!(Instant::now() < give_up, "no server takes a run: {error}"),
        }
        i += 1;
        tokio::time::sleep(PAUSE).await;
    }
}

/// The same; it is one run, however often it has to be asked for.
pub(crate) async fn start_once(servers: &[Client], first: usize, body: &Value) -> Accepted {
    let thread = new_thread();
    let (path, body) = (format!("/threads/{thread}/runs"), body.to_string());
    let headers = format!("application/json\r\nidempotency-key: {thread}");
    let give_up = Instant::now() + PATIENCE;
    let mut i = first;
    loop {
        match servers[i % servers.len()].raw("POST", &path, &headers, Some(&body)).await {
            Ok(answer) if answer.status == 200 => return Accepted::of(&answer.json()),
            other => assert!(Instant::now() < give_up, "no server takes a run: {other:?}"),
        }
        i += 1;
        tokio::time::sleep(PAUSE).await;
    }
}

/// Reads a run to its end, at the next server whenever the stream breaks off. Its updates, and how often it did.
pub(crate) async fn read_through(servers: Vec<Client>, run: Accepted) -> (Vec<Value>, usize) {
    let (mut updates, mut breaks, mut last) = (Vec::new(), 0, "-1".to_owned());
    let path = format!("{}/stream", run.path());
    loop {
        let opened: Result<Events> = servers[breaks % servers.len()].events(&path, Some(&last)).await;
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
        tokio::time::sleep(PAUSE).await;
    }
}

/// Asks for a run, or cancels it, wherever somebody answers.
pub(crate) async fn asked_somewhere(servers: &[Client], first: usize, method: &str, path: &str) -> Answer {
    let give_up = Instant::now() + PATIENCE;
    let mut i = first;
    loop {
        let body = (method == "POST").then(|| json!({}));
        match servers[i % servers.len()].try_send(method, path, body).await {
            Ok(answer) if answer.status < 500 => return answer,
            other => assert!(Instant::now() < give_up, "{method} {path}: {other:?}"),
        }
        i += 1;
        tokio::time::sleep(PAUSE).await;
    }
}
