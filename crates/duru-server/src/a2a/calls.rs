//! Calls, and what is answered.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::ask::Begun;
use super::message::{self, Asked};
use super::spoken::Spoken;
use super::task::{Task, TaskId};
use super::{A2a, Agent, stream};
use crate::rpc::{
    self, Fault, INTERNAL, INVALID_PARAMS, INVALID_REQUEST, NO_METHOD, RpcAnswer, RpcMessage, answered,
};
use crate::{ApiError, Body, Caller, ServerSentEvent};

pub(super) const NO_TASK: i64 = -32001;
pub(super) const NOT_CANCELABLE: i64 = -32002;
pub(super) const NO_PUSH: i64 = -32003;
pub(super) const UNSUPPORTED: i64 = -32004;
pub(super) const NO_SUCH_CONTENT: i64 = -32005;
const NO_VERSION: i64 = -32009;

/// What can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Send,
    Stream,
    Get,
    Cancel,
    Resubscribe,
}

/// Who is answered, and how.
pub(super) struct Call {
    /// What the client calls its request.
    id: Value,
    pub(super) spoken: Spoken,
}

impl Call {
    /// What is said of it.
    pub(super) fn answer(&self, done: Result<Value, Fault>) -> Value {
        rpc::answer(&self.id, done)
    }

    fn answered(&self, result: Value) -> Response {
        answered(&self.id, Ok(result))
    }
}

/// The versions have other names for the same, so that a name says which version is spoken.
fn method(name: &str) -> Option<(Method, Spoken)> {
    Some(match name {
        "message/send" => (Method::Send, Spoken::Old),
        "message/stream" => (Method::Stream, Spoken::Old),
        "tasks/get" => (Method::Get, Spoken::Old),
        "tasks/cancel" => (Method::Cancel, Spoken::Old),
        "tasks/resubscribe" => (Method::Resubscribe, Spoken::Old),
        "SendMessage" => (Method::Send, Spoken::New),
        "SendStreamingMessage" => (Method::Stream, Spoken::New),
        "GetTask" => (Method::Get, Spoken::New),
        "CancelTask" => (Method::Cancel, Spoken::New),
        "SubscribeToTask" => (Method::Resubscribe, Spoken::New),
        _ => return None,
    })
}

/// The Agent2Agent protocol: an assistant as an agent
#[utoipa::path(
    post,
    path = "/a2a/{assistant_id}",
    params(("a2a-version" = Option<String>, Header, description = "The version that is spoken")),
    request_body = RpcMessage,
    responses((
        status = 200,
        content((RpcAnswer = "application/json"), (ServerSentEvent = "text/event-stream")),
    )),
)]
pub(super) async fn call(
    State(a2a): State<A2a>,
    Path(id): Path<String>,
    caller: Caller,
    headers: HeaderMap,
    body: Result<Body<Value>, ApiError>,
) -> Response {
    let agent = match a2a.agent(&id, &caller).await {
        Ok(agent) => agent,
        Err(error) => return error.into_response(),
    };
    let message = match rpc::message(body) {
        Ok(message) => message,
        Err(refusal) => return *refusal,
    };
    let id = match &message["id"] {
        id @ (Value::String(_) | Value::Number(_)) => id.clone(),
        _ => Value::Null,
    };
    let done = match read(&message, &id, &headers) {
        Ok((method, spoken)) => {
            let call = Call { id: id.clone(), spoken };
            agent.called(method, call, &message["params"]).await
        }
        Err(fault) => Err(fault),
    };
    done.unwrap_or_else(|fault| answered(&id, Err(fault)))
}

