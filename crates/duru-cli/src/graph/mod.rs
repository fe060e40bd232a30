//! `duru graph`: the agents and the example as pictures, with where a thread has been.

mod outline;

use anyhow::Context as _;
use duru::draw::Drawing;
use duru_agents::{advisor, analyst, researcher};
use serde_json::{Value, json};

use crate::args::{Args, Format, GraphArgs};
use crate::demo;
use crate::output::Output;
use crate::problem::Problem;
use crate::show::{Found, find};

/// Without anything said, the example.
const USUAL: &str = "article";

pub(crate) async fn graph(wanted: &GraphArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let mut of_thread = None;
    if let Some(id) = &wanted.thread {
        let Found { log, .. } = find(id, args).await?;
        let graph = log.graph().await?;
        of_thread = Some((log, graph));
    }
    let asked = wanted.name.as_deref();
    // A thread knows whose it is.
    let known = of_thread.as_ref().and_then(|(_, graph)| graph.as_deref());
    let name = asked.or(known).unwrap_or(USUAL);
    let Some(mut drawing) = drawn(name)?.filter(|_| known.is_none_or(|known| known == name)) else {
        return Err(match &of_thread {
            Some((log, _)) => {
                Problem::OtherGraph { thread: log.id().clone(), graph: known.unwrap_or(name).to_owned() }
            }
            None => Problem::Usage(format!("{name}: {}", NAMES.join(", "))),
        });
    };
    let mut answer = json!({ "graph": name });
    if let Some((log, _)) = &of_thread {
        let path = log.path(None).await?;
        let visit = |(id, visit)| json!({ "id": id, "visit": visit });
        answer["thread"] = json!(log.id());
        answer["visits"] = path.visits().map(visit).collect::<Vec<Value>>().into();
        drawing = drawing.marked(&path);
    }
    let (form, picture) = match wanted.format {
        Format::Mermaid => ("mermaid", drawing.mermaid()),
        Format::Svg => ("svg", drawing.svg()),
        Format::Text => ("text", outline::outline(&drawing)),
    };
    output.text(&picture)?;
    answer["nodes"] = json!(drawing.nodes);
    answer["edges"] = json!(drawing.edges);
    answer[form] = json!(picture);
    output.json(answer)
}

/// What can be drawn.
pub(crate) const NAMES: [&str; 4] = ["analyst", "researcher", "advisor", USUAL];

fn drawn(name: &str) -> Result<Option<Drawing>, Problem> {
    let drawing = match name {
        "analyst" => analyst::drawing(),
        "researcher" => researcher::drawing(),
        "advisor" => advisor::drawing(),
        USUAL => return Ok(Some(demo::compile()?.drawing())),
        _ => return Ok(None),
    };
    drawing.map(Some).context("the graph does not compile").map_err(Problem::Unexpected)
}
