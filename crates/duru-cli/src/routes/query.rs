//! `POST /query`: a question about logs, answered at once or as a stream.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use duru::ThreadId;
use duru_server::talk::{self, Opening};
use duru_server::{
    ApiError, ApiRoutes, Body, Caller, Came, ErrorShape, Runs, ServerSentEvent, Start, Started,
};
use serde_json::{Value, json};
use utoipa::PartialSchema;
use utoipa_axum::routes;

use super::ASK;
use super::analyst::{ANALYST, Analyst};
use super::body::{QueryBody, Said, asks_back, failure, said};

pub(super) fn routes(runs: Runs) -> ApiRoutes {
    ApiRoutes::new().with(ASK, routes!(query)).with_state(runs)
}

/// What every failure looks like here, also where the server refuses a request before it comes here.
pub(super) const ERRORS: ErrorShape =
    ErrorShape { path: "/query", of: |_, detail| failure(detail), schema: Value::schema };

/// Ask about logs; as a stream where text/event-stream is accepted
#[utoipa::path(
    post,
    path = "/query",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = QueryBody,
    responses(
        (status = 200, content((Value = "application/json"), (ServerSentEvent = "text/event-stream"))),
        (status = 409),
        (status = 500),
        (status = 504),
    ),
)]
async fn query(
    State(runs): State<Runs>,
    caller: Caller,
    headers: HeaderMap,
    body: Result<Body<Value>, ApiError>,
) -> Result<Response, ApiError> {
    let runs = &runs.acting_for(&caller);
    if runs.schemas(ANALYST).is_none() {
        return Err(ApiError::unavailable(
            "로그 분석 에이전트가 없습니다. / The analyst is not served here.",
        ));
    }
    let Body(body) = body.map_err(|error| match error.status() {
        StatusCode::UNPROCESSABLE_ENTITY => ApiError::invalid("JSON이 아닙니다. / This is not JSON."),
        _ => error,
    })?;
    let body = QueryBody::read(body).map_err(ApiError::invalid)?;
    let thread = body.conversation_id.as_deref().map(|id| runs.thread(Some(id))).transpose()?;
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    let started = begun(runs, &body, thread, key).await?;
    let accepts = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    if accepts.contains("text/event-stream") {
        let opening = Opening { debug: body.debug, ..Opening::default() };
        return talk::stream(runs.clone(), Arc::new(Analyst), started, opening).await;
    }
    let came = runs.wait(&started).await?;
    Ok(finished(came, &started.thread))
}

/// Goes on with a question that waits for these answers, or asks a new one.
async fn begun(
    runs: &Runs,
    body: &QueryBody,
    thread: Option<ThreadId>,
    key: Option<String>,
) -> Result<Started, ApiError> {
    if let (Some(thread), Some(answers)) = (&thread, &body.clarification_answers)
        && runs.knows(thread).await?
    {
        let (values, waiting) = runs.state(thread).await?;
        let same = body.asks().is_none_or(|asked| values.get("question").is_some_and(|was| was == asked));
        if let Some(question) = waiting.first().filter(|_| same) {
            return runs.answer(thread, &question.id.to_string(), json!(answers)).await;
        }
    }
    if body.asks().is_none() {
        return Err(ApiError::invalid("question: 질문이 비어 있습니다. / There is no question."));
    }
    let start = Start::new(ANALYST, body.input()).key(key).metadata("interface", json!("query"));
    // A conversation stays, so that the next question can lean on it.
    let start = match thread {
        Some(thread) => start.on(thread),
        None => start.lasting(),
    };
    runs.start(start).await
}

fn finished(came: Came, thread: &ThreadId) -> Response {
    let (status, mut answer) = match came {
        Came::Done(values) => match said(&values) {
            Said::Answer(answer) => (StatusCode::OK, answer),
            Said::Trouble(code, failed) => (status(&code), failed),
        },
        Came::Asks { questions, .. } => (StatusCode::OK, asks_back(&questions)),
        Came::Failed { name, message } => {
            (StatusCode::INTERNAL_SERVER_ERROR, failure(&format!("{name}: {message}")))
        }
        _ => (StatusCode::CONFLICT, failure("취소되었습니다. / It was cancelled.")),
    };
    answer["conversation_id"] = thread.as_str().into();
    (status, Json(answer)).into_response()
}

/// The status that fits a trouble.
fn status(code: &str) -> StatusCode {
    match code {
        "timed_out" => StatusCode::GATEWAY_TIMEOUT,
        "unavailable" => StatusCode::SERVICE_UNAVAILABLE,
        "failed" => StatusCode::INTERNAL_SERVER_ERROR,
        // The question, and not the server, has to change.
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
