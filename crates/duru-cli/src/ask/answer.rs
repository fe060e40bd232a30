//! An answer at a terminal.

use duru::ThreadId;
use duru_agents::analyst::{Analysis, TroubleCode};
use serde_json::json;

use super::{cells, picture, words};
use crate::args::Show;
use crate::output::Output;
use crate::problem::{Problem, Unanswered};
use crate::text::clean;

pub(super) fn print(end: &Analysis, show: Show, thread: &ThreadId, output: &Output) -> Result<(), Problem> {
    if let Some(trouble) = &end.problem {
        let why = match trouble.code {
            TroubleCode::Guard | TroubleCode::Refused | TroubleCode::NotUnderstood => {
                if end.given_sql.is_some() { Unanswered::OwnQuery } else { Unanswered::Refused }
            }
            TroubleCode::Unavailable => Unanswered::Unavailable,
            _ => Unanswered::Failed,
        };
        return Err(Problem::NoAnswer { message: trouble.message.clone(), why });
    }
    let (Some(answer), Some(shown)) = (&end.query_results, &end.formatted_results) else { return Ok(()) };
    let sql = end.generated_sql.as_deref().unwrap_or_default();
    if output.form.is_json() {
        return output.json(json!({
            "question": end.question, "thread": thread.as_str(), "understood_as": end.explanation,
            "timezone": end.timezone, "sql": sql, "executed_sql": end.executed_sql, "soft_delete_added": end.soft_delete_added,
            "results": shown.data, "count": shown.count, "count_is_lower_bound": shown.count_is_lower_bound,
            "displayed": shown.displayed, "truncated": shown.truncated,
            "execution_time_ms": end.execution_time_ms, "cached_at": end.cached_at, "insight": end.insight, "chart": end.chart,
            "suggestions": end.suggestions,
        }));
    }
    let zone = words::zone(&end.timezone, output.lang);
    if show != Show::All || output.plain {
        // What other programs read has no room for it.
        output.progress(&zone);
    }
    match show {
        Show::Sql => return output.text(&format!("{sql}\n")),
        Show::Csv => return output.text(&cells::csv(answer)),
        Show::All if output.plain => return output.text(&cells::plain(answer)),
        Show::All => {}
    }
    let mut text = String::new();
    if !end.explanation.is_empty() {
        text.push_str(&format!("{}\n", clean(&end.explanation)));
    }
    text.push_str(&format!("{zone}\n\n"));
    if let Some(drawn) = end.chart.as_ref().and_then(|chart| picture::picture(answer, chart)) {
        text.push_str(&format!("{drawn}\n"));
    } else if !answer.rows.is_empty() {
        text.push_str(&format!("{}\n", cells::table(answer)));
    }
    if shown.truncated {
        text.push_str(&format!("{}\n", words::cut(shown, output.lang)));
    }
    if let Some(insight) = &end.insight {
        text.push_str(&format!("{}\n", clean(insight)));
    }
    if end.cached_at.is_some() {
        text.push_str(&format!("{}\n", words::kept(output.lang)));
    }
    text.push_str(&format!("\nSQL: {}\n", clean(sql)));
    if !end.suggestions.is_empty() {
        let offers: Vec<String> =
            end.suggestions.iter().map(|offer| format!("  · {}", clean(offer))).collect();
        text.push_str(&format!("\n{}\n{}\n", words::next(output.lang), offers.join("\n")));
    }
    output.text(&text)
}
