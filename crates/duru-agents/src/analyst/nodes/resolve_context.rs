//! Makes the question stand on its own.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::{By, Untrusted};
use serde_json::json;

use super::shared;
use crate::analyst::decide::{ContextAsked, ResolveContext, Resolved};
use crate::analyst::reading::Reading;
use crate::analyst::state::{Analysis, AnalysisUpdate, Trouble, TroubleCode};
use crate::analyst::words;
use crate::decided;

/// So many earlier questions are looked at.
pub(in crate::analyst) const TURNS: usize = 3;

pub(in crate::analyst) async fn resolve_context(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    // What the person was asked and did not answer is what this question may lean on.
    let mut known = (*s).clone();
    known.left_open = s.asked_back.clone();
    let Some(tools) = shared::chosen(&s, &cx)? else {
        let message = words::not_there(&s.about.names(), s.lang());
        let trouble = Trouble { code: TroubleCode::Refused, message };
        return Ok(shared::gives_up(AnalysisUpdate::new(), trouble));
    };
    if known.timezone.is_empty() {
        known.timezone.clone_from(&tools.timezone);
    }
    let update = AnalysisUpdate::new()
        .asked_at(Some(s.moment().to_string()))
        .timezone(known.timezone.clone())
        .left_open(known.left_open.clone())
        .asked_back(None);
    if s.question.is_empty() && s.given_sql.is_none() {
        let message = words::nothing_asked(s.lang());
        return Ok(shared::gives_up(update, Trouble { code: TroubleCode::NotUnderstood, message }));
    }
    let prepared = shared::prepared(&tools).await?;
    let reading = Reading::of(&known, &prepared);
    // Nothing was said before: there is nothing to resolve, and no model is asked.
    let before = s.turns.iter().chain(&known.left_open);
    let before: Vec<String> = before.map(|turn| turn.question.clone()).collect();
    let (resolved, by) = if before.is_empty() || s.given_sql.is_some() {
        let resolved = s.question.clone();
        (Resolved { resolved_question: resolved, needed: false, reason: String::new() }, By::Rule)
    } else {
        let before = before[before.len().saturating_sub(TURNS)..].to_vec();
        let asked = ContextAsked {
            question: s.question.clone(),
            before,
            focus: Untrusted::new(words::focus(&s.current_focus)),
            draft: reading.covers_all().then(|| reading.resolved_question.clone()),
        };
        // In other words, what is never given might look as if it could be.
        let decider = decided::decider(&cx)?;
        let decider = if reading.is_off_limits() { decider.by_rules() } else { decider };
        let outcome = decider.decide::<ResolveContext>(&asked).await?;
        (outcome.value, outcome.by)
    };
    let event = json!({
        "type": "context_resolved", "original": s.question, "resolved": resolved.resolved_question,
        "needed": resolved.needed, "by": by,
    });
    cx.emit(&event)?;
    Ok(update
        .resolved_by_model(by != By::Rule && resolved.needed)
        .resolved_question(resolved.resolved_question)
        .events([event]))
}
