//! A task as it goes.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use duru::Mode;
use futures_util::stream as futures;
use serde_json::Value;

use super::Agent;
use super::calls::{Call, no_task};
use super::message::Part;
use super::spoken::Update;
use super::task::{State, Task};
use crate::rpc::{Fault, INTERNAL};
use crate::stream::as_stream;
use crate::stream::sse::{Frame, heartbeat};
use crate::talk::token;
use crate::{Following, Next, Started};

/// Streams what becomes of a task. It goes on whether somebody listens or not: whoever was cut off gets it, or
/// subscribes to it again.
pub(super) async fn stream(
    agent: &Agent,
    call: Call,
    task: Task,
    started: &Started,
) -> Result<Response, Fault> {
    let following = agent.runs.follow(started, [Mode::Messages, Mode::Runs]).await?;
    let (agent, task) = (agent.clone(), task.begun());
    let telling = Telling { agent, call, task, following, begun: false, told: String::new(), over: false };
    let bytes = futures::unfold(telling, async |mut telling| {
        let bytes = telling.next().await?;
        Some((Ok::<_, std::io::Error>(bytes), telling))
    });
    let mut response = Response::new(Body::from_stream(bytes));
    as_stream(&mut response);
    Ok(response)
}

struct Telling {
    agent: Agent,
    call: Call,
    task: Task,
    following: Following,
    /// The first thing that is told is the task.
    begun: bool,
    /// The answer, as far as it was told.
    told: String,
    over: bool,
}

impl Telling {
    async fn next(&mut self) -> Option<Bytes> {
        if self.over {
            return None;
        }
        if !self.begun {
            self.begun = true;
            return Some(self.update(&Update::Task(&self.task)));
        }
        loop {
            match self.following.next().await {
                Ok(Next::Event(event)) if event.mode == Mode::Runs => {
                    let begins = event.ns.is_root() && event.data["type"] == "begin";
                    if begins && self.task.state != State::Working {
                        self.task.state = State::Working;
                        return Some(self.update(&Update::Status { task: &self.task, last: false }));
                    }
                }
                Ok(Next::Event(event)) => {
                    if let Some(text) = token(&event.data) {
                        let append = !self.told.is_empty();
                        self.told += &text;
                        return Some(self.answer(&[Part::Text(text)], append, false));
                    }
                }
                Ok(Next::Silence) => return Some(heartbeat()),
                Ok(Next::Over(_)) => {
                    self.over = true;
                    return Some(self.last().await);
                }
                Ok(Next::Cut) => {
                    self.over = true;
                    let why = "The server is stopping. The task goes on: get it, or subscribe to it again";
                    return Some(self.frame(Err(Fault(INTERNAL, why.into()))));
                }
                Err(error) => {
                    self.over = true;
                    return Some(self.frame(Err(error.into())));
                }
            }
        }
    }

    /// Its result: exactly what a later request for the task returns.
    async fn last(&mut self) -> Bytes {
        let task = match self.agent.task(&self.task.id).await {
            Ok(Some(task)) => task,
            Ok(None) => return self.frame(Err(no_task(&self.task.id.to_string()))),
            Err(error) => return self.frame(Err(error.into())),
        };
        let mut bytes = Vec::new();
        if !task.answer.is_empty() {
            // What was said piece by piece may have been a draft.
            let is_told = matches!(&task.answer[..], [Part::Text(text)] if *text == self.told);
            let rest = [Part::Text(String::new())];
            let (parts, append) = if is_told { (&rest[..], true) } else { (&task.answer[..], false) };
            bytes.extend(self.answer(parts, append, true));
        }
        bytes.extend(self.update(&Update::Status { task: &task, last: true }));
        bytes.into()
    }

    fn answer(&self, parts: &[Part], append: bool, last: bool) -> Bytes {
        self.update(&Update::Answer { task: &self.task.id, parts, append, last })
    }

    fn update(&self, update: &Update<'_>) -> Bytes {
        self.frame(Ok(self.call.spoken.update(update)))
    }

    fn frame(&self, told: Result<Value, Fault>) -> Bytes {
        Frame::new("message", &self.call.answer(told)).to_bytes()
    }
}
