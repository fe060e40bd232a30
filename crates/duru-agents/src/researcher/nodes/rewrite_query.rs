//! Other words for the same need, once, keeping what was found.

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use duru_search::retrieve::Analysis;
use serde_json::json;

use super::shared::{self, Found};
use crate::decided;
use crate::researcher::decide::{RewriteAsked, RewriteQuery, Rewritten};
use crate::researcher::document::SubtaskStatus;
use crate::researcher::state::ResearchUpdate;
use crate::researcher::toolbox::Toolbox;

pub(in crate::researcher) async fn rewrite_query(found: Found, cx: Cx) -> Result<ResearchUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let mut subtask = found.work.subtask;
    let analysis = Analysis::of(&subtask.query, &tools.thesaurus);
    // All that it may be called: nothing that it asks is left out.
    let terms = analysis.all_terms().collect::<Vec<_>>().join(" ");
    let signs = analysis.needs.iter().flat_map(|need| need.signs()).copied().collect::<Vec<_>>().join(" ");
    let draft = format!("{terms} {signs}").trim().to_owned();
    let asked = RewriteAsked {
        query: Untrusted::new(subtask.query.as_str()),
        tried: shared::untrusted(&subtask.variations),
        missing: shared::untrusted(&found.missing),
        draft: Rewritten { query: draft, reason: "in the terms of the thesaurus".to_owned() },
    };
    let rewritten = decided::decider(&cx)?.decide::<RewriteQuery>(&asked).await?.value.query;
    subtask.rewritten = Some(rewritten.clone());
    // The executor sends it out again.
    subtask.status = SubtaskStatus::Pending;
    Ok(shared::report(cx.node(), rewritten.as_str(), json!({ "rewritten": 1 }))
        .query_variations([rewritten])
        .subtasks(vec![subtask]))
}
