//! What the server answers, for programs (`/openapi.json`) and people (`/docs`).

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{Operation, PathItem};

use crate::api::ApiRoutes;
use crate::guard::Access;

/// Both forms, made once.
struct Documents {
    json: String,
    page: String,
}

/// The document leaves them out: it describes what there is beside itself.
pub(crate) fn routes(document: &OpenApi) -> Result<ApiRoutes, serde_json::Error> {
    let documents = Documents { json: document.to_json()?, page: page(document) };
    Ok(ApiRoutes::new()
        .unlisted(Access::Public, "get", "/openapi.json", get(json))
        .unlisted(Access::Public, "get", "/docs", get(docs))
        .unlisted(Access::Public, "get", "/docs/style.css", get(style))
        .with_state(Arc::new(documents)))
}

async fn json(State(documents): State<Arc<Documents>>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], documents.json.clone()).into_response()
}

async fn docs(State(documents): State<Arc<Documents>>) -> Response {
    Html(documents.page.clone()).into_response()
}

/// A plain page, with nothing from elsewhere.
fn page(document: &OpenApi) -> String {
    let rows: String = document.paths.paths.iter().map(|(path, item)| rows(path, item)).collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Duru</title>\
         <link rel=\"stylesheet\" href=\"/docs/style.css\">\
         <h1>Duru</h1><p>Durable graphs over HTTP. For programs: <a href=\"/openapi.json\">/openapi.json</a>.</p>\
         <table>{rows}</table></html>"
    )
}

fn rows(path: &str, item: &PathItem) -> String {
    let methods = [
        ("GET", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("PATCH", &item.patch),
        ("DELETE", &item.delete),
    ];
    let row = |(method, operation): (&str, &Option<Operation>)| {
        let operation = operation.as_ref()?;
        let scope = operation.extensions.as_ref().and_then(|all| all.get("x-duru-scope")?.as_str());
        let (summary, scope) = (operation.summary.as_deref().unwrap_or_default(), scope.unwrap_or_default());
        Some(format!(
            "<tr><td><code>{method}</code></td><td><code>{path}</code></td><td>{summary}</td><td>{scope}</td></tr>"
        ))
    };
    methods.into_iter().filter_map(row).collect()
}

/// No page of ours has a style or a script of its own in it: none that somebody
/// else wrote could be told from it.
async fn style() -> Response {
    let style = "body{font-family:system-ui;margin:2rem auto;max-width:60rem}td{padding:.2rem .8rem .2rem 0}";
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style).into_response()
}
