//! What the tables hold, for whoever writes the query.

use std::sync::Arc;

use duru::{Cx, Result};
use serde_json::{Value, json};

use super::shared;
use crate::analyst::schema_text::schema_for_question;
use crate::analyst::state::{Analysis, AnalysisUpdate};

pub(in crate::analyst) async fn retrieve_schema(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let tools = shared::toolbox(&s, &cx)?;
    let knowledge = shared::knowledge(&tools).await?;
    let schema = schema_for_question(&tools, &s.resolved_question).await?;
    let samples: Vec<Value> = knowledge
        .tables
        .iter()
        .map(|table| json!({ "table": table.table.name, "rows": shared::named_rows(&table.newest) }))
        .collect();
    Ok(AnalysisUpdate::new().schema_info(schema).sample_data(Value::Array(samples)))
}
