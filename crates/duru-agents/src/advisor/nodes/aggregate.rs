//! Puts the teams' results together, and asks whether they answer the question.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use crate::advisor::ask::{calls_left, decide};
use crate::advisor::decide::{ReviewAsked, ReviewExecution};
use crate::advisor::gist;
use crate::advisor::planner::kind;
use crate::advisor::progress::{Progress, show};
use crate::advisor::state::{
    Achieved, Advice, AdviceStatus, AdviceUpdate, Aggregated, Execution, Phase, Remedy, Review,
};
use crate::advisor::toolbox::Toolbox;
use crate::advisor::understand::{DataKind, Intent};
use crate::advisor::words;

pub(in crate::advisor) async fn aggregate(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let (review, calls) = match &s.execution.review {
        Some(review) => (review.clone(), 0),
        None => {
            let left =
                if tools.bounds.enhanced { calls_left(&s, &tools.bounds).saturating_sub(1) } else { 0 };
            reviewed(&s, &cx, left).await?
        }
    };
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
        .aggregated(Some(together(&s)))
        .execution_review(Some(review))
        .status(status)
        .execution(Execution { phase: Phase::Reviewed, ..s.execution.clone() })
        .execution_metadata(BTreeMap::from([("model_calls".to_owned(), calls)])))
}

/// Whether the results answer the question, and what asking that cost. A single step is reviewed by the rules.
pub(super) async fn reviewed(s: &Advice, cx: &Cx, left: u64) -> Result<(Review, u64)> {
    let left = if s.planning.single { 0 } else { left };
    let failed = s.faults.iter().filter(|fault| fault.done == Remedy::Skipped);
    let asked = ReviewAsked {
        question: Untrusted::new(s.query.as_str()),
        intent: s.planning.intent.unwrap_or(Intent::Unclear),
        results: gist::results(s).into_iter().map(Untrusted::new).collect(),
        failed: failed.map(|fault| words::tool(&fault.tool, s.lang())).collect(),
        draft: by_rule(s, &together(s)),
    };
    let said = decide::<ReviewExecution>(cx, left, &asked).await?;
    Ok((said.value, said.calls))
}

/// All that an answer is made from.
fn together(s: &Advice) -> Aggregated {
    let data = s.data();
    let has =
        |wanted: DataKind| data.iter().any(|used| used.found.items.iter().any(|item| item.kind == wanted));
    let missing = s.planning.required.iter().filter(|kind| **kind != DataKind::Contract && !has(**kind));
    let mut wanting: Vec<String> = s.team_results.values().flat_map(|result| result.gaps.clone()).collect();
    wanting.dedup();
    Aggregated {
        items: data.iter().map(|used| used.found.items.len()).sum(),
        reports: data.iter().map(|used| used.found.reports.len()).sum(),
        insights: s.team_results.values().flat_map(|result| result.insights.clone()).collect(),
        missing: missing.copied().collect(),
        wanting,
        reused: s.reused.iter().flat_map(|reuse| reuse.kinds.clone()).collect(),
    }
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
