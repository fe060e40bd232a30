//! Which way the question goes.

use std::sync::Arc;

use duru::{Cx, Result};
use serde_json::json;

use super::shared;
use crate::decided;
use crate::researcher::decide::{QueryRouter, QueryType, Route, ToRoute};
use crate::researcher::state::{Research, ResearchUpdate, WorkflowStatus};
use crate::researcher::toolbox::Toolbox;

/// So many messages before the question are looked at.
pub(super) const TURNS: usize = 4;

pub(in crate::researcher) async fn query_router(s: Arc<Research>, cx: Cx) -> Result<ResearchUpdate> {
    let history = s.history(TURNS);
    let asked = ToRoute::new(&s.query, history.iter().map(String::as_str));
    // What it points at is no part of the conversation's words. That it can't be read is told where it is searched.
    let searcher = cx.get::<Toolbox>()?.searcher(&cx);
    let route = match searcher.points_at_attached(&s.query).await.unwrap_or(false) {
        true => Route {
            query_type: QueryType::RagRequired,
            reason: "it points at what was sent with the conversation".to_owned(),
        },
        false => decided::decider(&cx)?.decide::<QueryRouter>(&asked).await?.value,
    };
    let statistics = json!({ "query_type": route.query_type, "reason": route.reason });
    Ok(shared::report(cx.node(), route.reason, statistics)
        .query_type(Some(route.query_type))
        .workflow_status(WorkflowStatus::Running))
}
