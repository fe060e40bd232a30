//! Commands on a thread: what is refused is an answer too, with status 200.

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use duru::ThreadId;
use duru::store::{RunQuery, RunStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::ASK;
use super::submit::{Purpose, last_assistant, submit};
use super::threads::thread_id;
use crate::api::ApiRoutes;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::scope::Scope;
use crate::wire::run::RunPlan;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(command))
}

/// What the runs of this protocol show; who reads which of it is not known yet.
const MODES: [&str; 6] = ["values", "updates", "messages-tuple", "custom", "tasks", "checkpoints"];

/// Why a command was not carried out.
pub(super) enum Refused {
    /// The protocol's word for it, and ours.
    Said(&'static str, String),
    Api(ApiError),
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<duru::Error> for Refused {
    fn from(error: duru::Error) -> Self {
        Self::Api(error.into())
    }
}

pub(super) type Done = Result<Value, Refused>;

pub(super) fn invalid(message: impl Into<String>) -> Refused {
    Refused::Said("invalid_argument", message.into())
}

/// Who commands what.
struct Asked<'a> {
    hub: &'a Shared,
    thread: &'a str,
    headers: &'a HeaderMap,
    params: Map<String, Value>,
}

/// A command of protocol v2.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only names the shape: what is none is answered in the protocol's own words")]
struct ProtocolCommand {
    id: i64,
    /// run.start, input.respond or agent.getTree.
    method: String,
    #[serde(default)]
    params: Map<String, Value>,
}

/// What came of a command.
#[derive(Serialize, ToSchema)]
struct CommandAnswer {
    /// success or error.
    #[serde(rename = "type")]
    kind: &'static str,
    #[schema(required)]
    id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    meta: Option<Value>,
    /// The protocol's word for what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    message: Option<String>,
}

/// A command of protocol v2
///
/// What is refused is an answer too, with status 200.
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/commands",
    request_body = ProtocolCommand,
    responses((status = 200, body = CommandAnswer), (status = 400, body = Value)),
)]
async fn command(
    Scope(hub): Scope,
    Path(thread): Path<String>,
    headers: HeaderMap,
    body: ApiResult<Body<Value>>,
) -> ApiResult {
    let command = Body::or_bad_request(body)?;
    let Some((id, method, params)) = read(&command) else {
        return Ok((StatusCode::BAD_REQUEST, Json(unreadable())).into_response());
    };
    let done = match method {
        "subscription.subscribe" if params["channels"].as_array().is_none_or(Vec::is_empty) => {
            Err(invalid("subscription.subscribe requires a non-empty channels array."))
        }
        "subscription.subscribe" | "subscription.unsubscribe" | "subscription.reconnect" => {
            let message =
                format!("Over HTTP a subscription is a connection: POST /threads/{thread}/stream/events.");
            Err(Refused::Said("not_supported", message))
        }
        method => carry_out(&hub, &thread, &headers, method, params).await,
    };
    Ok(Json(answer(id, done)?).into_response())
}

/// The parts of a command: its number, what it is, and with what.
pub(super) fn read(command: &Value) -> Option<(i64, &str, &Value)> {
    Some((command["id"].as_i64()?, command["method"].as_str()?, &command["params"]))
}

/// What is answered to something else.
pub(super) fn unreadable() -> Value {
    let message = "Protocol commands must include an integer id and string method.";
    json!(CommandAnswer::refused(None, "invalid_argument", message.to_owned()))
}

impl CommandAnswer {
    fn done(id: i64, result: Value) -> Self {
        let meta = Some(json!({ "applied_through_seq": 0 }));
        Self { kind: "success", id: Some(id), result: Some(result), meta, error: None, message: None }
    }

    fn refused(id: Option<i64>, error: &'static str, message: String) -> Self {
        Self { kind: "error", id, result: None, meta: None, error: Some(error), message: Some(message) }
    }
}

/// Does what a command says that is no subscription.
pub(super) async fn carry_out(
    hub: &Shared,
    thread: &str,
    headers: &HeaderMap,
    method: &str,
    params: &Value,
) -> Done {
    let asked = Asked { hub, thread, headers, params: params.as_object().cloned().unwrap_or_default() };
    match method {
        "run.start" => asked.start().await,
        "input.respond" => asked.respond().await,
        "agent.getTree" => asked.tree().await,
        unknown => Err(Refused::Said("unknown_command", format!("Unknown protocol command: {unknown}"))),
    }
}

