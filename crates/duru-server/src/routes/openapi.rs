//! What the server answers, for programs (`/openapi.json`) and people (`/docs`).
//! One table says it all; a test asks every line of it.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde_json::{Map, Value, json};

use super::schemas;
use crate::guard::{Access, KeyScope};
use crate::hub::Shared;

/// One thing that can be asked.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// In small letters.
    pub method: &'static str,
    /// With `{names}` where something is filled in.
    pub path: &'static str,
    /// What it is for.
    pub summary: &'static str,
    /// The shape of the body; none if there is no body.
    pub body: Option<&'static str>,
    /// The shape of the answer.
    pub answer: Answer,
    /// Which key it needs.
    pub access: Access,
}

/// The shape of an answer.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    /// One of these.
    Json(&'static str),
    /// Several of these.
    List(&'static str),
    /// Server-sent events.
    Stream,
    /// Plain text.
    Text,
    /// No body.
    Nothing,
}

impl Described {
    /// Something that takes an object, or nothing, and gives an object.
    pub const fn new(
        method: &'static str,
        path: &'static str,
        summary: &'static str,
        access: Access,
    ) -> Self {
        let body = match method.as_bytes() {
            b"post" | b"put" | b"patch" => ANY,
            _ => None,
        };
        Self { method, path, summary, body, answer: Answer::Json("Object"), access }
    }
}

use Answer::{Json as One, List, Nothing, Stream};

/// A route for the scope `ask`.
const fn ask(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    body: Option<&'static str>,
    answer: Answer,
) -> Described {
    Described { method, path, summary, body, answer, access: Access::Scope(KeyScope::Ask) }
}

/// A public route.
const fn public(path: &'static str, summary: &'static str, answer: Answer) -> Described {
    Described { method: "get", path, summary, body: None, answer, access: Access::Public }
}

/// A route for any key, or for another scope than `ask`.
const fn with(access: Access, described: Described) -> Described {
    Described { access, ..described }
}

const DEAD: Access = Access::Either(KeyScope::Ask, KeyScope::Operate);

/// What the server has beside that which it describes.
pub(crate) const FRONT: &[Described] = &[
    public("/", "The web page for browsers; for others, whether the server is alive", One("Object")),
    public("/openapi.json", "The API as an OpenAPI document", One("Object")),
    public("/docs", "The API as a page", Answer::Text),
    public("/docs/style.css", "The stylesheet of that page", Answer::Text),
    with(Access::AnyKey, ask("post", "/ws/ticket", "A ticket for one WebSocket", None, One("Object"))),
];

const ANY: Option<&str> = Some("Object");
const RUN: Option<&str> = Some("RunCreate");

#[rustfmt::skip]
pub(crate) const ROUTES: &[Described] = &[
    public("/ok", "Whether the server is alive", One("Object")),
    public("/ready", "Whether it can take work: the store answers, and it is not stopping", One("Object")),
    with(Access::AnyKey, ask("get", "/info", "Version and capabilities", None, One("Object"))),
    with(Access::Scope(KeyScope::Operate), ask("get", "/metrics", "Metrics in Prometheus format", None, Answer::Text)),
    ask("post", "/assistants", "Create an assistant", ANY, One("Assistant")),
    ask("post", "/assistants/search", "Find assistants", ANY, List("Assistant")),
    ask("post", "/assistants/count", "Count assistants", ANY, One("Integer")),
    ask("get", "/assistants/{assistant_id}", "An assistant", None, One("Assistant")),
    ask("patch", "/assistants/{assistant_id}", "Update an assistant as a new version", ANY, One("Assistant")),
    ask("delete", "/assistants/{assistant_id}", "Delete an assistant", None, Nothing),
    ask("get", "/assistants/{assistant_id}/graph", "The graph of an assistant", None, One("Graph")),
    ask("get", "/assistants/{assistant_id}/schemas", "The input, output and state schemas of the graph", None, One("Object")),
    ask("get", "/assistants/{assistant_id}/subgraphs", "The schemas of its subgraphs", None, One("Object")),
    ask("get", "/assistants/{assistant_id}/subgraphs/{namespace}", "The schemas of one subgraph", None, One("Object")),
    ask("post", "/assistants/{assistant_id}/versions", "The versions of an assistant", ANY, List("Assistant")),
    ask("post", "/assistants/{assistant_id}/latest", "Return to an earlier version", ANY, One("Assistant")),
    ask("post", "/threads", "Create a thread", ANY, One("Thread")),
    ask("post", "/threads/search", "Find threads", ANY, List("Thread")),
    ask("post", "/threads/count", "Count threads", ANY, One("Integer")),
    ask("post", "/threads/prune", "Delete threads, or all but their latest checkpoint", ANY, One("Object")),
    ask("get", "/threads/{thread_id}", "A thread", None, One("Thread")),
    ask("patch", "/threads/{thread_id}", "Update a thread's metadata", ANY, One("Thread")),
    ask("delete", "/threads/{thread_id}", "Delete a thread with everything in it", None, Nothing),
    ask("post", "/threads/{thread_id}/copy", "Copy a thread with its history", None, One("Thread")),
    ask("get", "/threads/{thread_id}/storage", "The storage that a thread uses", None, One("Object")),
    ask("get", "/threads/{thread_id}/state", "The current state of a thread", None, One("ThreadState")),
    ask("post", "/threads/{thread_id}/state", "Update the state as if a node had written it", ANY, One("Object")),
    ask("get", "/threads/{thread_id}/state/{checkpoint_id}", "The state at a checkpoint", None, One("ThreadState")),
    ask("post", "/threads/{thread_id}/state/checkpoint", "The state at a checkpoint", ANY, One("ThreadState")),
    ask("get", "/threads/{thread_id}/history", "The history of a thread, newest first", None, List("ThreadState")),
    ask("post", "/threads/{thread_id}/history", "The history of a thread, newest first", ANY, List("ThreadState")),
    ask("get", "/threads/{thread_id}/turns", "A page of a conversation, by default the newest turns", None, One("Turns")),
    ask("post", "/threads/{thread_id}/runs", "Start a run", RUN, One("Run")),
    ask("get", "/threads/{thread_id}/runs", "The runs of a thread, newest first", None, List("Run")),
    ask("post", "/threads/{thread_id}/runs/stream", "Start a run and watch it", RUN, Stream),
    ask("post", "/threads/{thread_id}/runs/wait", "Start a run and wait for its end", RUN, One("Object")),
    ask("get", "/threads/{thread_id}/runs/{run_id}", "A run", None, One("Run")),
    ask("delete", "/threads/{thread_id}/runs/{run_id}", "Delete a run that has ended", None, Nothing),
    ask("get", "/threads/{thread_id}/runs/{run_id}/join", "Wait for the end of a run", None, One("Object")),
    ask("get", "/threads/{thread_id}/runs/{run_id}/stream", "Watch a run, from `Last-Event-ID` on", None, Stream),
    ask("post", "/threads/{thread_id}/runs/{run_id}/cancel", "Cancel a run", None, Nothing),
    ask("get", "/threads/{thread_id}/stream", "Watch a thread, run after run", None, Stream),
    ask("post", "/threads/{thread_id}/commands", "A command of protocol v2", ANY, One("Object")),
    ask("post", "/threads/{thread_id}/stream/events", "Watch a thread, by protocol v2", ANY, Stream),
    ask("get", "/threads/{thread_id}/stream/events", "The same and commands, over a WebSocket", None, Nothing),
    ask("post", "/runs", "Start a run on a thread of its own", RUN, One("Run")),
    ask("post", "/runs/stream", "The same, and watch it", RUN, Stream),
    ask("post", "/runs/wait", "The same, and wait for its end", RUN, One("Object")),
    ask("post", "/runs/batch", "Start several runs", Some("RunCreateList"), List("Run")),
    ask("post", "/runs/cancel", "Cancel several runs", ANY, Nothing),
    with(DEAD, ask("get", "/runs/dead", "Your runs that failed for good; everybody's with the scope operate", None, List("Object"))),
    with(DEAD, ask("get", "/runs/dead/{run_id}", "One of them, and why it failed", None, One("Object"))),
    with(DEAD, ask("post", "/runs/dead/{run_id}/retry", "Try it again", None, One("Object"))),
    with(DEAD, ask("delete", "/runs/dead/{run_id}", "Discard it", None, Nothing)),
    ask("get", "/runs/{run_id}/stream", "Watch a run on a thread of its own", None, Stream),
    ask("post", "/runs/crons", "Create a cron: a run on a schedule", ANY, One("Object")),
    ask("post", "/threads/{thread_id}/runs/crons", "The same, on a thread", ANY, One("Object")),
    ask("post", "/runs/crons/search", "Find crons", ANY, List("Object")),
    ask("post", "/runs/crons/count", "Count crons", ANY, One("Integer")),
    ask("get", "/runs/crons/{cron_id}", "A cron", None, One("Object")),
    ask("patch", "/runs/crons/{cron_id}", "Update a cron", ANY, One("Object")),
    ask("delete", "/runs/crons/{cron_id}", "Delete a cron", None, Nothing),
    ask("put", "/store/items", "Store an item", ANY, Nothing),
    ask("get", "/store/items", "The item with a key", None, One("Item")),
    ask("delete", "/store/items", "Delete an item", ANY, Nothing),
    ask("post", "/store/items/search", "Search items", ANY, One("Items")),
    ask("post", "/store/namespaces", "List namespaces", ANY, One("Object")),
];

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/docs", get(docs))
        .route("/docs/style.css", get(style))
}

