//! Writes the query.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::{By, Untrusted};
use serde_json::json;

use super::super::decide::{GenerateSql, Sql, SqlAsked};
use super::super::graph::TRIES;
use super::super::reading::Reading;
use super::super::state::{Analysis, AnalysisUpdate, Trouble, TroubleCode};
use super::super::words;
use super::shared;
use crate::decided;
use crate::links::without_links;

pub(in super::super) async fn generate_sql(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    if let Some(sql) = &s.given_sql {
        let explanation = words::own_query(s.lang());
        return Ok(AnalysisUpdate::new().generated_sql(Some(sql.clone())).explanation(explanation));
    }
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let reading = Reading::of(&s, &prepared);
    let asked = SqlAsked {
        question: s.resolved_question.clone(),
        now: words::local(&s),
        timezone: s.timezone.clone(),
        filters: s.filters.clone(),
        max_results: s.max_results,
        schema: Untrusted::new(s.schema_info.as_str()),
        samples: Untrusted::new(s.sample_data.to_string()),
        draft: reading.covers_all().then(|| reading.sql.clone()),
        rule: reading.sql.clone(),
        rejected: s.validation_error.as_ref().and(s.generated_sql.clone()),
        reason: s.validation_error.clone(),
    };
    // When the guard has refused all that a model wrote, the parser's query stands in.
    let decider = decided::decider(&cx)?;
    // And no model is asked to overrule a refusal that keeps people and data safe.
    let by_rules = s.retry_count >= TRIES || reading.is_off_limits();
    let decider = if by_rules { decider.by_rules() } else { decider };
    let outcome = decider.decide::<GenerateSql>(&asked).await?;
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