/// What is called.
fn read(message: &Value, id: &Value, headers: &HeaderMap) -> Result<(Method, Spoken), Fault> {
    let invalid = |why: &str| Fault(INVALID_REQUEST, format!("Invalid request: {why}"));
    if message["jsonrpc"] != "2.0" {
        return Err(invalid("one object with \"jsonrpc\": \"2.0\""));
    }
    // Nothing here is worth doing if nobody hears what came of it.
    if id.is_null() {
        return Err(invalid("an id, a text or a number"));
    }
    // A version that is named applies.
    let version = headers.get("a2a-version").map(|version| version.to_str().unwrap_or_default().trim());
    if let Some(version) = version.filter(|version| !Spoken::is_known(version)) {
        return Err(Fault(NO_VERSION, format!("Version not supported: {version}; spoken are 0.3 and 1.0")));
    }
    let name = message["method"].as_str().ok_or_else(|| invalid("a method"))?;
    if let Some(known) = method(name) {
        return Ok(known);
    }
    if name.to_ascii_lowercase().contains("pushnotificationconfig") {
        return Err(Fault(NO_PUSH, message::PUSHES_NOTHING.into()));
    }
    Err(Fault(NO_METHOD, format!("Method not found: {name}")))
}

impl Agent {
    async fn called(&self, method: Method, call: Call, params: &Value) -> Result<Response, Fault> {
        if !params.is_object() {
            return Err(Fault(INVALID_PARAMS, "Invalid params: an object".into()));
        }
        match method {
            Method::Send => {
                let asked = Asked::read(params)?;
                let Begun { task, started } = self.begin(&asked, false).await?;
                // Who does not wait, or is cut off, finds the task later: it goes on either way.
                if asked.waits
                    && let Err(error) = self.runs.wait(&started).await
                    && !error.is_for_now()
                {
                    return Err(error.into());
                }
                let task = self.known(&task).await?.recent(asked.history);
                Ok(call.answered(call.spoken.sent(call.spoken.task(&task))))
            }
            Method::Stream => {
                let asked = Asked::read(params)?;
                let Begun { task, started } = self.begin(&asked, true).await?;
                let task = self.known(&task).await?.recent(asked.history);
                stream::stream(self, call, task, &started).await
            }
            Method::Get => {
                let history = message::history(params)?;
                let task = self.named(params).await?.recent(history);
                Ok(call.answered(call.spoken.task(&task)))
            }
            Method::Cancel => {
                let task = self.named(params).await?;
                let run = &task.last;
                if !run.status.is_active() || !self.runs.stop(run.id).await? {
                    let why = format!("Task cannot be canceled: it is {}", Spoken::Old.state(task.state));
                    return Err(Fault(NOT_CANCELABLE, why));
                }
                self.runs.wait(&self.runs.come_back_to(run).await?).await?;
                Ok(call.answered(call.spoken.task(&self.known(&task.id).await?)))
            }
            Method::Resubscribe => {
                let task = self.named(params).await?;
                if !task.last.status.is_active() {
                    return Err(Fault(UNSUPPORTED, "The task is not under way: get it instead".into()));
                }
                let started = self.runs.come_back_to(&task.last).await?;
                stream::stream(self, call, task, &started).await
            }
        }
    }

    /// A task that must be there.
    async fn known(&self, id: &TaskId) -> Result<Task, Fault> {
        self.task(id).await?.ok_or_else(|| no_task(&id.to_string()))
    }

    /// The task that is asked for by its id.
    async fn named(&self, params: &Value) -> Result<Task, Fault> {
        let Some(name) = params["id"].as_str() else {
            return Err(Fault(INVALID_PARAMS, "Invalid params: id: which task, as a text".into()));
        };
        let found = match TaskId::parse(name) {
            Some(id) => self.task(&id).await?,
            None => None,
        };
        found.ok_or_else(|| no_task(name))
    }
}

/// What is another's, or another agent's, is no task either.
pub(super) fn no_task(name: &str) -> Fault {
    Fault(NO_TASK, format!("Task not found: {name}"))
}

impl From<ApiError> for Fault {
    fn from(error: ApiError) -> Self {
        let code = match error.status() {
            StatusCode::UNPROCESSABLE_ENTITY | StatusCode::NOT_FOUND => INVALID_PARAMS,
            StatusCode::CONFLICT => UNSUPPORTED,
            _ => INTERNAL,
        };
        Self(code, error.detail().to_owned())
    }
}