async fn openapi(State(hub): State<Shared>) -> Response {
    Json(description(&hub.described)).into_response()
}

fn description(more: &[Described]) -> Value {
    let mut paths = Map::new();
    for route in ROUTES.iter().chain(more) {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Duru", "version": env!("CARGO_PKG_VERSION"),
                  "description": "Durable graphs over HTTP; LangGraph's clients work unchanged." },
        "paths": paths,
        "components": { "schemas": schemas::schemas() },
    })
}

fn operation(route: &Described) -> Value {
    let part = route.path.split('/').nth(1).unwrap_or_default();
    let shape = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let content = match route.answer {
        One(name) => json!({ "application/json": { "schema": shape(name) } }),
        List(name) => json!({ "application/json": { "schema": { "type": "array", "items": shape(name) } } }),
        Stream => json!({ "text/event-stream": { "schema": { "type": "string" } } }),
        Answer::Text => json!({ "text/plain": { "schema": { "type": "string" } } }),
        Nothing => json!({}),
    };
    let names = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters: Vec<Value> = names
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    let error =
        json!({ "description": "Why not", "content": { "application/json": { "schema": shape("Error") } } });
    let mut operation = json!({
        "summary": route.summary, "tags": [part], "parameters": parameters, "x-duru-scope": route.access.word(),
        "responses": { "2XX": { "description": "Done", "content": content }, "4XX": error, "5XX": error },
    });
    if let Some(body) = route.body {
        operation["requestBody"] = json!({ "content": { "application/json": { "schema": shape(body) } } });
    }
    operation
}

