//! Runs of the fixture server, and what must be true of each in the end.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::client::{Client, PATIENCE};

/// A run that a server has accepted.
#[derive(Debug, Clone)]
pub(crate) struct Accepted {
    pub(crate) thread: String,
    pub(crate) run: String,
}

impl Accepted {
    pub(crate) fn of(run: &Value) -> Self {
        let text = |name: &str| run[name].as_str().unwrap_or_else(|| panic!("no {name}: {run}")).to_owned();
        Self { thread: text("thread_id"), run: text("run_id") }
    }

    pub(crate) fn path(&self) -> String {
        format!("/threads/{}/runs/{}", self.thread, self.run)
    }

    /// Its status; none if the server does not know it.
    pub(crate) async fn status(&self, client: &Client) -> Option<String> {
        let answer = client.get(&self.path()).await;
        (answer.status == 200).then(|| answer.json()["status"].as_str().unwrap().to_owned())
    }

    /// Waits until it runs.
    pub(crate) async fn begins(&self, client: &Client) {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match self.status(client).await.as_deref() {
                Some("running") => return,
                Some("pending") => assert!(Instant::now() < give_up, "{self:?} waits after {PATIENCE:?}"),
                other => panic!("{self:?} is {other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until it is over; how it ended.
    pub(crate) async fn end(&self, client: &Client) -> String {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let status = self.status(client).await.unwrap_or_else(|| panic!("{self:?} is lost"));
            if !["pending", "running"].contains(&status.as_str()) {
                return status;
            }
            assert!(Instant::now() < give_up, "{self:?} is {status} after {PATIENCE:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until it is over, which must be well, with all its steps done once.
    pub(crate) async fn is_done(&self, client: &Client, steps: usize) {
        assert_eq!(self.end(client).await, "success", "{self:?}");
        let state = client.get(&format!("/threads/{}/state", self.thread)).await.expect(200);
        assert_eq!(state["values"]["log"], json!((0..steps).collect::<Vec<_>>()), "{self:?}");
    }
}

/// The body of a request for so many steps of so many milliseconds.
pub(crate) fn steps(n: usize, tick: u64) -> Value {
    json!({
        "assistant_id": "steps", "input": { "n": n, "tick": tick }, "if_not_exists": "create",
        "stream_mode": ["custom", "updates"], "stream_resumable": true,
    })
}

pub(crate) fn new_thread() -> String {
    uuid::Uuid::from_u128(fastrand::u128(..)).to_string()
}

/// Starts a run on a thread of its own. An error if it was not accepted.
pub(crate) async fn try_start(client: &Client, body: Value) -> Result<Accepted> {
    let path = format!("/threads/{}/runs", new_thread());
    let answer = client.try_send("POST", &path, Some(body)).await?;
    if answer.status != 200 {
        bail!("{}: {}", answer.status, answer.text);
    }
    Ok(Accepted::of(&answer.json()))
}

pub(crate) async fn start(client: &Client, body: Value) -> Accepted {
    try_start(client, body).await.unwrap()
}
