//! A conversation in the server that has the person's data open, over its public API.

use std::net::SocketAddr;

use anyhow::{Context as _, anyhow};
use duru::{State, ThreadId};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;

use crate::problem::Problem;

/// A thread of that server's.
pub(crate) struct There {
    address: SocketAddr,
    agent: &'static str,
    thread: ThreadId,
    /// How the server names it: its threads are UUIDs.
    id: String,
}

/// How a run in the server ended.
pub(super) enum End<S> {
    Done(S),
    /// What it asks.
    Paused(Value),
}

impl There {
    pub(super) async fn open(
        address: SocketAddr,
        agent: &'static str,
        thread: ThreadId,
    ) -> Result<Self, Problem> {
        let id = match uuid::Uuid::parse_str(thread.as_str()) {
            Ok(id) => id,
            Err(_) => uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_URL, thread.as_str().as_bytes()),
        };
        let there = Self { address, agent, thread, id: id.to_string() };
        let made = json!({ "thread_id": there.id, "if_exists": "do_nothing", "metadata": { "name": there.thread.as_str() } });
        there.send(Method::POST, "/threads", made).await?;
        Ok(there)
    }

    pub(super) fn thread(&self) -> &ThreadId {
        &self.thread
    }

    /// Asks, and waits for the end. Ctrl-C stops the run there, too.
    pub(super) async fn ask<S: State>(&self, input: Value) -> Result<End<S>, Problem> {
        self.run(json!({ "assistant_id": self.agent, "input": input, "multitask_strategy": "interrupt" }))
            .await
    }

    pub(super) async fn answer<S: State>(&self, answer: Value) -> Result<End<S>, Problem> {
        self.run(json!({ "assistant_id": self.agent, "command": { "resume": answer } })).await
    }

    async fn run<S: State>(&self, request: Value) -> Result<End<S>, Problem> {
        let path = format!("/threads/{}/runs/wait", self.id);
        let response = self.call(Method::POST, &path, request).await?;
        let run =
            response.headers().get("content-location").and_then(|path| path.to_str().ok()).map(str::to_owned);
        let values = tokio::select! {
            values = body(response) => values?,
            _ = tokio::signal::ctrl_c() => {
                if let Some(run) = run {
                    self.send(Method::POST, &format!("{run}/cancel?wait=0"), json!({})).await?;
                }
                return Err(Problem::Cancelled { thread: self.thread.clone() });
            }
        };
        end(values)
    }

    async fn send(&self, method: Method, path: &str, request: Value) -> Result<Value, Problem> {
        body(self.call(method, path, request).await?).await
    }

    async fn call(&self, method: Method, path: &str, request: Value) -> Result<Response<Incoming>, Problem> {
        let unreachable = |error: anyhow::Error| {
            Problem::Unexpected(
                error.context(format!("the server at http://{} does not answer", self.address)),
            )
        };
        let stream = TcpStream::connect(self.address).await.map_err(|error| unreachable(error.into()))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| unreachable(error.into()))?;
        // It ends with the answer that it carries.
        tokio::spawn(connection);
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.address.to_string())
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(request.to_string())))
            .context("the request can't be made")
            .map_err(Problem::Unexpected)?;
        sender.send_request(request).await.map_err(|error| unreachable(error.into()))
    }
}

async fn body(response: Response<Incoming>) -> Result<Value, Problem> {
    let status = response.status();
    let bytes =
        response.into_body().collect().await.context("the server went away").map_err(Problem::Unexpected)?;
    let bytes = bytes.to_bytes();
    let value: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Problem::Usage(
            "the running server wants a key: stop it, or ask it over HTTP with `x-api-key`".to_owned(),
        )),
        _ if status.is_success() => Ok(value),
        _ => Err(Problem::Unexpected(anyhow!("the server says {status}: {}", value["detail"]))),
    }
}

fn end<S: State>(values: Value) -> Result<End<S>, Problem> {
    let Value::Object(mut values) = values else {
        return Err(Problem::Unexpected(anyhow!("the server's answer is not a state")));
    };
    if let Some(error) = values.remove("__error__") {
        let message = error["message"].as_str().unwrap_or_default().to_owned();
        return Err(Problem::NoAnswer { message, refused: false, unavailable: false });
    }
    if let Some(asked) = values.remove("__interrupt__") {
        return Ok(End::Paused(asked[0]["value"].clone()));
    }
    decode(values).map(End::Done)
}

fn decode<S: State>(values: Map<String, Value>) -> Result<S, Problem> {
    S::decode(values).context("the server is of another version").map_err(Problem::Unexpected)
}
