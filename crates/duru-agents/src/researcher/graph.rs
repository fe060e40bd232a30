//! How the researcher's steps follow each other.

use duru::draw::Drawing;
use duru::{Command, CompileError, Compiled, Cx, END, Goto, Graph, Result, Target};

use super::QueryType;
use super::document::SubtaskStatus;
use super::nodes::{self, Found, Next, Work};
use super::state::{Inquiry, Research, WorkflowStatus};
use super::toolbox::Toolbox;

/// The researcher as a graph, ready for a store.
///
/// Sub-tasks go their ways side by side: each is retrieved, graded, perhaps rewritten and retrieved again, and comes
/// back to the executor, which sends out those that waited for it.
///
/// # Errors
/// If the graph can't work; a test says that it can.
pub fn graph(toolbox: Toolbox) -> Result<Compiled<Research, Inquiry>, CompileError> {
    Ok(steps(toolbox.routing)?.provide(toolbox))
}

/// What leads where, to be looked at: that needs no documents.
///
/// # Errors
/// As for [`graph`].
pub fn drawing() -> Result<Drawing, CompileError> {
    Ok(steps(true)?.drawing())
}

fn steps(routing: bool) -> Result<Compiled<Research, Inquiry>, CompileError> {
    let mut g = Graph::<Research>::new("researcher").input(Inquiry::update);
    let router = g.node("query_router", nodes::query_router);
    let direct = g.node("direct_response", nodes::direct_response);
    let context = g.node("context_enhancement", nodes::context_enhancement);
    let planning = g.node("planning", nodes::planning);
    let executor = g.node("subtask_executor", nodes::subtask_executor);
    let web = g.worker("web_search", nodes::web_search);
    let rewrite = g.worker("rewrite_query", nodes::rewrite_query);
    let grade = g.worker("grade_documents", move |found: Found, cx: Cx| async move {
        let (update, found, next) = nodes::grade_documents(found, cx).await?;
        let update = Command::<Research>::update(update);
        Ok(match next {
            Next::GoOn => update.goto(executor),
            Next::Rewrite => update.goto(rewrite.send(found)),
            Next::Web => update.goto(web.send(found)),
        })
    });
    let retrieval = g.worker("retrieval", move |work: Work, cx: Cx| async move {
        let (update, found) = nodes::retrieval(work, cx).await?;
        Ok(Command::<Research>::update(update).goto(grade.send(found)))
    });
    let synthesis = g.node("synthesis", nodes::synthesis);
    let check = g.node("hallucination_check", nodes::hallucination_check);
    let grader = g.node("answer_grader", nodes::answer_grader);

    g.start_route([router, direct, planning], move |s: &Research| match (s.query.is_empty(), routing) {
        (true, _) => direct,
        (false, true) => router,
        (false, false) => planning,
    });
    g.route(router, [direct, context, planning], move |s: &Research| match s.query_type {
        Some(QueryType::Simple) => direct,
        Some(QueryType::HistoryRequired) => context,
        _ => planning,
    });
    g.edge(direct, END).edge(context, planning).edge(planning, executor);
    g.route(executor, [retrieval.into(), synthesis.into(), END], move |s: &Research| -> Vec<Goto> {
        let sent: Vec<Goto> = nodes::ready(s).into_iter().map(|work| retrieval.send(work).into()).collect();
        let all_back = s.subtasks.iter().all(|subtask| subtask.status == SubtaskStatus::Retrieved);
        match sent.is_empty() {
            false => sent,
            // Others are still on their way, and come back here.
            true if !all_back || ended(s) => Vec::new(),
            true => vec![synthesis.into()],
        }
    });
    g.may_go(retrieval, [grade]);
    g.may_go(grade, [executor.into(), Target::from(rewrite), Target::from(web)]);
    g.edge(rewrite, executor).edge(web, executor);
    g.route(synthesis, [check.into(), END], move |s: &Research| if ended(s) { END } else { check.into() });
    g.route(check, [grader.into(), synthesis.into(), END], move |s: &Research| -> Target {
        match &s.hallucination_check {
            _ if ended(s) => END,
            Some(check) if check.is_valid => grader.into(),
            _ => synthesis.into(),
        }
    });
    g.route(
        grader,
        [synthesis.into(), END],
        move |s: &Research| if ended(s) { END } else { synthesis.into() },
    );
    g.compile()
}

fn ended(s: &Research) -> bool {
    matches!(s.workflow_status, WorkflowStatus::Completed | WorkflowStatus::Failed)
}
