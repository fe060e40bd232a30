//! Graphs as models of OpenAI's chat completions: `model` is the name of a
//! graph. A completion is a run on a thread of its own, and nobody is asked
//! anything: a question that a graph asks back is its answer.

mod chunks;
mod problem;
mod request;
mod stop;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::routes;

use crate::answer;
use crate::{
    Access, ApiError, ApiRoutes, Body, Caller, Came, ErrorShape, KeyScope, Runs, ServerSentEvent, Start,
};
use problem::Problem;
use request::ChatRequest;

const ASK: Access = Access::Scope(KeyScope::Ask);

/// What errors look like here, also where the server refuses a request before it comes here.
pub const ERRORS: ErrorShape =
    ErrorShape { path: "/v1/", of: problem::shape, schema: problem::ProblemBody::schema };

/// `POST /v1/chat/completions`, `GET /v1/models` and `GET /v1/models/{model}`.
pub fn routes(runs: Runs) -> ApiRoutes {
    ApiRoutes::new()
        .with(ASK, routes!(complete))
        .with(ASK, routes!(models))
        .with(ASK, routes!(model))
        .with_state(runs)
}

/// A graph, as a model.
#[derive(Serialize, ToSchema)]
struct GraphModel {
    id: String,
    object: &'static str,
    created: u64,
    owned_by: &'static str,
}

#[derive(Serialize, ToSchema)]
struct GraphModels {
    object: &'static str,
    data: Vec<GraphModel>,
}

impl GraphModel {
    fn of(id: &str) -> Self {
        Self { id: id.to_owned(), object: "model", created: 0, owned_by: "duru" }
    }
}

/// The graphs, as models
#[utoipa::path(get, path = "/v1/models", responses((status = 200, body = GraphModels)))]
async fn models(State(runs): State<Runs>) -> Response {
    let data = runs.graphs().iter().map(|id| GraphModel::of(id)).collect();
    Json(GraphModels { object: "list", data }).into_response()
}

/// A graph, as a model
#[utoipa::path(get, path = "/v1/models/{model}", responses((status = 200, body = GraphModel)))]
async fn model(State(runs): State<Runs>, Path(id): Path<String>) -> Result<Response, Problem> {
    match runs.schemas(&id) {
        Some(_) => Ok(Json(GraphModel::of(&id)).into_response()),
        None => Err(Problem::no_model(&id)),
    }
}

/// Ask a graph as if it were a model of OpenAI's
#[utoipa::path(
    post,
    path = "/v1/chat/completions",
    request_body = ChatRequest,
    responses(
        (status = 200, content((Value = "application/json"), (ServerSentEvent = "text/event-stream"))),
        (status = 400),
        (status = 404),
        (status = 500, description = "The graph failed"),
    ),
)]
async fn complete(
    State(runs): State<Runs>,
    caller: Caller,
    body: Result<Body<Value>, ApiError>,
) -> Result<Response, Problem> {
    let runs = runs.acting_for(&caller);
    let Body(body) = body?;
    let mut asked = ChatRequest::read(body)?;
    let ending = asked.ending()?;
    let schemas = runs.schemas(&asked.model).ok_or_else(|| Problem::no_model(&asked.model))?;
    let input = answer::input(schemas, &asked.messages).map_err(|why| Problem::invalid("messages", why))?;
    let mut start = Start::new(&asked.model, input).metadata("interface", json!("openai"));
    for (name, note) in asked.notes() {
        start = start.metadata(name, note);
    }
    if asked.stream {
        start = start.streaming();
    }
    let started = runs.start(start).await?;
    if asked.stream {
        return chunks::stream(runs, started, asked, ending).await;
    }
    // A client that leaves does not want the answer.
    let mut leaving = runs.leaving(&started);
    let came = runs.wait(&started).await?;
    leaving.stay();
    let (text, usage) = said(came)?;
    Ok(Json(json!({
        "id": format!("chatcmpl-{}", started.run), "object": "chat.completion", "created": request::now(),
        "model": asked.model, "usage": usage,
        "choices": [{
            "index": 0, "finish_reason": "stop", "logprobs": null,
            "message": { "role": "assistant", "content": ending.whole(&text), "refusal": null },
        }],
    }))
    .into_response())
}

/// What is answered, and what it took.
fn said(came: Came) -> Result<(String, Value), Problem> {
    match came {
        Came::Done(values) => Ok((answer::text(&values), answer::usage(&values))),
        Came::Asks { questions, values } => {
            let asked: Vec<String> =
                questions.iter().map(|asked| answer::question(&asked["value"])).collect();
            Ok((asked.join("\n\n"), answer::usage(&values)))
        }
        Came::Failed { name, message } => Err(Problem::failed(&name, &message)),
        Came::Stopped => Err(Problem::failed("Cancelled", "the run was cancelled")),
    }
}
