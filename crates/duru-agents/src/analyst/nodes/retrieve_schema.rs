//! What the tables hold, for whoever writes the query.

use std::sync::Arc;

use duru::{Cx, Result};
use serde_json::{Value, json};

use super::super::schema_text::schema_text;
use super::super::state::{Analysis, AnalysisUpdate};
use super::shared;

pub(in super::super) async fn retrieve_schema(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let tools = shared::toolbox(&s, &cx)?;
    let knowledge = shared::knowledge(&tools).await?;
    let prepared = shared::prepared(&tools).await?;
    let question = s.resolved_question.to_lowercase();
    // A part of a word, or one that is too long, does no harm: it only comes first.
    let is_said = |noun: &String| question.contains(noun.to_lowercase().trim_end_matches('s'));
    let schema = schema_text(&prepared.domain, |table| table.nouns.iter().any(is_said));
    let samples: Vec<Value> = knowledge
        .tables
        .iter()
        .map(|table| json!({ "table": table.table.name, "rows": shared::named_rows(&table.newest) }))
        .collect();
    Ok(AnalysisUpdate::new().schema_info(schema).sample_data(Value::Array(samples)))
}
