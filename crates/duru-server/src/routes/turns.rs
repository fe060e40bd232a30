//! A conversation, page by page: one request has all that a page of turns shows, however long the thread is.

use axum::Json;
use axum::Router;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::routing::get;
use duru::store::{QueuedRun, RunQuery};
use duru::{Question, RunId, RunReport, ThreadId};
use serde_json::{Value, json};

use super::runs::run_id;
use super::threads::thread_id;
use crate::body::Query;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::scope::Scope;
use crate::stream::says_something;
use crate::time::iso;
use crate::turns::TurnTree;
use crate::wire::state::checkpoint;
use crate::wire::{run, thread};

/// How many turns a page has unless told, and at most.
const USUAL: usize = 20;
const MOST: usize = 100;

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/threads/{id}/turns", get(turns))
}

/// The last turns of a branch: of that with `branch` in it (its newest turn is the end), or of that with the newest
/// turn of all. With `at`, this turn and those that lead to it; with `before`, only those.
async fn turns(Scope(hub): Scope, Path(id): Path<String>, query: Query) -> ApiResult {
    let id = thread_id(&id)?;
    let entry = hub.thread_entry(&id).await?;
    let limit = query.number("limit")?.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::invalid(format!("limit must be from 1 to {MOST}, not {limit}")));
    }
    let mut runs = hub.stores.runs.runs(RunQuery { thread: Some(id.clone()), ..RunQuery::default() }).await?;
    runs.reverse();
    let tree = TurnTree::of(&runs);
    let named = |name: &str| -> ApiResult<Option<usize>> {
        let Some(text) = query.one(name) else { return Ok(None) };
        let found = tree.turn_of(run_id(text)?);
        found.map(Some).ok_or_else(|| ApiError::not_found(format!("Turn {text} not found")))
    };
    let newest = tree.turns.len().checked_sub(1);
    let (before, at, branch) = (named("before")?, named("at")?, named("branch")?);
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
    let turns: Vec<Value> =
        path.iter().zip(&reports).map(|(turn, report)| page.turn(*turn, report)).collect();
    let head = hub.stores.checkpoints.head(&id).await?;
    let mut about = thread::brief(&entry, head.as_ref());
    about["title"] = hub.title(&entry).await?.into();
    let newest_run = runs.last().map(|run| run.id.to_string());
    let page = json!({ "thread": about, "turns": turns, "earlier": earlier, "newest_run": newest_run });
    Ok(Json(page).into_response())
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

    fn turn(&self, turn: usize, report: &RunReport) -> Value {
        let own = &self.tree.turns[turn];
        let siblings: Vec<String> = self.tree.siblings(turn).iter().map(|other| self.id(*other)).collect();
        let runs: Vec<Value> = own.runs.iter().map(|at| run::to_json(&self.runs[*at])).collect();
        let questions: Vec<Value> = report.questions.iter().map(question).collect();
        // Whatever was asked later has given these questions up.
        let waits = !questions.is_empty() && own.runs.last() == Some(&(self.runs.len() - 1));
        let custom: Vec<&Value> = report.custom.iter().filter(|told| told["type"] != "decision").collect();
        json!({
            "turn_id": self.id(turn), "parent": own.parent.map(|parent| self.id(parent)), "siblings": siblings,
            "runs": runs, "values": report.values, "next": report.next,
            "before": report.input.map(|id| checkpoint(self.thread, "", id.before_input())),
            "checkpoint": report.checkpoint.map(|id| checkpoint(self.thread, "", id)),
            "questions": questions, "waits": waits, "custom": custom,
            "error": report.error.as_ref().map(|error| json!({ "error": error.name, "message": error.cause })),
        })
    }
}

/// A question with all that is needed to answer it.
fn question(question: &Question) -> Value {
    let value: Value = question.get().unwrap_or_default();
    let schema: Value = serde_json::from_str(question.schema.get()).unwrap_or_default();
    json!({
        "id": question.id.to_string(), "value": value, "response_schema": Some(schema).filter(says_something),
        "deadline": question.deadline_ms.map(iso),
    })
}
