//! What several nodes need.

use std::sync::Arc;

use duru::{Cx, GrantedTables, Result};
use duru_messages::Message;
use duru_sql::{Answer, Knowledge};
use serde_json::{Map, Value};

use super::super::reading::Prepared;
use super::super::state::{AnalysisUpdate, Trouble};
use super::super::toolbox::Toolbox;

/// What the run may work with: the tables that whoever asks was granted, or all.
pub(super) fn toolbox(cx: &Cx) -> Result<Arc<Toolbox>> {
    let tools = cx.get::<Toolbox>()?;
    Ok(match cx.get::<GrantedTables>() {
        Ok(granted) => tools.granted(&granted.0),
        Err(_) => tools,
    })
}

pub(super) async fn knowledge(tools: &Toolbox) -> Result<Arc<Knowledge>> {
    Ok(tools.logs.knowledge().await?)
}

/// The tables, ready to be read with.
pub(super) async fn prepared(tools: &Toolbox) -> Result<Arc<Prepared>> {
    Ok(tools.preparing.of(&knowledge(tools).await?, &tools.description))
}

/// Rows as objects.
pub(super) fn named_rows(answer: &Answer) -> Vec<Map<String, Value>> {
    let names = || answer.columns.iter().map(|column| column.name.clone());
    answer.rows.iter().map(|row| names().zip(row.iter().cloned()).collect()).collect()
}

/// Ends the question here, and tells the person why.
pub(super) fn gives_up(update: AnalysisUpdate, trouble: Trouble) -> AnalysisUpdate {
    update.messages([Message::ai(trouble.message.as_str())]).problem(Some(trouble))
}
