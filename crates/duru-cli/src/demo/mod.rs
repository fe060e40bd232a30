//! The example: draft → three checks at once → ask a person → publish once.

mod article;
mod ask;
mod nodes;
mod outbox;
mod progress;
mod run;

pub(crate) use article::{Verdict, compile};
pub(crate) use run::run;

use serde_json::json;

use crate::output::Output;
use crate::problem::Problem;

/// `duru graph`
pub(crate) fn graph(output: &Output) -> Result<(), Problem> {
    let graph = compile()?;
    let mermaid = graph.mermaid();
    output.text(&mermaid)?;
    output.json(json!({ "graph": graph.name(), "mermaid": mermaid }))
}
