//! The example: draft → three checks at once → ask a person → publish once.

mod article;
mod ask;
mod nodes;
mod outbox;
mod progress;
mod reset;
mod run;

pub(crate) use article::{Verdict, compile};
pub(crate) use reset::reset;
pub(crate) use run::run;

use std::time::Duration;

use duru::ErasedGraph;
use duru::draw::Path;
use serde_json::{Value, json};

use crate::args::{Args, Format, GraphArgs};
use crate::output::Output;
use crate::problem::Problem;
use crate::show::{Found, find};
use crate::store::{self, Place};

/// The example for a server.
pub(crate) fn to_serve(place: &Place, pace: Duration) -> Result<ErasedGraph, Problem> {
    let outbox = outbox::Outbox::beside(&store::file_beside(place)?);
    Ok(compile()?.provide(outbox).provide(nodes::Pace(pace)).erased())
}

/// `duru graph`
pub(crate) async fn graph(wanted: &GraphArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let graph = compile()?;
    let mut answer = json!({ "graph": graph.name() });
    let mut drawing = graph.drawing();
    if let Some(id) = &wanted.thread {
        let path = path(id, graph.name(), args).await?;
        let visit = |(id, visit)| json!({ "id": id, "visit": visit });
        answer["thread"] = json!(id);
        answer["visits"] = path.visits().map(visit).collect::<Vec<Value>>().into();
        drawing = drawing.marked(&path);
    }
    let (name, picture) = match wanted.format {
        Format::Mermaid => ("mermaid", drawing.mermaid()),
        Format::Svg => ("svg", drawing.svg()),
    };
    output.text(&picture)?;
    answer[name] = json!(picture);
    output.json(answer)
}

/// Where a thread of the example has been.
async fn path(id: &str, graph: &str, args: &Args) -> Result<Path, Problem> {
    let Found { log, .. } = find(id, args).await?;
    match log.graph().await? {
        Some(other) if other != graph => Err(Problem::OtherGraph { thread: log.id().clone(), graph: other }),
        _ => Ok(log.path(None).await?),
    }
}
