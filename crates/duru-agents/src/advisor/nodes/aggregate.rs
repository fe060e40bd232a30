//! Puts the teams' results together, and asks whether they answer the question.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use super::super::ask::decide;
use super::super::decide::{ReviewAsked, ReviewExecution};
use super::super::orchestrator;
use super::super::planner::kind;
use super::super::progress::{Progress, show};
use super::super::state::{
    Achieved, Advice, AdviceStatus, AdviceUpdate, Aggregated, Execution, Phase, Remedy, Review, TeamStatus,
};
use super::super::toolbox::Toolbox;
use super::super::understand::{DataKind, Intent};
use super::super::words;
use super::orchestrate::calls_left;

pub(in super::super) async fn aggregate(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let data = s.data();
    let has =
        |wanted: DataKind| data.iter().any(|used| used.found.items.iter().any(|item| item.kind == wanted));
    let reports = data.iter().map(|used| used.found.reports.len()).sum();
    let missing: Vec<DataKind> = s
        .planning
        .required
        .iter()
        .filter(|kind| **kind != DataKind::Contract && !has(**kind))
        .copied()
        .collect();
    let mut wanting: Vec<String> = s.team_results.values().flat_map(|result| result.gaps.clone()).collect();
    wanting.dedup();
    let aggregated = Aggregated {
        items: data.iter().map(|used| used.found.items.len()).sum(),
        reports,
        insights: s.team_results.values().flat_map(|result| result.insights.clone()).collect(),
        missing: missing.clone(),
        wanting,
        reused: s.reused.iter().flat_map(|reuse| reuse.kinds.clone()).collect(),
    };
    let draft = by_rule(&s, &aggregated);
    // One step is reviewed by the rules, and so is what nothing is wanting of.
    let whole = draft.verdict == Achieved::Yes
        && s.team_results.values().all(|result| result.status == TeamStatus::Accepted);
    let left = if s.planning.single || whole { 0 } else { calls_left(&s, &tools) };
    let failed = s.faults.iter().filter(|fault| fault.done == Remedy::Skipped);
    let asked = ReviewAsked {
        question: Untrusted::new(s.query.as_str()),
        intent: s.planning.intent.unwrap_or(Intent::Unclear),
        results: orchestrator::summaries(&s).into_iter().map(Untrusted::new).collect(),
        failed: failed.map(|fault| words::tool(&fault.tool, s.lang())).collect(),
        draft,
    };
    let reviewed = decide::<ReviewExecution>(&cx, left, &asked).await?;
    let review = reviewed.value;
    let verdict = match review.verdict {
        Achieved::Yes => "yes",
        Achieved::Partial => "partial",
        Achieved::No => "no",
    };
    show(
        &cx,
        &Progress::ExecutionReview {
            achievement: review.achievement,
            verdict: verdict.to_owned(),
            missing: review.missing.clone(),
        },
    );
    let status = match review.verdict {
        Achieved::Yes => AdviceStatus::Running,
        Achieved::Partial | Achieved::No => AdviceStatus::Partial,
    };
    Ok(AdviceUpdate::new()
        .aggregated(Some(aggregated))
        .execution_review(Some(review))
        .status(status)
        .execution(Execution { phase: Phase::Reviewed, ..s.execution.clone() })
        .execution_metadata(BTreeMap::from([("model_calls".to_owned(), reviewed.calls)])))
}

fn by_rule(s: &Advice, aggregated: &Aggregated) -> Review {
    let lang = s.lang();
    let nothing = aggregated.items + aggregated.reports == 0;
    let missing: Vec<String> = aggregated.missing.iter().map(|one| kind(*one, lang)).collect();
    let lost = s.faults.iter().any(|fault| fault.done == Remedy::Skipped) || !aggregated.wanting.is_empty();
    let required = s.planning.required.len().max(1) as f64;
    let (achievement, verdict) = match (nothing, missing.is_empty(), lost) {
        (true, ..) => (0.1, Achieved::No),
        (false, false, _) => (1.0 - missing.len() as f64 / (required + 1.0), Achieved::Partial),
        (false, true, true) => (0.8, Achieved::Partial),
        (false, true, false) => (1.0, Achieved::Yes),
    };
    Review { achievement, verdict, missing }
}
