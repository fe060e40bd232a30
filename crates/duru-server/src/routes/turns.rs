//! A conversation, page by page: one request has all that a page of turns shows, however long the thread is.

use axum::Json;
use axum::extract::Path;
use axum::response::IntoResponse;
use duru::store::{QueuedRun, RunQuery};
use duru::{RunId, RunReport, ThreadId};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::ASK;
use super::runs::run_id;
use super::threads::thread_id;
use crate::api::ApiRoutes;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::query::Params;
use crate::scope::Scope;
use crate::turns::TurnTree;
use crate::wire::run_record::RunRecord;
use crate::wire::state::CheckpointRecord;
use crate::wire::thread::{FailureRecord, ThreadRecord};
use crate::wire::turn::{OpenQuestion, TurnRecord, TurnsRecord};

/// How many turns a page has unless told, and at most.
const USUAL: usize = 20;
const MOST: usize = 100;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(turns))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct TurnsQuery {
    /// 20 unless told.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Those that lead to this turn.
    #[param(value_type = Option<Uuid>)]
    before: Option<String>,
    /// This turn and those that lead to it.
    #[param(value_type = Option<Uuid>)]
    at: Option<String>,
    /// The branch with this turn in it.
    #[param(value_type = Option<Uuid>)]
    branch: Option<String>,
}

/// A page of a conversation, by default the newest turns
///
/// The last turns of a branch: of that with `branch` in it (its newest turn is the end), or of that with the newest
/// turn of all. With `at`, this turn and those that lead to it; with `before`, only those.
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/turns",
    params(TurnsQuery),
    responses((status = 200, body = TurnsRecord)),
)]
async fn turns(Scope(hub): Scope, Path(id): Path<String>, Params(query): Params<TurnsQuery>) -> ApiResult {
    let id = thread_id(&id)?;
    let entry = hub.thread_entry(&id).await?;
    let limit = query.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::invalid(format!("limit must be from 1 to {MOST}, not {limit}")));
    }
    let mut runs = hub.stores.runs.runs(RunQuery { thread: Some(id.clone()), ..RunQuery::default() }).await?;
    runs.reverse();
    let tree = TurnTree::of(&runs);
    let named = |text: Option<&str>| -> ApiResult<Option<usize>> {
        let Some(text) = text else { return Ok(None) };
        let found = tree.turn_of(run_id(text)?);
        found.map(Some).ok_or_else(|| ApiError::not_found(format!("Turn {text} not found")))
    };
    let newest = tree.turns.len().checked_sub(1);
    let (before, at, branch) =
        (named(query.before.as_deref())?, named(query.at.as_deref())?, named(query.branch.as_deref())?);
    let end = before.or(at).or(branch.map(|turn| tree.newest_under(turn))).or(newest);
    let mut path = end.map_or_else(Vec::new, |end| tree.path_to(end));
    if before.is_some() {
        path.pop();
    }
    let earlier = path.len().saturating_sub(limit);
    path.drain(..earlier);
    let chains: Vec<Vec<RunId>> =
        path.iter().map(|turn| tree.turns[*turn].runs.iter().map(|at| runs[*at].id).collect()).collect();
    let reports = hub.log(&id).reports(&chains).await?;
    let page = ConversationPage { thread: &id, runs: &runs, tree: &tree };
    let turns = path.iter().zip(&reports).map(|(turn, report)| page.turn(*turn, report)).collect();
    let head = hub.stores.checkpoints.head(&id).await?;
    let mut thread = ThreadRecord::brief(&entry, head.as_ref());
    thread.title = Some(hub.title(&entry).await?);
    let newest_run = runs.last().map(|run| run.id.to_string());
    Ok(Json(TurnsRecord { thread, turns, earlier, newest_run }).into_response())
}

/// What the turns of a page are of.
struct ConversationPage<'a> {
    thread: &'a ThreadId,
    runs: &'a [QueuedRun],
    tree: &'a TurnTree,
}

impl ConversationPage<'_> {
    fn id(&self, turn: usize) -> String {
        self.tree.turns[turn].runs.first().map_or_else(String::new, |at| self.runs[*at].id.to_string())
    }

    fn turn(&self, turn: usize, report: &RunReport) -> TurnRecord {
        let own = &self.tree.turns[turn];
        let questions: Vec<OpenQuestion> = report.questions.iter().map(OpenQuestion::of).collect();
        // Whatever was asked later has given these questions up.
        let waits = !questions.is_empty() && own.runs.last() == Some(&(self.runs.len() - 1));
        let custom = report.custom.iter().filter(|told| told["type"] != "decision").cloned().collect();
        let failure =
            |name: &str, cause: &str| FailureRecord { error: name.to_owned(), message: cause.to_owned() };
        TurnRecord {
            turn_id: self.id(turn),
            parent: own.parent.map(|parent| self.id(parent)),
            siblings: self.tree.siblings(turn).iter().map(|other| self.id(*other)).collect(),
            runs: own.runs.iter().map(|at| RunRecord::of(&self.runs[*at])).collect(),
            values: report.values.clone(),
            next: report.next.clone(),
            before: report.input.map(|id| CheckpointRecord::of(self.thread, "", id.before_input())),
            checkpoint: report.checkpoint.map(|id| CheckpointRecord::of(self.thread, "", id)),
            questions,
            waits,
            custom,
            error: report.error.as_ref().map(|error| failure(&error.name, &error.cause)),
        }
    }
}
