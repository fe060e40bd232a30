//! What several nodes need.

use std::sync::Arc;

use duru::{Cx, GrantedTables, NodeError, Result};
use duru_messages::Message;
use duru_sql::{Answer, Knowledge};
use serde_json::{Map, Value};

use super::super::reading::Prepared;
use super::super::state::{Analysis, AnalysisUpdate, Trouble};
use super::super::toolbox::Toolbox;
use super::super::words;

/// What the run may work with: the tables that were chosen, of those that whoever asks was granted; none if what was
/// chosen is not there.
pub(super) fn chosen(s: &Analysis, cx: &Cx) -> Result<Option<Arc<Toolbox>>> {
    let granted = cx.get::<GrantedTables>().ok();
    Ok(cx.get::<Toolbox>()?.chosen(&s.about, granted.as_ref().map(|granted| granted.0.as_slice())))
}

/// The same, where the first step has found that it is there.
pub(super) fn toolbox(s: &Analysis, cx: &Cx) -> Result<Arc<Toolbox>> {
    let gone = || NodeError::fatal(words::not_there(&s.about.names(), s.lang()));
    chosen(s, cx)?.ok_or_else(gone)
}

pub(super) async fn knowledge(tools: &Toolbox) -> Result<Arc<Knowledge>> {
    Ok(tools.logs.knowledge().await?)
}

/// The tables, ready to be read with.
pub(super) async fn prepared(tools: &Toolbox) -> Result<Arc<Prepared>> {
    Ok(tools.preparing.of(&knowledge(tools).await?, tools.description.get()))
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
