//! What several nodes need.

use std::sync::Arc;

use duru::{Cx, GrantedTables, NodeError, Result};
use duru_llm::decision::Untrusted;
use duru_messages::Message;
use duru_sql::{Answer, Knowledge};
use serde_json::{Map, Value};

use crate::analyst::decide::SqlAsked;
use crate::analyst::reading::{Prepared, Reading};
use crate::analyst::state::{Analysis, AnalysisUpdate, Trouble};
use crate::analyst::toolbox::Toolbox;
use crate::analyst::words;

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

/// What a model that writes the query is asked; `rejected` is the query that it wrote before, and why it was not used.
pub(super) fn sql_asked(
    s: &Analysis,
    reading: &Reading,
    hints: &[String],
    rejected: Option<(String, String)>,
) -> SqlAsked {
    let (rejected, reason) = rejected.unzip();
    SqlAsked {
        question: s.resolved_question.clone(),
        now: words::local(s),
        timezone: s.timezone.clone(),
        schema: Untrusted::new(s.schema_info.as_str()),
        hints: Untrusted::new(hints.join("\n")),
        draft: reading.covers_all().then(|| reading.sql.clone()),
        rule: reading.sql.clone(),
        rejected,
        reason,
    }
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
