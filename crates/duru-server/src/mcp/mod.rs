//! Graphs as tools of the Model Context Protocol, over streamable HTTP. Nothing
//! is kept between requests: any server of several answers any of them.

mod tool;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use serde_json::{Value, json};
use utoipa_axum::routes;

use crate::rpc::{
    self, Fault, INTERNAL, INVALID_PARAMS, INVALID_REQUEST, NO_METHOD, RpcAnswer, RpcMessage, answered,
};
use crate::{Access, ApiError, ApiRoutes, Body, Caller, KeyScope, Runs};
pub use tool::Tool;

/// Versions of the protocol that are spoken here, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const ASK: Access = Access::Scope(KeyScope::Ask);

#[derive(Clone)]
struct Mcp {
    runs: Runs,
    tools: std::sync::Arc<[Tool]>,
}

/// `POST /mcp`: each of the graphs a tool.
pub fn routes(runs: Runs, tools: Vec<Tool>) -> ApiRoutes {
    let served = tools.into_iter().filter(|tool| runs.schemas(&tool.graph).is_some());
    let mcp = Mcp { tools: served.collect(), runs };
    ApiRoutes::new()
        .with(ASK, routes!(message, no_session))
        // Clients that add a slash are led to the same place.
        .unlisted(ASK, "get", "/mcp/", get(elsewhere))
        .unlisted(ASK, "post", "/mcp/", post(elsewhere))
        .unlisted(ASK, "delete", "/mcp/", delete(elsewhere))
        .with_state(mcp)
}

async fn elsewhere() -> Response {
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "/mcp")]).into_response()
}

/// End a session, of which there are none
///
/// Nothing is sent unasked, and no session is kept that could be ended.
#[utoipa::path(delete, path = "/mcp", responses((status = 404)))]
async fn no_session() -> ApiError {
    ApiError::not_found("Not Found")
}

/// The Model Context Protocol: each graph a tool
#[utoipa::path(
    post,
    path = "/mcp",
    params(("mcp-protocol-version" = Option<String>, Header, description = "A version that is meant")),
    request_body = RpcMessage,
    responses(
        (status = 200, body = RpcAnswer),
        (status = 202, description = "Nothing was asked"),
        (status = 400, body = RpcAnswer),
    ),
)]
async fn message(
    State(mcp): State<Mcp>,
    caller: Caller,
    headers: HeaderMap,
    body: Result<Body<Value>, ApiError>,
) -> Response {
    let message = match rpc::message(body) {
        Ok(message) => message,
        Err(refusal) => return *refusal,
    };
    let id = &message["id"];
    // A version that is named applies.
    let version = headers.get("mcp-protocol-version").map(|version| version.to_str().unwrap_or_default());
    if let Some(version) = version.filter(|version| !VERSIONS.contains(version)) {
        let why = format!("Unsupported protocol version: {version}; spoken are {}", VERSIONS.join(", "));
        return (StatusCode::BAD_REQUEST, answered(id, Err(Fault(INVALID_REQUEST, why)))).into_response();
    }
    let Some(method) = message["method"].as_str() else {
        // A client may answer; nothing was asked of it.
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        if is_answer {
            return StatusCode::ACCEPTED.into_response();
        }
        return answered(
            id,
            Err(Fault(INVALID_REQUEST, "Invalid request: one message with a method".into())),
        );
    };
    if message.get("id").is_none() {
        return StatusCode::ACCEPTED.into_response();
    }
    let params = &message["params"];
    let done = match method {
        "initialize" => Ok(initialized(params)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({ "tools": mcp.list() })),
        "tools/call" => mcp.call(params, &caller).await,
        unknown => Err(Fault(NO_METHOD, format!("Method not found: {unknown}"))),
    };
    answered(id, done)
}

fn initialized(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.iter().find(|version| **version == asked).unwrap_or(&VERSIONS[0]);
    json!({
        "protocolVersion": version, "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": { "name": "duru", "version": env!("CARGO_PKG_VERSION") },
    })
}

impl Mcp {
    fn list(&self) -> Vec<Value> {
        self.tools.iter().filter_map(|tool| tool.described(&self.runs)).collect()
    }

    async fn call(&self, params: &Value, caller: &Caller) -> Result<Value, Fault> {
        let name = params["name"].as_str().unwrap_or_default();
        let Some(tool) = self.tools.iter().find(|tool| tool.graph == name) else {
            return Err(Fault(INVALID_PARAMS, format!("Unknown tool: {name}")));
        };
        let runs = self.runs.acting_for(caller);
        match tool.call(&runs, &params["arguments"]).await {
            Ok((text, is_error)) => {
                Ok(json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }))
            }
            Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
                Err(Fault(INVALID_PARAMS, format!("Invalid arguments: {}", error.detail())))
            }
            Err(error) => Err(Fault(INTERNAL, error.detail().to_owned())),
        }
    }
}
