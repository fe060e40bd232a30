//! Assistants.

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use axum::routing::get;

use crate::error::{ApiError, ApiResult};
use crate::hub::{Shared, uuid};

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/assistants/{id}", get(read))
}

async fn read(State(hub): State<Shared>, Path(id): Path<String>) -> ApiResult {
    let id = uuid(&id, "assistant")?;
    let found = hub.assistant(&id.to_string()).await?;
    let assistant = found.ok_or_else(|| ApiError::not_found(format!("Assistant {id} not found")))?;
    Ok(Json(assistant.to_json()).into_response())
}
