//! Graphs as models of OpenAI's chat completions: `model` is the name of a
//! graph. A completion is a run on a thread of its own, and nobody is asked
//! anything: a question that a graph asks back is its answer.

mod chunks;
mod problem;
mod request;
mod stop;

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::answer;
use crate::{Access, ApiError, Body, Caller, Came, Described, ErrorShape, KeyScope, Runs, Start};
use problem::Problem;
use request::Asked;

/// What these routes are for.
pub const DESCRIBED: &[Described] = &[
    Described::new(
        "post",
        "/v1/chat/completions",
        "Ask a graph as if it were a model of OpenAI's",
        Access::Scope(KeyScope::Ask),
    ),
    Described::new("get", "/v1/models", "The graphs, as models", Access::Scope(KeyScope::Ask)),
    Described::new("get", "/v1/models/{model}", "A graph, as a model", Access::Scope(KeyScope::Ask)),
];

/// What errors look like here, also where the server refuses a request before it comes here.
pub const ERRORS: ErrorShape = ErrorShape { path: "/v1/", of: problem::shape };

/// `POST /v1/chat/completions`, `GET /v1/models` and `GET /v1/models/{model}`.
pub fn routes(runs: Runs) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(complete))
        .route("/v1/models", get(models))
        .route("/v1/models/{model}", get(model))
        .with_state(runs)
}

fn described(id: &str) -> Value {
    json!({ "id": id, "object": "model", "created": 0, "owned_by": "duru" })
}

async fn models(State(runs): State<Runs>) -> Response {
    let models: Vec<Value> = runs.graphs().iter().map(|id| described(id)).collect();
    Json(json!({ "object": "list", "data": models })).into_response()
}

async fn model(State(runs): State<Runs>, Path(id): Path<String>) -> Result<Response, Problem> {
    match runs.schemas(&id) {
        Some(_) => Ok(Json(described(&id)).into_response()),
        None => Err(Problem::no_model(&id)),
    }
}

async fn complete(
    State(runs): State<Runs>,
    caller: Caller,
    body: Result<Body<Value>, ApiError>,
) -> Result<Response, Problem> {
    let runs = runs.acting_for(&caller);
    let Body(body) = body?;
    let mut asked = Asked::read(body)?;
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
