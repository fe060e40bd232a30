//! A conversation in the server that has the person's data open, over its public API.

use std::net::SocketAddr;
use std::sync::Mutex;

use anyhow::{Context as _, anyhow};
use bytes::Bytes;
use duru::{State, ThreadId};
use duru_http::{Body, Client, Network, Reach};
use http::{Method, Request, Response, StatusCode, Uri};
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};

use super::conversation::Asked;
use super::frames::Frames;
use super::seen::Seen;
use crate::problem::{Problem, Unanswered};
use crate::settings;

/// A thread of that server's.
pub(crate) struct There {
    address: SocketAddr,
    client: Client,
    agent: &'static str,
    thread: ThreadId,
    /// How the server names it.
    id: String,
    /// Where the run is that goes on.
    run: Mutex<Option<String>>,
}

/// Whoever is told what happens.
pub(super) trait Tell: Fn(&Seen) -> Result<(), Problem> {}

impl<T: Fn(&Seen) -> Result<(), Problem>> Tell for T {}

/// How a run in the server ended, or where a thread stands.
pub(super) enum End<S> {
    Done(S),
    /// What it asks.
    Paused(Asked),
    /// It was stopped before its end.
    Unfinished,
}

impl There {
    pub(super) async fn open(
        address: SocketAddr,
        agent: &'static str,
        thread: ThreadId,
    ) -> Result<Self, Problem> {
        let base = Uri::builder().scheme("http").authority(address.to_string()).path_and_query("/").build();
        let base = base.context("the server's address is none").map_err(Problem::Unexpected)?;
        // It is a server of this machine: no proxy knows it.
        let client = Client::through(&Network::direct(), &base, Reach::Anywhere, None)
            .map_err(|error| Problem::Unexpected(error.into()))?;
        let there = Self { address, client, agent, id: id(&thread), thread, run: Mutex::default() };
        let made = json!({ "thread_id": there.id, "if_exists": "do_nothing", "metadata": { "name": there.thread.as_str() } });
        there.send(Method::POST, "/threads", made).await?;
        Ok(there)
    }

    /// A new thread of the same agent's.
    pub(super) async fn another(&self) -> Result<Self, Problem> {
        Self::open(self.address, self.agent, ThreadId::random()).await
    }

    pub(super) fn thread(&self) -> &ThreadId {
        &self.thread
    }

    /// Asks, and tells what happens until the end.
    pub(super) async fn ask<S: State>(&self, input: Value, tell: impl Tell) -> Result<End<S>, Problem> {
        self.run(json!({ "input": input, "multitask_strategy": "interrupt" }), tell).await
    }

    pub(super) async fn answer<S: State>(&self, answer: Value, tell: impl Tell) -> Result<End<S>, Problem> {
        self.run(json!({ "command": { "resume": answer } }), tell).await
    }

    pub(super) async fn go_on<S: State>(&self, tell: impl Tell) -> Result<End<S>, Problem> {
        match self.run(json!({ "input": null }), tell).await? {
            End::Unfinished => Err(Problem::Unexpected(anyhow!("the thread {} does not go on", self.thread))),
            end => Ok(end),
        }
    }

    /// Where the thread stands.
    pub(super) async fn stands<S: State>(&self) -> Result<End<S>, Problem> {
        self.end(None).await
    }

    pub(super) async fn cancel(&self) -> Result<(), Problem> {
        let run = self.run.lock().ok().and_then(|run| run.clone());
        if let Some(run) = run {
            self.send(Method::POST, &format!("{run}/cancel?wait=0"), json!({})).await?;
        }
        Ok(())
    }

