//! Runs the query, read-only and within limits. An error is told, never tried again.

use std::sync::Arc;

use duru::{AskedBy, Cx, Result};
use duru_sql::{Asking, Cap, Error, Limits};
use jiff::Timestamp;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::shared;
use crate::analyst::cache::{Kept, Whose};
use crate::analyst::count;
use crate::analyst::state::{Analysis, AnalysisUpdate, Formatted, MOST, Trouble, TroubleCode};
use crate::analyst::words;

pub(in crate::analyst) async fn execute_query(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let tools = shared::toolbox(&s, &cx)?;
    let cancel = CancellationToken::new();
    // Whoever gives up on the run gives up on the query.
    let _dropped = cancel.clone().drop_guard();
    // A client may have written the state itself.
    let limits = Limits { rows: s.max_results.min(MOST) as usize, ..tools.limits };
    let who = cx.get::<AskedBy>().ok().map(|who| who.0.clone());
    let asking = Asking { timezone: s.timezone.clone(), limits, cancel, who };
    let sql = s.generated_sql.clone().unwrap_or_default();
    let checked = match tools.check(&sql, &s) {
        Ok(checked) => checked,
        Err(refusal) => {
            let message = words::refused(&refusal.text(s.lang()), s.lang());
            return Ok(shared::gives_up(
                AnalysisUpdate::new(),
                Trouble { code: TroubleCode::Guard, message },
            ));
        }
    };
    let key = tools.key(&s, Whose::of(&cx)).await;
    if let Some(kept) = key.as_ref().and_then(|key| tools.answers.find(key)) {
        let said = kept.said.clone().filter(|said| said.question == s.resolved_question);
        let update = AnalysisUpdate::new().cached_at(Some(kept.at.to_string()));
        return told(update.insight(said.map(|said| said.insight)), kept, 0, &cx);
    }
    let at = Timestamp::now();
    let answer = match tools.logs.query(&checked, &asking).await {
        Ok(answer) => answer,
        Err(error) => return Ok(shared::gives_up(AnalysisUpdate::new(), trouble(&error, &s))),
    };
    let displayed = answer.rows.len() as u64;
    let full = answer.cut.is_some() || displayed >= u64::from(s.max_results);
    // Only what was cut has to be counted.
    let counted = if full { count::all(&s, &tools, &asking).await } else { Some(displayed) };
    let took = u64::try_from(answer.took.as_millis()).unwrap_or(u64::MAX);
    let kept = Kept {
        count: counted.unwrap_or(displayed).max(displayed),
        count_is_lower_bound: counted.is_none(),
        answer,
        at,
        said: None,
    };
    if let Some(key) = key {
        tools.answers.keep(key, kept.clone());
    }
    told(AnalysisUpdate::new(), kept, took, &cx)
}

/// The rows, as they go into the state and to whoever watches.
fn told(update: AnalysisUpdate, kept: Kept, took: u64, cx: &Cx) -> Result<AnalysisUpdate> {
    let Kept { answer, count, count_is_lower_bound, .. } = kept;
    let displayed = answer.rows.len() as u64;
    let truncated = count > displayed || answer.cut == Some(Cap::Bytes);
    let data = shared::named_rows(&answer);
    let event = json!({
        "type": "query_executed", "count": count, "displayed": displayed, "truncated": truncated,
        "execution_time_ms": took, "cached_at": update.cached_at.as_ref(),
    });
    cx.emit(&event)?;
    Ok(update
        .query_results(Some(answer))
        .execution_time_ms(took)
        .formatted_results(Some(Formatted { count, count_is_lower_bound, displayed, truncated, data }))
        .events([event]))
}

fn trouble(error: &Error, s: &Analysis) -> Trouble {
    let code = match error {
        Error::TimedOut { .. } | Error::Cancelled => TroubleCode::TimedOut,
        Error::Unavailable { .. } | Error::Bucket { .. } => TroubleCode::Unavailable,
        _ => TroubleCode::Failed,
    };
    Trouble { code, message: words::failed(error, s.lang()) }
}
