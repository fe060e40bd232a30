//! Runs the query, read-only and within limits. An error is told, never tried again.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_sql::{Answer, Asking, Cap, Error, Limits};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::super::count;
use super::super::state::{Analysis, AnalysisUpdate, Formatted, Trouble, TroubleCode};
use super::super::toolbox::Toolbox;
use super::super::words;
use super::shared;

pub(in super::super) async fn execute_query(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let cancel = CancellationToken::new();
    // Whoever gives up on the run gives up on the query.
    let _dropped = cancel.clone().drop_guard();
    let limits = Limits { rows: s.max_results as usize, ..tools.limits };
    let asking = Asking { timezone: s.timezone.clone(), limits, cancel };
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
    let answer = match tools.logs.query(&checked, &asking).await {
        Ok(answer) => answer,
        Err(error) => return Ok(shared::gives_up(AnalysisUpdate::new(), trouble(&error, &s))),
    };
    let formatted = formatted(&s, &tools, &answer, &asking).await;
    let took = u64::try_from(answer.took.as_millis()).unwrap_or(u64::MAX);
    let event = json!({
        "type": "query_executed", "count": formatted.count, "displayed": formatted.displayed,
        "truncated": formatted.truncated, "execution_time_ms": took,
    });
    cx.emit(&event)?;
    Ok(AnalysisUpdate::new()
        .query_results(Some(answer))
        .execution_time_ms(took)
        .formatted_results(Some(formatted))
        .events([event]))
}

async fn formatted(s: &Analysis, tools: &Toolbox, answer: &Answer, asking: &Asking) -> Formatted {
    let displayed = answer.rows.len() as u64;
    let full = answer.cut.is_some() || displayed >= u64::from(s.max_results);
    // Only what was cut has to be counted.
    let counted = if full { count::all(s, tools, asking).await } else { Some(displayed) };
    let count = counted.unwrap_or(displayed).max(displayed);
    Formatted {
        count,
        count_is_lower_bound: counted.is_none(),
        displayed,
        truncated: count > displayed || answer.cut == Some(Cap::Bytes),
        data: shared::named_rows(answer),
    }
}

fn trouble(error: &Error, s: &Analysis) -> Trouble {
    let code = match error {
        Error::TimedOut { .. } | Error::Cancelled => TroubleCode::TimedOut,
        Error::Unavailable { .. } => TroubleCode::Unavailable,
        _ => TroubleCode::Failed,
    };
    Trouble { code, message: words::failed(error, s.lang()) }
}
