//! What an agent says of itself. Like everything but signs of life, that needs a key where there are keys: assistants
//! are people's own, and what is another's must look as if it were not there.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::spoken::Spoken;
use super::{A2a, Agent};
use crate::{ApiError, Caller, Params};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct CardQuery {
    /// Which agent; the only one where there is only one.
    assistant_id: Option<String>,
}

/// What the agent that ?assistant_id= names can do
#[utoipa::path(
    get,
    path = "/.well-known/agent-card.json",
    params(CardQuery),
    responses((status = 200, body = Value), (status = 404)),
)]
pub(super) async fn of_query(
    State(a2a): State<A2a>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
    Params(named): Params<CardQuery>,
) -> Result<Response, ApiError> {
    let graphs = a2a.runs.graphs();
    let id = match (named.assistant_id, &graphs[..]) {
        (Some(id), _) => id,
        (None, [only]) => only.clone(),
        (None, _) => {
            let why = format!("Say which agent is meant: ?assistant_id={}", graphs.join(", "));
            return Err(ApiError::invalid(why));
        }
    };
    card(&a2a.agent(&id, &caller).await?, &caller, &headers, &uri)
}

/// What an agent can do
#[utoipa::path(
    get,
    path = "/a2a/{assistant_id}/.well-known/agent-card.json",
    responses((status = 200, body = Value)),
)]
pub(super) async fn of_path(
    State(a2a): State<A2a>,
    Path(id): Path<String>,
    caller: Caller,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, ApiError> {
    card(&a2a.agent(&id, &caller).await?, &caller, &headers, &uri)
}

/// A card of both versions at once: neither minds the fields of the other, but for how keys are asked for.
fn card(agent: &Agent, caller: &Caller, headers: &HeaderMap, uri: &Uri) -> Result<Response, ApiError> {
    let version = headers.get("a2a-version").and_then(|version| version.to_str().ok()).unwrap_or_default();
    let assistant = &agent.assistant;
    let (id, graph, name) = (assistant.id.to_string(), &assistant.graph, &assistant.entry.label);
    // The name that people know, where there is one.
    let place = if agent.is_default() { graph } else { &id };
    let url = format!("{}/a2a/{place}", origin(headers, uri)?);
    let described = assistant.entry.body.get("description").and_then(Value::as_str).map(str::to_owned);
    let told = agent.told.as_ref();
    let description = described.or_else(|| told.map(|told| told.description.clone()));
    let description = description.unwrap_or_else(|| format!("The graph {graph:?}."));
    let modes = ["text/plain", "application/json"];
    let examples: &[&str] = told.map_or(&[], |told| &told.examples);
    let mut card = json!({
        "protocolVersion": "0.3.0", "name": name, "description": description,
        "version": env!("CARGO_PKG_VERSION"), "url": url, "preferredTransport": "JSONRPC",
        "supportedInterfaces": [
            { "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
            { "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "0.3" },
        ],
        "capabilities": { "streaming": true, "pushNotifications": false },
        "defaultInputModes": modes, "defaultOutputModes": modes,
        "skills": [{ "id": place, "name": name, "description": description, "tags": [graph],
                     "examples": examples }],
    });
    // A caller with a name has a key.
    if caller.name().is_some() {
        secure(&mut card, Spoken::named(version));
    }
    Ok(Json(card).into_response())
}

/// Says which keys are needed, and where.
fn secure(card: &mut Value, spoken: Spoken) {
    match spoken {
        Spoken::Old => {
            card["securitySchemes"] = json!({
                "apiKey": { "type": "apiKey", "in": "header", "name": "x-api-key" },
                "bearer": { "type": "http", "scheme": "bearer" },
            });
            card["security"] = json!([{ "apiKey": [] }, { "bearer": [] }]);
        }
        Spoken::New => {
            card["securitySchemes"] = json!({
                "apiKey": { "apiKeySecurityScheme": { "location": "header", "name": "x-api-key" } },
                "bearer": { "httpAuthSecurityScheme": { "scheme": "bearer" } },
            });
            let needs = |name: &str| json!({ "schemes": { name: { "list": [] } } });
            card["securityRequirements"] = json!([needs("apiKey"), needs("bearer")]);
        }
    }
}

/// Where the caller found this server. It speaks no TLS itself: `https` is what a proxy before it says.
fn origin(headers: &HeaderMap, uri: &Uri) -> Result<String, ApiError> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST.as_str()).or(uri.authority().map(Authority::as_str));
    let host = host.and_then(|host| host.parse::<Authority>().ok());
    let host = host.ok_or_else(|| ApiError::bad_request("Say which host is asked."))?;
    let scheme = match text("x-forwarded-proto") {
        Some("https") => "https",
        _ => "http",
    };
    Ok(format!("{scheme}://{host}"))
}

impl Agent {
    /// Whether it is the one that its graph has from the start.
    fn is_default(&self) -> bool {
        crate::graphs::default_assistant(&self.assistant.graph) == self.assistant.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_card_says_where_the_caller_found_it() {
        let origin = |pairs: &[(&'static str, &'static str)]| {
            let headers = pairs.iter().map(|(name, value)| {
                (header::HeaderName::from_static(name), HeaderValue::from_static(value))
            });
            origin(&headers.collect(), &Uri::from_static("/x")).ok()
        };
        assert_eq!(origin(&[("host", "a.b:1")]).as_deref(), Some("http://a.b:1"));
        let proxied = [("host", "a.b"), ("x-forwarded-proto", "https")];
        assert_eq!(origin(&proxied).as_deref(), Some("https://a.b"));
        assert_eq!(origin(&[("host", "a.b"), ("x-forwarded-proto", "ftp")]).as_deref(), Some("http://a.b"));
        assert_eq!(origin(&[("host", "a b")]), None);
        assert_eq!(origin(&[]), None);
    }
}
