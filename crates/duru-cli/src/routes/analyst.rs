//! The analyst's frames.

use async_trait::async_trait;
use duru::{Event, Mode, ThreadId};
use duru_server::talk::{Ended, Frame, Manner, Query, token};
use duru_server::{ApiError, Runs};
use serde_json::{Map, Value, json};

use super::body::{QueryBody, Said, said};

/// The graph's name.
pub(super) const ANALYST: &str = "analyst";

/// The steps in their order, for who wants to see how far it is.
const STEPS: [&str; 9] = [
    "resolve_context",
    "extract_filters",
    "retrieve_schema",
    "consult_model",
    "clarifier",
    "generate_sql",
    "validate_sql",
    "execute_query",
    "generate_insight",
];

/// How the analyst talks. One event is at most one frame, so that every frame has its own number.
pub(super) struct Analyst;

#[async_trait]
impl Manner for Analyst {
    fn graph(&self) -> &str {
        ANALYST
    }

    fn query(&self, frame: &Map<String, Value>) -> Result<Query, String> {
        let body = QueryBody::read(Value::Object(frame.clone()))?;
        if body.asks().is_none() {
            return Err("question: 질문이 비어 있습니다 / there is no question".to_owned());
        }
        Ok(Query { input: body.input(), thread: body.conversation_id })
    }

    fn answer(&self, frame: &Map<String, Value>) -> Value {
        let given = ["answers", "clarification_answers", "value"].iter().find_map(|name| frame.get(*name));
        given.cloned().unwrap_or_default()
    }

    fn frame(&self, event: &Event, debug: bool) -> Option<Frame> {
        if !event.ns.is_root() {
            return None;
        }
        let data = &event.data;
        match event.mode {
            Mode::Runs => {
                let run = event.run.to_string();
                (data["type"] == "begin")
                    .then(|| Frame::new("progress", json!({ "progress": 0, "run_id": run })))
            }
            Mode::Tasks => task(data),
            Mode::Updates => {
                let node = data.as_object()?.keys().find(|name| STEPS.contains(&name.as_str()))?;
                Some(Frame::new("progress", json!({ "progress": progress(node), "node": node })))
            }
            Mode::Messages => {
                let node = data[1]["node"].as_str().unwrap_or_default();
                let field = if node == "generate_sql" { "sql" } else { "insight" };
                Some(piece(field, node, &token(data)?))
            }
            Mode::Custom => told(data, debug),
            _ => None,
        }
    }

    fn ended(&self, ended: Ended) -> Option<Frame> {
        match ended {
            Ended::Done(values) => Some(match said(&values) {
                Said::Answer(answer) => Frame::new("complete", answer).with("progress", 100),
                Said::Trouble(_, failed) => Frame::new("error", failed),
            }),
            // What is asked was the last frame.
            Ended::Asks => None,
            Ended::Failed { name, message } => Some(Frame::new(
                "error",
                json!({ "code": "run_failed", "error": format!("{name}: {message}") }),
            )),
            Ended::Stopped => Some(Frame::new(
                "error",
                json!({ "code": "cancelled", "error": "취소되었습니다. / It was cancelled." }),
            )),
        }
    }

    async fn other(&self, _: &Runs, _: &ThreadId, _: &str, _: &Map<String, Value>) -> Result<bool, ApiError> {
        Ok(false)
    }
}

fn task(data: &Value) -> Option<Frame> {
    let node = data["node"].as_str().filter(|node| STEPS.contains(node))?;
    if data["type"] == "start" {
        return Some(Frame::new("node_start", json!({ "node": node })));
    }
    let failed = data["error"]["cause"].as_str();
    Some(Frame::new("node_end", json!({ "node": node, "error": failed })))
}

/// How much is done when a step is done; a hundred is the answer.
fn progress(node: &str) -> usize {
    let place = STEPS.iter().position(|step| *step == node).unwrap_or(0);
    (place + 1) * 96 / STEPS.len()
}

fn piece(field: &str, node: &str, text: &str) -> Frame {
    Frame::new("token", json!({ "field": field, "node": node, "text": text }))
}

/// What nodes tell of themselves. A query is one token, and so is an insight that did not come in pieces.
fn told(data: &Value, debug: bool) -> Option<Frame> {
    match data["type"].as_str()? {
        "sql_generated" => Some(piece("sql", "generate_sql", data["sql"].as_str()?)),
        "insight_generated" if data["streamed"] == true => None,
        "insight_generated" => Some(piece("insight", "generate_insight", data["insight"].as_str()?)),
        // The question itself says the same, and has the id to answer by.
        "clarification_needed" => None,
        "decision" if !debug => None,
        _ => Frame::typed(data),
    }
}