    /// Runs and tells. Ctrl-C stops the run there, too.
    async fn run<S: State>(&self, mut request: Value, tell: impl Tell) -> Result<End<S>, Problem> {
        request["assistant_id"] = self.agent.into();
        request["stream_mode"] = json!(["tasks", "custom", "messages-tuple"]);
        request["stream_subgraphs"] = true.into();
        let path = format!("/threads/{}/runs/stream", self.id);
        let response = self.call(Method::POST, &path, request).await?;
        if !response.status().is_success() {
            return body(response).await.and_then(|_| self.lost());
        }
        let run = response.headers().get("content-location").and_then(|path| path.to_str().ok());
        if let (Ok(mut kept), Some(run)) = (self.run.lock(), run) {
            *kept = Some(run.to_owned());
        }
        let mut frames = Frames::of(response);
        let mut deadline_ms = None;
        // One that listens all the while: what is pressed as a line is printed counts, too.
        let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
        loop {
            let frame = tokio::select! {
                frame = frames.next() => frame?,
                _ = &mut interrupt => {
                    // A server that does not answer keeps nobody who asks a second time.
                    tokio::select! {
                        cancelled = self.cancel() => cancelled?,
                        _ = tokio::signal::ctrl_c() => {}
                    }
                    return Err(Problem::Cancelled { thread: self.thread.clone() });
                }
            };
            let Some((event, data)) = frame else { break };
            if event == "error" {
                let message = data["message"].as_str().unwrap_or_default().to_owned();
                return Err(Problem::NoAnswer { message, why: Unanswered::Failed });
            }
            if let Some(until) = data["deadline"].as_str().and_then(|at| at.parse::<jiff::Timestamp>().ok()) {
                deadline_ms = u64::try_from(until.as_millisecond()).ok();
            }
            if let Some(seen) = Seen::of_frame(&event, &data) {
                tell(&seen)?;
            }
        }
        self.end(deadline_ms).await
    }

    fn lost<T>(&self) -> Result<T, Problem> {
        Err(Problem::Unexpected(anyhow!("the server has no run of thread {}", self.thread)))
    }

    async fn end<S: State>(&self, deadline_ms: Option<u64>) -> Result<End<S>, Problem> {
        let path = format!("/threads/{}/state", self.id);
        let mut state = self.send(Method::GET, &path, Value::Null).await?;
        let open = |task: &Value| task["interrupts"].get(0).map(|asked| asked["value"].clone());
        if let Some(value) = state["tasks"].as_array().and_then(|tasks| tasks.iter().find_map(open)) {
            return Ok(End::Paused(Asked { value, deadline_ms }));
        }
        if state["next"].as_array().is_some_and(|next| !next.is_empty()) {
            return Ok(End::Unfinished);
        }
        match state["values"].take() {
            Value::Object(values) => decode(values).map(End::Done),
            _ => Err(Problem::Unexpected(anyhow!("the server's answer is not a state"))),
        }
    }

    async fn send(&self, method: Method, path: &str, request: Value) -> Result<Value, Problem> {
        body(self.call(method, path, request).await?).await
    }

    async fn call(&self, method: Method, path: &str, request: Value) -> Result<Response<Body>, Problem> {
        let content = request.to_string();
        let request = Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address))
            .header("content-type", "application/json");
        let request = match settings::get("DURU_KEY").filter(|key| !key.is_empty()) {
            Some(key) => request.header("x-api-key", key),
            None => request,
        };
        let request = request
            .body(Bytes::from(content))
            .context("the request can't be made")
            .map_err(Problem::Unexpected)?;
        let answer = self.client.send(request).await;
        answer
            .with_context(|| format!("the server at http://{} does not answer", self.address))
            .map_err(Problem::Unexpected)
    }
}

async fn body(response: Response<Body>) -> Result<Value, Problem> {
    let status = response.status();
    let bytes =
        response.into_body().collect().await.context("the server went away").map_err(Problem::Unexpected)?;
    let bytes = bytes.to_bytes();
    let value: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Problem::ServerKey),
        _ if status.is_success() => Ok(value),
        _ => Err(Problem::Unexpected(anyhow!("the server says {status}: {}", value["detail"]))),
    }
}

/// How the server names a thread: its threads are UUIDs.
pub(crate) fn id(thread: &ThreadId) -> String {
    let id = uuid::Uuid::parse_str(thread.as_str());
    id.unwrap_or_else(|_| uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_URL, thread.as_str().as_bytes()))
        .to_string()
}

fn decode<S: State>(values: Map<String, Value>) -> Result<S, Problem> {
    S::decode(values).context("the server is of another version").map_err(Problem::Unexpected)
}
