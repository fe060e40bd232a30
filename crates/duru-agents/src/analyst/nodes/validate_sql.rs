//! Lets the guard decide.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::By;
use serde_json::json;

use super::shared;
use crate::analyst::graph::TRIES;
use crate::analyst::state::{Analysis, AnalysisUpdate, Trouble, TroubleCode};
use crate::analyst::words;

pub(in crate::analyst) async fn validate_sql(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let tools = shared::toolbox(&s, &cx)?;
    let sql = s.generated_sql.clone().unwrap_or_default();
    let refusal = match tools.check(&sql, &s) {
        Ok(checked) => {
            let added = checked.soft_delete_added();
            let event = json!({ "type": "sql_validated", "valid": true, "soft_delete_added": added });
            cx.emit(&event)?;
            return Ok(AnalysisUpdate::new()
                .executed_sql(Some(checked.sql().to_owned()))
                .soft_delete_added(added)
                .validation_error(None)
                .events([event]));
        }
        Err(refusal) => refusal.text(s.lang()),
    };
    let tries = s.retry_count + 1;
    let event = json!({ "type": "sql_validated", "valid": false, "reason": refusal, "tries": tries });
    cx.emit(&event)?;
    let update =
        AnalysisUpdate::new().validation_error(Some(refusal.clone())).retry_count(tries).events([event]);
    // Whoever wrote the query by hand, and the rules, would write it again.
    let last = if s.given_sql.is_some() || wrote(&s) == Some(By::Rule) { true } else { tries > TRIES };
    if !last {
        return Ok(update);
    }
    let message = words::refused(&refusal, s.lang());
    Ok(shared::gives_up(update, Trouble { code: TroubleCode::Guard, message }))
}

/// Who wrote the query.
fn wrote(s: &Analysis) -> Option<By> {
    let event = s.events.iter().rev().find(|event| event["type"] == "sql_generated")?;
    serde_json::from_value(event["by"].clone()).ok()
}
