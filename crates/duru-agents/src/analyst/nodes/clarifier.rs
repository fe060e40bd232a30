//! Asks the person back, where it must, at most twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::decide::{AnalyseQuery, AnalysisAsked};
use super::super::reader::{AskBack, QueryAnalysis};
use super::super::reading::{Prepared, ROUNDS, Reading};
use super::super::state::{Analysis, AnalysisUpdate};
use super::shared;
use crate::decided;

/// What the person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Asking {
    #[serde(rename = "type")]
    kind: String,
    question: String,
    clarifications: Vec<AskBack>,
    round: u32,
}

/// What the person answers: a word for the one thing that was asked, or a word per field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Answered {
    Word(String),
    Fields(BTreeMap<String, String>),
}

/// One look at the question: what is open, and what is asked because of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Round {
    analysis: QueryAnalysis,
    open: Vec<AskBack>,
    asking: Option<Asking>,
}

/// Made once, however often the node runs: while the person thinks, services may come and go, and what they are asked
/// must stay the same.
async fn round(s: &Analysis, known: &Analysis, prepared: &Prepared, cx: &Cx) -> Result<Round> {
    let key = format!("round {}", known.clarification_count);
    let look = async || {
        let reading = Reading::of(known, prepared);
        let asked = AnalysisAsked {
            question: s.resolved_question.clone(),
            filters: known.filters.clone(),
            draft: reading.covers_all().then(|| reading.analysis.clone()),
            rule: reading.analysis.clone(),
        };
        let analysis = decided::decider(cx)?.decide::<AnalyseQuery>(&asked).await?.value;
        let open = reading.open(&analysis);
        if open.is_empty() || known.clarification_count >= ROUNDS {
            return Ok(Round { analysis, open, asking: None });
        }
        let asking = Asking {
            kind: "clarification_needed".into(),
            question: s.question.clone(),
            clarifications: open.clone(),
            round: known.clarification_count + 1,
        };
        cx.emit(&asking)?;
        Ok(Round { analysis, open, asking: Some(asking) })
    };
    cx.memo(&key, look).await
}

pub(in super::super) async fn clarifier(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    if s.given_sql.is_some() {
        return Ok(AnalysisUpdate::new());
    }
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let mut known = (*s).clone();
    let mut needed = Vec::new();
    let analysis = loop {
        let Round { analysis, open, asking } = round(&s, &known, &prepared, &cx).await?;
        let Some(asking) = asking else { break analysis };
        known.clarification_count = asking.round;
        // From here the run waits, for as long as it takes.
        match cx.interrupt::<Answered>(&asking)? {
            Answered::Fields(fields) => known.user_clarifications.extend(fields),
            Answered::Word(word) => {
                known.user_clarifications.extend(open.first().map(|first| (first.field.clone(), word)));
            }
        }
        needed.extend(open);
        let understood = Reading::of(&known, &prepared);
        known.filters = understood.filters;
    };
    let update = AnalysisUpdate::new()
        .query_analysis(analysis)
        .asked_back(None)
        .clarification_count(known.clarification_count)
        .user_clarifications(known.user_clarifications)
        .filters(known.filters);
    if needed.is_empty() {
        let event = json!({ "type": "clarification_skipped" });
        cx.emit(&event)?;
        return Ok(update.events([event]));
    }
    let event = json!({ "type": "clarification_needed", "clarifications": needed });
    Ok(update.clarifications_needed(needed).events([event]))
}
