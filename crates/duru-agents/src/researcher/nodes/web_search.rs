//! Asks the web where the documents say too little, if that was configured.

use duru::{Cx, Result};
use serde_json::json;

use super::grade_documents::FIT;
use super::shared::{self, Found};
use crate::researcher::document::{Document, Ending, SubtaskStatus};
use crate::researcher::own_words::for_web;
use crate::researcher::state::ResearchUpdate;
use crate::researcher::subject::Subject;
use crate::researcher::toolbox::Toolbox;
use crate::researcher::web::Page;
use crate::researcher::words;

/// So many pages are taken, each no longer than so many characters.
const PAGES: usize = 5;
const LONGEST: usize = 4_000;

/// How likely a page of the web answers that speaks of the question.
const ON_THE_WEB: f32 = 0.5;

pub(in crate::researcher) async fn web_search(found: Found, cx: Cx) -> Result<ResearchUpdate> {
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
    match web.search(for_web(&subtask.query, &found.work.own), PAGES).await {
        Ok(pages) => {
            let subject = Subject::of(&subtask.query, &tools.thesaurus);
            let pages = pages.into_iter().take(PAGES).map(|page| document(page, &subject));
            // A page is graded like any other document: that the web returns it does not make it an answer.
            let (kept, dropped): (Vec<Document>, Vec<Document>) = pages.partition(|page| page.fit >= FIT);
            if !kept.is_empty() {
                // Nobody but the search engine vouches for them.
                subtask.ending = subtask.ending.max(Ending::Maybe);
                subtask.confidence = subtask.confidence.max(ON_THE_WEB);
            }
            subtask.documents.extend(kept.iter().map(|document| document.id.clone()));
            let statistics = json!({ "asked": 1, "pages": kept.len(), "dropped": dropped.len() });
            let said = format!("{}: {}", subtask.query, kept.len());
            let update = shared::report(cx.node(), said, statistics).nearest(dropped).subtasks(vec![subtask]);
            Ok(if kept.is_empty() { update.warnings([thin]) } else { update.documents(kept).error(None) })
        }
        Err(error) => {
            let warning = words::web_failed(&error.to_string(), lang);
            Ok(shared::report(cx.node(), warning.as_str(), json!({ "asked": 1, "failed": 1 }))
                .warnings([warning, thin])
                .subtasks(vec![subtask]))
        }
    }
}

fn document(page: Page, subject: &Subject) -> Document {
    let fit = subject.coverage(&format!("{} {}", page.title, page.text));
    Document {
        fit,
        score: fit,
        id: format!("web:{}", page.url),
        source: page.url,
        title: page.title,
        category: Some("web".to_owned()),
        text: page.text.chars().take(LONGEST).collect(),
        reason: format!("found on the web, speaks of {:.0}% of the query", fit * 100.0),
        ..Document::default()
    }
}