/// A plain page, with nothing from elsewhere.
async fn docs(State(hub): State<Shared>) -> Response {
    let row = |route: &Described| {
        let (method, path) = (route.method.to_uppercase(), route.path);
        format!(
            "<tr><td><code>{method}</code></td><td><code>{path}</code></td><td>{}</td><td>{}</td></tr>",
            route.summary,
            route.access.word()
        )
    };
    let rows: String = ROUTES.iter().chain(hub.described.iter()).map(row).collect();
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Duru</title>\
         <link rel=\"stylesheet\" href=\"/docs/style.css\">\
         <h1>Duru</h1><p>Durable graphs over HTTP. For programs: <a href=\"/openapi.json\">/openapi.json</a>.</p>\
         <table>{rows}</table></html>"
    ))
    .into_response()
}

/// No page of ours has a style or a script of its own in it: none that somebody
/// else wrote could be told from it.
async fn style() -> Response {
    let style = "body{font-family:system-ui;margin:2rem auto;max-width:60rem}td{padding:.2rem .8rem .2rem 0}";
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere_and_no_line_is_there_twice() {
        let description = description(&[]);
        let text = description.to_string();
        for (at, _) in text.match_indices("#/components/schemas/") {
            let name: String = text[at + 21..].chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
            assert!(description["components"]["schemas"].get(&name).is_some(), "{name}");
        }
        let count: usize = description["paths"]
            .as_object()
            .map_or(0, |paths| paths.values().map(|p| p.as_object().map_or(0, Map::len)).sum());
        assert_eq!(count, ROUTES.len());
    }
}
