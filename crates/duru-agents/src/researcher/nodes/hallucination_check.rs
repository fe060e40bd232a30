//! Every claim against the documents that it cites.

use std::sync::Arc;

use duru::{Command, Cx, Result};
use serde_json::json;

use super::shared::{self, RETRIES};
use crate::decided;
use crate::researcher::claims::{Fault, Unsupported, claims, fault};
use crate::researcher::decide::{CheckClaims, ClaimsAsked, Verdict, Verdicts};
use crate::researcher::ending;
use crate::researcher::sentences::{begins_with_citation, without_citations};
use crate::researcher::state::{Attempt, Check, Research, WorkflowStatus};

/// Valid from here on.
const VALID: f32 = 0.7;

pub(in crate::researcher) async fn hallucination_check(
    s: Arc<Research>,
    cx: Cx,
) -> Result<Command<Research>> {
    let answer = s.intermediate_answer.clone().unwrap_or_default();
    let all = claims(&answer);
    let faults: Vec<Option<Fault>> = all.iter().map(|claim| fault(claim, &s.documents)).collect();
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let draft = faults.iter().enumerate().map(|(at, fault)| Verdict {
        claim: number(at),
        supported: fault.is_none(),
        reason: fault.map_or("", Fault::word).to_owned(),
    });
    let asked = ClaimsAsked {
        claims: shared::untrusted(all.iter().enumerate().map(|(at, claim)| format!("{}. {claim}", at + 1))),
        documents: shared::numbered(&s.documents),
        draft: Verdicts { claims: draft.collect() },
    };
    let verdicts = decided::decider(&cx)?.decide::<CheckClaims>(&asked).await?.value;
    let mut unsupported = Vec::new();
    for (at, (claim, fault)) in all.iter().zip(&faults).enumerate() {
        let judged = verdicts.claims.iter().find(|verdict| verdict.claim == number(at));
        // A wrong number stays wrong whoever says otherwise; of other words, a model knows more.
        let fault = match (fault, judged.map(|verdict| verdict.supported)) {
            (Some(fault), _) if fault.is_plain() => Some(*fault),
            (fault, Some(false)) => Some(fault.unwrap_or(Fault::Judged)),
            // What begins with its number reads like an entry of the list of sources.
            (Some(Fault::Terms), Some(true)) if begins_with_citation(claim) => Some(Fault::Terms),
            (_, Some(true)) => None,
            (fault, None) => *fault,
        };
        unsupported.extend(fault.map(|fault| Unsupported { claim: without_citations(claim), fault }));
    }
    let score = if all.is_empty() { 0.0 } else { 1.0 - unsupported.len() as f32 / all.len() as f32 };
    let is_valid = score >= VALID;
    let named: Vec<String> =
        unsupported.iter().map(|refused| format!("{} ({})", refused.claim, refused.fault.word())).collect();
    let last = s.retry_count >= RETRIES;
    let check = Check {
        is_valid,
        score,
        reason: format!("{} of {} claims supported", all.len() - unsupported.len(), all.len()),
        suggestions: named.clone(),
        needs_retry: !is_valid && !last,
    };
    let better = s.best_answer.as_ref().is_none_or(|best| score > best.score);
    let attempt = Attempt { answer: answer.clone(), score, unsupported: unsupported.clone() };
    let best = if better { attempt } else { s.best_answer.clone().unwrap_or(attempt) };
    let statistics = json!({ "claims": all.len(), "unsupported": unsupported.len() });
    let update = shared::report(cx.node(), check.reason.as_str(), statistics)
        .hallucination_check(Some(check))
        .unsupported(unsupported)
        .hallucination_feedback((!is_valid).then(|| named.join("\n")))
        .best_answer(Some(best.clone()));
    let update = Command::update(update);
    Ok(match !is_valid && last {
        true => update.and(ending::finish(
            &s,
            &cx,
            (&best.answer, best.score),
            &best.unsupported,
            WorkflowStatus::Failed,
        )?),
        false => update,
    })
}
