//! What an assistant's graph looks like, and what goes in and comes out.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::Path;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::ASK;
use super::assistants::assistant_of;
use crate::api::ApiRoutes;
use crate::error::{ApiError, ApiResult};
use crate::graphs::Graph;
use crate::hub::{Hub, Shared};
use crate::query::Params;
use crate::scope::Scope;
use crate::wire::graph::GraphRecord;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(drawing))
        .with(ASK, routes!(schemas))
        .with(ASK, routes!(subgraphs))
        .with(ASK, routes!(subgraph))
}

/// The graph of an assistant, or the graph of that name.
async fn graph_of<'a>(hub: &'a Hub, id: &str) -> ApiResult<&'a Graph> {
    let assistant = hub.assistant(id).await?;
    let assistant = assistant.ok_or_else(|| ApiError::not_found(format!("Assistant {id} not found")))?;
    hub.graph(&assistant.graph)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GraphQuery {
    /// How many levels of graphs inside are opened: a number, or `true` for all.
    xray: Option<String>,
}

/// The graph of an assistant
#[utoipa::path(
    get,
    path = "/assistants/{assistant_id}/graph",
    params(GraphQuery),
    responses((status = 200, body = GraphRecord)),
)]
async fn drawing(Scope(hub): Scope, Path(id): Path<String>, Params(query): Params<GraphQuery>) -> ApiResult {
    let graph = graph_of(&hub, &id).await?;
    let depth = match query.xray.as_deref() {
        None | Some("false" | "False") => 0,
        Some("true" | "True") => usize::MAX,
        Some(levels) => levels
            .parse()
            .map_err(|_| ApiError::invalid(format!("xray must be a boolean or a number, not {levels:?}")))?,
    };
    Ok(Json(GraphRecord::of(&graph.app.graph().drawing(), depth)).into_response())
}

/// What goes into a graph and comes out, as JSON schemas.
#[derive(Serialize, ToSchema)]
struct GraphSchemas {
    graph_id: String,
    input_schema: Value,
    output_schema: Value,
    state_schema: Value,
    /// `config.configurable` and `context` are two names of one thing.
    config_schema: Value,
    context_schema: Value,
}

/// The input, output and state schemas of the graph
#[utoipa::path(
    get,
    path = "/assistants/{assistant_id}/schemas",
    responses((status = 200, body = GraphSchemas)),
)]
async fn schemas(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let assistant = assistant_of(&hub, &id).await?;
    let schemas = hub.graph(&assistant.graph)?.app.graph().schemas();
    let body = GraphSchemas {
        graph_id: assistant.graph,
        input_schema: schemas.input.clone(),
        output_schema: schemas.output.clone(),
        state_schema: schemas.state.clone(),
        config_schema: schemas.context.clone().unwrap_or_else(|| json!({})),
        context_schema: json!(schemas.context),
    };
    Ok(Json(body).into_response())
}

/// The schemas of a graph inside a graph.
#[derive(Serialize, ToSchema)]
struct SubgraphSchemas {
    input_schema: Value,
    output_schema: Value,
    state_schema: Value,
    config_schema: Value,
    context_schema: Value,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SubgraphQuery {
    /// Also the graphs inside those.
    #[serde(default)]
    recurse: bool,
}

/// The schemas of its subgraphs
#[utoipa::path(
    get,
    path = "/assistants/{assistant_id}/subgraphs",
    params(SubgraphQuery),
    responses((status = 200, body = BTreeMap<String, SubgraphSchemas>)),
)]
async fn subgraphs(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Params(query): Params<SubgraphQuery>,
) -> ApiResult {
    let graph = graph_of(&hub, &id).await?;
    Ok(Json(schemas_inside(graph, None, query.recurse)).into_response())
}

/// The schemas of one subgraph
#[utoipa::path(
    get,
    path = "/assistants/{assistant_id}/subgraphs/{namespace}",
    params(SubgraphQuery),
    responses((status = 200, body = BTreeMap<String, SubgraphSchemas>)),
)]
async fn subgraph(
    Scope(hub): Scope,
    Path((id, namespace)): Path<(String, String)>,
    Params(query): Params<SubgraphQuery>,
) -> ApiResult {
    let graph = graph_of(&hub, &id).await?;
    Ok(Json(schemas_inside(graph, Some(&namespace), query.recurse)).into_response())
}

/// The graphs inside a graph by name, as `child` or `child|grandchild`: only
/// those directly inside, or those within one, or all.
fn schemas_inside(
    graph: &Graph,
    namespace: Option<&str>,
    recurse: bool,
) -> BTreeMap<String, SubgraphSchemas> {
    let wanted = |name: &str| match namespace {
        None => recurse || !name.contains('|'),
        Some(namespace) => {
            let within = name.strip_prefix(namespace);
            within.is_some_and(|rest| rest.is_empty() || (recurse && rest.starts_with('|')))
        }
    };
    let inner = graph.app.graph().subgraphs().into_iter().filter(|(name, _)| wanted(name));
    let shape = |(name, state_schema): (String, Value)| {
        let schemas = SubgraphSchemas {
            input_schema: Value::Null,
            output_schema: Value::Null,
            state_schema,
            config_schema: json!({}),
            context_schema: Value::Null,
        };
        (name, schemas)
    };
    inner.map(shape).collect()
}
