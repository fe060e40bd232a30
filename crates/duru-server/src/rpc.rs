//! JSON-RPC 2.0, as far as the protocols that are built on it have it in common.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::{ApiError, Body};

/// An error of the remote procedure call: its code, and what it says.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) i64, pub(crate) String);

pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const NO_METHOD: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const INTERNAL: i64 = -32603;

/// A message of JSON-RPC.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only names the shape: what is wrong is said in the protocol's own words")]
pub(crate) struct RpcMessage {
    /// `2.0`.
    jsonrpc: String,
    /// A text or a number; none where no answer is wanted.
    #[serde(default)]
    id: Value,
    method: String,
    #[serde(default)]
    params: Value,
}

/// What is said of a call.
#[derive(Serialize, ToSchema)]
pub(crate) struct RpcAnswer {
    jsonrpc: &'static str,
    id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<RpcError>,
}

#[derive(Serialize, ToSchema)]
struct RpcError {
    code: i64,
    message: String,
}

/// The message that was sent; otherwise what to answer.
pub(crate) fn message(body: Result<Body<Value>, ApiError>) -> Result<Value, Box<Response>> {
    match body {
        Ok(Body(message)) => Ok(message),
        Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let fault = Fault(PARSE_ERROR, "Parse error: the body is not JSON".into());
            Err(Box::new(answered(&Value::Null, Err(fault))))
        }
        Err(error) => Err(Box::new(error.into_response())),
    }
}

/// What is said of a call.
pub(crate) fn answer(id: &Value, done: Result<Value, Fault>) -> Value {
    let (result, error) = match done {
        Ok(result) => (Some(result), None),
        Err(Fault(code, message)) => (None, Some(RpcError { code, message })),
    };
    json!(RpcAnswer { jsonrpc: "2.0", id: id.clone(), result, error })
}

pub(crate) fn answered(id: &Value, done: Result<Value, Fault>) -> Response {
    Json(answer(id, done)).into_response()
}
