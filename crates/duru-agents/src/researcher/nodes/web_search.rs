//! Asks the web where the documents say too little, if that was configured.

use duru::{Cx, Result};
use serde_json::json;

use super::super::document::{Document, SubtaskStatus};
use super::super::state::ResearchUpdate;
use super::super::toolbox::Toolbox;
use super::super::words;
use super::shared::{self, Found};
use crate::researcher::web::Page;

/// So many pages are taken, each no longer than so many characters.
const PAGES: usize = 5;
const LONGEST: usize = 4_000;

pub(in super::super) async fn web_search(found: Found, cx: Cx) -> Result<ResearchUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let lang = found.work.lang();
    let mut subtask = found.work.subtask;
    subtask.status = SubtaskStatus::Retrieved;
    let thin = words::thin(subtask.documents.len(), lang);
    let Some(web) = &tools.web else {
        return Ok(shared::report(cx.node(), thin.as_str(), json!({ "skipped": 1 }))
            .warnings([thin])
            .subtasks(vec![subtask]));
    };
    match web.search(&subtask.query, PAGES).await {
        Ok(pages) if !pages.is_empty() => {
            let documents: Vec<Document> = pages.into_iter().take(PAGES).map(document).collect();
            subtask.documents.extend(documents.iter().map(|document| document.id.clone()));
            let said = format!("{}: {}", subtask.query, documents.len());
            Ok(shared::report(cx.node(), said, json!({ "asked": 1, "pages": documents.len() }))
                .documents(documents)
                .error(None)
                .subtasks(vec![subtask]))
        }
        Ok(_) => Ok(shared::report(cx.node(), thin.as_str(), json!({ "asked": 1, "pages": 0 }))
            .warnings([thin])
            .subtasks(vec![subtask])),
        Err(error) => {
            let warning = words::web_failed(&error.to_string(), lang);
            Ok(shared::report(cx.node(), warning.as_str(), json!({ "asked": 1, "failed": 1 }))
                .warnings([warning, thin])
                .subtasks(vec![subtask]))
        }
    }
}

fn document(page: Page) -> Document {
    Document {
        id: format!("web:{}", page.url),
        source: page.url,
        title: page.title,
        category: Some("web".to_owned()),
        text: page.text.chars().take(LONGEST).collect(),
        reason: "found on the web".to_owned(),
        ..Document::default()
    }
}
