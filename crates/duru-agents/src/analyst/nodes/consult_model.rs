//! Where the rules are not certain, a model writes a query of its own, and what both find is compared by its rows: two ways that
//! lead to the same rows are believed, and where they differ the person is shown both.

use std::sync::Arc;

use duru::{AskedBy, Cx, Result};
use duru_llm::decision::By;
use duru_sql::same_rows::{Rows, same};
use duru_sql::{Asking, Limits};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::shared;
use crate::analyst::decide::{GenerateSql, Sql};
use crate::analyst::reading::{Prepared, Reading};
use crate::analyst::state::{Analysis, AnalysisUpdate, ModelQuery};
use crate::analyst::toolbox::Toolbox;
use crate::analyst::words;
use crate::decided;
use crate::links::without_links;

/// A query that can't be run is written once more.
const TRIES: u32 = 2;
/// So many rows are compared.
const ROWS: usize = 2_000;

pub(in crate::analyst) async fn consult_model(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let update = AnalysisUpdate::new();
    let compares = decided::decider(&cx)?.policy_of::<GenerateSql>().filter(|policy| policy.compares());
    let (Some(policy), None) = (compares, &s.given_sql) else { return Ok(update) };
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let reading = Reading::of(&s, &prepared);
    let is_left = reading.is_off_limits() || policy.trusts_certain() && reading.covers_all();
    if is_left || !reading.may_be_consulted_about() {
        return Ok(update);
    }
    let Some((said, found)) = written(&s, &reading, &prepared, &tools, &cx).await? else {
        return Ok(update);
    };
    let mut agreement = None;
    // Of rows that were cut nobody knows whether all of them are the same.
    let found = found.filter(|found| found.say_something() && reading.leaves_no_word_out());
    if let Some(found) = found {
        for (option, sql) in reading.offered(&s, &prepared) {
            let Ok(Some(rows)) = rows(&sql, &s, &tools, &cx).await else { continue };
            // Rows that show more are as right as those that show less, and tell more.
            let (has_all, is_all) = (same(&found, &rows, false), same(&rows, &found, false));
            if has_all || is_all {
                agreement = Some((option, !is_all));
                break;
            }
        }
    }
    let (agrees_with, shows_more) = agreement.unzip();
    let event = json!({ "type": "model_consulted", "sql": said.sql, "agrees_with": agrees_with });
    cx.emit(&event)?;
    let explanation = without_links(&said.explanation, &s.question);
    let shows_more = shows_more.unwrap_or_default();
    let query = ModelQuery { sql: said.sql.unwrap_or_default(), explanation, agrees_with, shows_more };
    Ok(update.model_query(Some(query)).events([event]))
}

/// What the model wrote, with its rows; nothing where it can't answer, or nothing that it writes can be run.
async fn written(
    s: &Analysis,
    reading: &Reading,
    prepared: &Prepared,
    tools: &Toolbox,
    cx: &Cx,
) -> Result<Option<(Sql, Option<Rows>)>> {
    let decider = decided::decider(cx)?;
    let hints = Reading::hints(s, prepared);
    let mut rejected = None;
    for _ in 0..TRIES {
        let asked = shared::sql_asked(s, reading, &hints, rejected.take());
        let outcome = decider.decide::<GenerateSql>(&asked).await?;
        let said = match (outcome.by, outcome.witness) {
            (By::Rule, Some(witness)) => serde_json::from_value(witness.value).ok(),
            (By::Rule, None) => None,
            _ => Some(outcome.value),
        };
        let Some(said @ Sql { sql: Some(_), .. }) = said else { return Ok(None) };
        let sql = said.sql.clone().unwrap_or_default();
        match rows(&sql, s, tools, cx).await {
            Ok(rows) => return Ok(Some((said, rows))),
            Err(reason) => rejected = Some((sql, reason)),
        }
    }
    Ok(None)
}

/// The rows of a query, or why it has none; nothing where there are more than are compared.
async fn rows(
    sql: &str,
    s: &Analysis,
    tools: &Toolbox,
    cx: &Cx,
) -> std::result::Result<Option<Rows>, String> {
    let checked = tools.check(sql, s).map_err(|refusal| refusal.text(s.lang()))?;
    let cancel = CancellationToken::new();
    let _dropped = cancel.clone().drop_guard();
    let limits = Limits { rows: ROWS, ..tools.limits };
    let who = cx.get::<AskedBy>().ok().map(|who| who.0.clone());
    let asking = Asking { timezone: s.timezone.clone(), limits, cancel, who };
    let answer =
        tools.logs.query(&checked, &asking).await.map_err(|error| words::failed(&error, s.lang()))?;
    Ok(answer.cut.is_none().then(|| Rows::of(&answer)))
}
