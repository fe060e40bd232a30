//! Writes the query.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::{By, DecisionPolicy};
use serde_json::json;

use super::shared;
use crate::analyst::decide::{GenerateSql, Sql};
use crate::analyst::graph::TRIES;
use crate::analyst::reading::Reading;
use crate::analyst::state::{Analysis, AnalysisUpdate, Trouble, TroubleCode};
use crate::analyst::words;
use crate::decided;
use crate::links::without_links;

pub(in crate::analyst) async fn generate_sql(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    if let Some(sql) = &s.given_sql {
        let explanation = words::own_query(s.lang());
        return Ok(AnalysisUpdate::new().generated_sql(Some(sql.clone())).explanation(explanation));
    }
    if let Some(query) = s.model_query.as_ref().filter(|_| s.uses_model_query) {
        let event = json!({ "type": "sql_generated", "sql": query.sql, "by": By::Model });
        cx.emit(&event)?;
        let explanation = words::as_the_model_reads(&query.explanation, s.lang());
        let update = AnalysisUpdate::new().events([event]).explanation(explanation);
        return Ok(update.generated_sql(Some(query.sql.clone())));
    }
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let reading = Reading::of(&s, &prepared);
    let rejected = s.validation_error.clone();
    let rejected = s.generated_sql.clone().zip(rejected);
    let decider = decided::decider(&cx)?;
    // When the guard has refused all that a model wrote, the parser's query stands in. No model is asked to overrule a
    // refusal that keeps people and data safe, and one that is compared with the rules was asked before.
    let compared = decider.policy_of::<GenerateSql>().is_some_and(DecisionPolicy::compares);
    let by_rules = s.retry_count >= TRIES || reading.is_off_limits() || compared;
    let decider = if by_rules { decider.by_rules() } else { decider };
    // Rules know what words stand for.
    let hints = if by_rules { Vec::new() } else { Reading::hints(&s, &prepared) };
    let asked = shared::sql_asked(&s, &reading, &hints, rejected);
    let mut outcome = decider.decide::<GenerateSql>(&asked).await?;
    if let Some(query) = s.model_query.as_ref().filter(|query| query.shows_more && s.retry_count == 0) {
        // The rules' reading, with all that was asked to be shown.
        outcome.value.sql = Some(query.sql.clone());
        outcome.by = By::Model;
    }
    let event = json!({ "type": "sql_generated", "sql": outcome.value.sql, "by": outcome.by });
    cx.emit(&event)?;
    let update = AnalysisUpdate::new().events([event]);
    Ok(match outcome.value {
        Sql { sql: Some(sql), explanation, .. } => {
            let explanation = without_links(&explanation, &s.question);
            update.generated_sql(Some(sql)).explanation(explanation).validation_error(None)
        }
        Sql { sql: None, refusal, .. } => {
            let refusal = refusal.map(|refusal| without_links(&refusal, &s.question));
            let (code, message) = match refusal {
                Some(refusal) if reading.understood || outcome.by != By::Rule => {
                    (TroubleCode::Refused, refusal)
                }
                Some(refusal) => (TroubleCode::NotUnderstood, refusal),
                None => (TroubleCode::NotUnderstood, words::not_understood(s.lang())),
            };
            shared::gives_up(update, Trouble { code, message })
        }
    })
}
