//! Says what the result means, and keeps what the next question may lean on.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::{By, Untrusted};
use duru_sql::Answer;
use duru_sql::guard::Lang;
use serde_json::{Value, json};

use super::shared;
use crate::analyst::buckets::Bucketing;
use crate::analyst::cache::{Said, Whose};
use crate::analyst::decide::{GenerateInsight, InsightAsked};
use crate::analyst::extremes::says_extremes;
use crate::analyst::frame::{Column, Dimension, Frame};
use crate::analyst::insight::{Topic, insight_on};
use crate::analyst::reading::{Prepared, Reading};
use crate::analyst::state::{Analysis, AnalysisUpdate, Formatted, Turn};
use crate::analyst::{Chart, Focus, invented, suggest, words};
use crate::decided;
use crate::links::leads_away;
use crate::meaning::{nonsense, sentences, sentences_of};
use crate::spoken::{Spoken, Telling, Verdict};

/// So many rows are shown to a model.
const ROWS: usize = 10;

pub(in crate::analyst) async fn generate_insight(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let (Some(answer), Some(shown)) = (&s.query_results, &s.formatted_results) else {
        return Ok(AnalysisUpdate::new());
    };
    let chart = drawn(&s, answer);
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let reading = Reading::of(&s, &prepared);
    let draft = insight_on(answer, chart.clone(), shown.count, &topic(&s, answer, &reading, &prepared));
    let first: Vec<Value> = shown.data.iter().take(ROWS).cloned().map(Value::Object).collect();
    let asked = InsightAsked {
        question: s.resolved_question.clone(),
        columns: answer.columns.iter().map(|column| column.name.clone()).collect(),
        count: shown.count,
        cut: if shown.truncated { " (cut)".into() } else { String::new() },
        rows: Untrusted::new(Value::Array(first).to_string()),
        summary: Untrusted::new(draft.as_str()),
        draft: draft.clone(),
    };
    let telling = Telling::new(sentences_of, {
        let s = Arc::clone(&s);
        move |so_far, sentence| match is_true(so_far, &s) {
            true => Verdict::Told(sentence.to_owned()),
            false => Verdict::Held,
        }
    });
    let spoken = Spoken::new(&cx, "insight", telling.word_by_word(words::corrected(s.lang())));
    let (said, by) = match s.insight.clone() {
        // It was said of these very rows a moment ago.
        Some(said) => (said, By::Model),
        None => {
            let outcome = spoken.listen(decided::decider(&cx)?).decide::<GenerateInsight>(&asked).await?;
            let by_model = if outcome.by == By::Rule { None } else { spoken.whole(&outcome.value.insight) };
            match by_model.filter(|(said, _)| is_true(said, &s)) {
                Some((said, _)) if said != draft => (said, outcome.by),
                // A number from nowhere makes worthless all that follows it.
                _ => (instead(&spoken.shown(), &draft, s.lang()), By::Rule),
            }
        }
    };
    if by != By::Rule && s.insight.is_none() {
        let kept = Said { question: s.resolved_question.clone(), insight: said.clone() };
        if let Some(key) = tools.key(&s, Whose::of(&cx)).await {
            tools.answers.note(&key, kept);
        }
    }
    let sql = s.generated_sql.clone().unwrap_or_default();
    let focus = Focus::of_sql(&sql);
    // What a model wrote is no reading of the rules.
    let frame = reading.frame.filter(|_| !s.uses_model_query);
    // Whoever joins the pieces of a message has it already.
    let streamed = spoken.begun().is_some();
    let event = json!({ "type": "insight_generated", "insight": said, "by": by, "streamed": streamed });
    cx.emit(&event)?;
    let turn = Turn {
        question: s.resolved_question.clone(),
        top: frame.as_ref().map(|frame| top(frame, shown)).unwrap_or_default(),
        frame,
        sql,
        at: s.moment().to_string(),
    };
    let update = AnalysisUpdate::new()
        .suggestions(suggest::follow_ups(&s, &focus, tools.guard.catalog()))
        .chart(chart)
        .messages([spoken.finish(words::answer(&s, shown, &said))?])
        .insight(Some(said))
        .events([event]);
    // A query written by hand leaves the conversation as it was.
    Ok(if s.given_sql.is_some() { update } else { update.current_focus(focus).turns([turn]) })
}

/// What the rules say, behind what was shown of a model's words. Clients only ever join pieces, so that it says itself
/// that it takes their place.
fn instead(shown: &str, draft: &str, lang: Lang) -> String {
    match draft.strip_prefix(shown) {
        Some(_) => draft.to_owned(),
        None => format!("{shown} … {} {draft}", words::corrected(lang)),
    }
}

/// The words of the result: those of the reading, where the query is the one that it gave.
fn topic(s: &Analysis, answer: &Answer, reading: &Reading, prepared: &Prepared) -> Topic {
    let frame = reading.frame.as_ref().filter(|_| reading.sql.sql == s.generated_sql);
    match frame {
        Some(frame) => {
            let now = s.moment().to_zoned(s.zone());
            Topic::of_frame(answer, frame, &prepared.domain, &now, s.lang())
        }
        None => Topic::of_columns(answer, s.lang()),
    }
}

/// The picture of a result, which shows also when nothing was written.
fn drawn(s: &Analysis, answer: &Answer) -> Option<Chart> {
    let mut chart = Chart::of(answer)?;
    let zone = s.zone();
    let range = s.filters.time_range.as_ref().and_then(|range| range.bounds(s.moment(), &zone));
    let sql = s.generated_sql.as_deref().or(s.given_sql.as_deref()).unwrap_or_default();
    chart.empty = Bucketing { sql, zone: &zone, range }.empty(answer, &chart);
    Some(chart)
}

/// Whether a text says anything, neither a number nor an address that the result does not have, and nothing that its
/// own figures deny.
fn is_true(text: &str, s: &Analysis) -> bool {
    let (Some(answer), Some(shown)) = (&s.query_results, &s.formatted_results) else { return false };
    let known = || answer.rows.iter().flatten().map(|value| format!("{value}\n")).collect::<String>();
    !text.trim().is_empty()
        && invented(text, &s.resolved_question, answer, shown.count).is_empty()
        && !leads_away(text, &known())
        && says_extremes(text, answer)
        && text.lines().flat_map(sentences).all(|sentence| nonsense(sentence, &[]).is_none())
}

/// What the first row is about: the values of its groups.
fn top(frame: &Frame, shown: &Formatted) -> Vec<(Column, String)> {
    let Some(first) = shown.data.first() else { return Vec::new() };
    let columns = frame.dimensions.iter().filter_map(|dimension| match dimension {
        Dimension::Column(column) => Some(column),
        _ => None,
    });
    columns
        .filter_map(|column| Some((column.clone(), first.get(column.short())?.as_str()?.to_owned())))
        .collect()
}
