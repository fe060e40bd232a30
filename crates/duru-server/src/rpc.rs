//! JSON-RPC 2.0, as far as the protocols that are built on it have it in common.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::{ApiError, Body};

/// An error of the remote procedure call: its code, and what it says.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) i64, pub(crate) String);

pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const NO_METHOD: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const INTERNAL: i64 = -32603;

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
    let mut answer = json!({ "jsonrpc": "2.0", "id": id });
    match done {
        Ok(result) => answer["result"] = result,
        Err(Fault(code, message)) => answer["error"] = json!({ "code": code, "message": message }),
    }
    answer
}

pub(crate) fn answered(id: &Value, done: Result<Value, Fault>) -> Response {
    Json(answer(id, done)).into_response()
}
