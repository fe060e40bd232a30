//! Asks the person back, where it must, at most twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::DecisionPolicy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shared;
use crate::analyst::decide::{AnalyseQuery, AnalysisAsked, GenerateSql};
use crate::analyst::reader::{AskBack, QueryAnalysis, UNREAD, says_yes};
use crate::analyst::reading::{Prepared, ROUNDS, Reading};
use crate::analyst::state::{Analysis, AnalysisUpdate};
use crate::analyst::words;
use crate::decided;

/// What a person is asked about where only a model has a reading.
const MODEL_READING: &str = "model_reading";

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
        let open = with_model(reading.open(&analysis), &reading, known, cx)?;
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

/// What a model's query is offered as.
fn model_option(s: &Analysis) -> Option<String> {
    let query = s.model_query.as_ref().filter(|query| query.agrees_with.is_none())?;
    Some(words::as_the_model_reads(&query.explanation, s.lang()))
}

/// The person chose the model's query, in the words in which it was offered.
fn chose_model(known: &Analysis) -> bool {
    let Some(option) = model_option(known) else { return false };
    let answer = |field| known.user_clarifications.get(field);
    answer(UNREAD).is_some_and(|said| *said == option)
        || answer(MODEL_READING).is_some_and(|said| *said == option || says_yes(said))
}

/// What is asked, with what only the model reads among the answers. Where a model leads, the words that rules did not
/// understand are not asked about: the model reads them.
fn with_model(mut open: Vec<AskBack>, reading: &Reading, s: &Analysis, cx: &Cx) -> Result<Vec<AskBack>> {
    if decided::decider(cx)?.policy_of::<GenerateSql>().is_some_and(DecisionPolicy::leads) {
        open.retain(|ask| ask.field != UNREAD);
        return Ok(open);
    }
    let (Some(option), Some(query)) = (model_option(s), &s.model_query) else { return Ok(open) };
    if let Some(ask) = open.iter_mut().find(|ask| ask.field == UNREAD) {
        let place = ask.options.len().saturating_sub(1);
        ask.options.insert(place, option);
    } else if open.is_empty() && !s.user_clarifications.contains_key(MODEL_READING) {
        let (question, other) = if reading.covers_all() {
            (words::both_read_otherwise(s.lang()), reading.sql.explanation.clone())
        } else {
            (words::only_the_model_reads(&option, &query.sql, s.lang()), words::no(s.lang()))
        };
        open.push(AskBack {
            field: MODEL_READING.into(),
            kind: MODEL_READING.into(),
            question,
            options: vec![option, other],
            required: true,
            allow_custom: false,
        });
    }
    Ok(open)
}

pub(in crate::analyst) async fn clarifier(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    if s.given_sql.is_some() {
        return Ok(AnalysisUpdate::new());
    }
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let mut known = (*s).clone();
    let mut needed = Vec::new();
    let mut uses_model_query = chose_model(&known);
    if let Some(option) = s.model_query.as_ref().and_then(|query| query.agrees_with.clone()) {
        // Rules and model found the same rows, each in its own way: there is nothing to ask.
        known.user_clarifications.entry(UNREAD.to_owned()).or_insert(option);
    }
    let analysis = loop {
        if uses_model_query {
            break known.query_analysis.clone();
        }
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
        uses_model_query = chose_model(&known);
        let understood = Reading::of(&known, &prepared);
        known.filters = understood.filters;
    };
    let update = AnalysisUpdate::new()
        .query_analysis(analysis)
        .uses_model_query(uses_model_query)
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
