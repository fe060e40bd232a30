//! What an assistant's graph looks like, and what goes in and comes out.

use axum::Json;
use axum::Router;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::{Map, Value, json};

use super::assistants::assistant_of;
use crate::body::Query;
use crate::error::{ApiError, ApiResult};
use crate::graphs::Graph;
use crate::hub::{Hub, Shared};
use crate::scope::Scope;
use crate::wire::graph;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/assistants/{id}/graph", get(drawing))
        .route("/assistants/{id}/schemas", get(schemas))
        .route("/assistants/{id}/subgraphs", get(subgraphs))
        .route("/assistants/{id}/subgraphs/{namespace}", get(subgraph))
}

/// The graph of an assistant, or the graph of that name.
async fn graph_of<'a>(hub: &'a Hub, id: &str) -> ApiResult<&'a Graph> {
    let assistant = hub.assistant(id).await?;
    let assistant = assistant.ok_or_else(|| ApiError::not_found(format!("Assistant {id} not found")))?;
    hub.graph(&assistant.graph)
}

async fn drawing(Scope(hub): Scope, Path(id): Path<String>, query: Query) -> ApiResult {
    let graph = graph_of(&hub, &id).await?;
    let depth = match query.one("xray") {
        None | Some("false" | "False") => 0,
        Some("true" | "True") => usize::MAX,
        Some(levels) => levels
            .parse()
            .map_err(|_| ApiError::invalid(format!("xray must be a boolean or a number, not {levels:?}")))?,
    };
    Ok(Json(graph::to_json(&graph.app.graph().drawing(), depth)).into_response())
}

async fn schemas(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let assistant = assistant_of(&hub, &id).await?;
    let schemas = hub.graph(&assistant.graph)?.app.graph().schemas();
    // `config.configurable` and `context` are two names of one thing.
    let config = schemas.context.clone().unwrap_or_else(|| json!({}));
    let body = json!({
        "graph_id": assistant.graph, "input_schema": schemas.input, "output_schema": schemas.output,
        "state_schema": schemas.state, "config_schema": config, "context_schema": schemas.context,
    });
    Ok(Json(body).into_response())
}

async fn subgraphs(Scope(hub): Scope, Path(id): Path<String>, query: Query) -> ApiResult {
    let graph = graph_of(&hub, &id).await?;
    Ok(Json(subgraphs_json(graph, None, query.flag("recurse"))).into_response())
}

async fn subgraph(
    Scope(hub): Scope,
    Path((id, namespace)): Path<(String, String)>,
    query: Query,
) -> ApiResult {
    let graph = graph_of(&hub, &id).await?;
    Ok(Json(subgraphs_json(graph, Some(&namespace), query.flag("recurse"))).into_response())
}

/// The graphs inside a graph by name, as `child` or `child|grandchild`: only
/// those directly inside, or those within one, or all.
fn subgraphs_json(graph: &Graph, namespace: Option<&str>, recurse: bool) -> Value {
    let wanted = |name: &str| match namespace {
        None => recurse || !name.contains('|'),
        Some(namespace) => {
            let within = name.strip_prefix(namespace);
            within.is_some_and(|rest| rest.is_empty() || (recurse && rest.starts_with('|')))
        }
    };
    let inner = graph.app.graph().subgraphs().into_iter().filter(|(name, _)| wanted(name));
    let shape = |(name, state): (String, Value)| {
        let schemas = json!({
            "input_schema": null, "output_schema": null, "state_schema": state, "config_schema": {},
            "context_schema": null,
        });
        (name, schemas)
    };
    Value::Object(inner.map(shape).collect::<Map<String, Value>>())
}