/// What came of a command; an error where it may be tried again later.
pub(super) fn answer(id: i64, done: Done) -> ApiResult<Value> {
    let (error, message) = match done {
        Ok(result) => return Ok(json!(CommandAnswer::done(id, result))),
        Err(Refused::Said(word, message)) => (word, message),
        // A client that must retry later has to be able to read that.
        Err(Refused::Api(error)) if error.is_for_now() => return Err(error),
        Err(Refused::Api(error)) => {
            ("unknown_error", format!("{}: {}", error.status().as_u16(), error.detail()))
        }
    };
    Ok(json!(CommandAnswer::refused(Some(id), error, message)))
}

impl Asked<'_> {
    fn param(&self, name: &str) -> &Value {
        self.params.get(name).unwrap_or(&Value::Null)
    }

    fn thread_id(&self) -> ApiResult<ThreadId> {
        thread_id(self.thread).map_err(|_| ApiError::invalid("Invalid thread ID"))
    }

    /// A run with this to do, shown as this protocol shows runs. The thread is
    /// made if it is not there, and a busy one lets it wait.
    async fn submit(&self, what: Map<String, Value>) -> Done {
        let mut request = what;
        let ours = json!({
            "stream_mode": MODES, "stream_subgraphs": true, "stream_resumable": true,
            "if_not_exists": "create", "multitask_strategy": "enqueue",
        });
        request.extend(ours.as_object().cloned().unwrap_or_default());
        self.thread_id()?;
        let submitted =
            submit(self.hub, Some(self.thread), Value::Object(request), self.headers, Purpose::Create)
                .await?;
        Ok(json!({ "run_id": submitted.run.id.to_string() }))
    }

    async fn start(&self) -> Done {
        let Some(assistant) = self.param("assistant_id").as_str() else {
            return Err(invalid("run.start requires an assistant_id."));
        };
        // A run that can't begin leaves nothing in the log that a stream could
        // show: its input is looked at before it is accepted.
        if let Some(assistant) = self.hub.assistant(assistant).await?
            && !self.param("input").is_null()
            && let Ok(graph) = self.hub.graph(&assistant.graph)
            && let Err(error) = graph.app.graph().check_input(self.param("input"))
        {
            return Err(invalid(error.to_string()));
        }
        let mut request = self.params.clone();
        // Clients say in the configuration where to fork.
        let checkpoint = &self.param("config")["configurable"]["checkpoint_id"];
        if checkpoint.is_string() {
            request.insert("checkpoint_id".into(), checkpoint.clone());
        }
        self.submit(request).await
    }

    async fn respond(&self) -> Done {
        let answers = self.answers()?;
        let thread = self.hub.visible(&self.thread_id()?).await?;
        let state = self.hub.log(&thread).state().await?;
        let waiting: Vec<String> = state.questions().iter().map(|question| question.id.to_string()).collect();
        if let Some(unknown) = answers.keys().find(|id| !waiting.contains(id)) {
            let message = format!("Unknown or already-consumed interrupt: {unknown}");
            return Err(Refused::Said("no_such_interrupt", message));
        }
        let mut command = json!({ "resume": answers });
        let mut request = Map::new();
        for name in ["update", "goto"] {
            if !self.param(name).is_null() {
                command[name] = self.param(name).clone();
            }
        }
        for name in ["config", "metadata"] {
            if !self.param(name).is_null() {
                request.insert(name.into(), self.param(name).clone());
            }
        }
        request.insert("command".into(), command);
        let whose = last_assistant(self.hub, &thread).await?;
        request.insert("assistant_id".into(), whose.map_or(Value::Null, Value::String));
        self.submit(request).await?;
        Ok(json!({}))
    }

    /// One answer, or several at once.
    fn answers(&self) -> Result<Map<String, Value>, Refused> {
        let one = std::slice::from_ref(&self.params).iter().cloned().map(Value::Object).collect();
        let given = match self.param("responses") {
            Value::Array(several) if !several.is_empty() => several.clone(),
            _ => one,
        };
        let answer = |given: &Value| {
            let id = given["interrupt_id"].as_str().filter(|id| !id.is_empty());
            let id = id.ok_or_else(|| invalid("input.respond requires an interrupt_id."))?;
            Ok((id.to_owned(), given["response"].clone()))
        };
        given.iter().map(answer).collect()
    }

    async fn tree(&self) -> Done {
        let thread = self.thread_id()?;
        let query = RunQuery {
            thread: Some(thread),
            statuses: vec![RunStatus::Running, RunStatus::Pending],
            limit: Some(1),
            ..RunQuery::default()
        };
        let running = self.hub.stores.runs.runs(query).await.map_err(ApiError::from)?.pop();
        match running.and_then(|run| RunPlan::of(&run).ok()) {
            Some(plan) => Ok(json!({
                "tree": { "namespace": [], "status": "running", "graph_name": plan.graph_id, "children": [] },
            })),
            None => Err(Refused::Said("no_such_run", "No active run is bound to this thread.".to_owned())),
        }
    }
}
