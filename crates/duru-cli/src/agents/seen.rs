//! What a run shows on its way, wherever it runs.

use duru::{Event, Mode};
use serde_json::{Value, json};

use crate::lang::Lang;
use crate::text::clean;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seen {
    /// A node's task has begun.
    Begins(String),
    Ends {
        node: String,
        error: Option<String>,
    },
    /// What a node tells.
    Custom(Value),
    /// A piece of the answer, as it is written.
    Words(String),
}

impl Seen {
    /// Of a run in this process.
    pub(super) fn of(event: &Event) -> Option<Self> {
        if event.mode == Mode::Custom {
            return Some(Self::Custom(event.data.clone()));
        }
        if event.mode == Mode::Messages {
            return words(&event.data);
        }
        let node = own(event.data["node"].as_str())?;
        Some(if event.data["type"] == "start" {
            Self::Begins(node)
        } else {
            Self::Ends { node, error: event.data["error"]["message"].as_str().map(str::to_owned) }
        })
    }

    /// Of a frame of a server.
    pub(super) fn of_frame(event: &str, data: &Value) -> Option<Self> {
        match event.split('|').next()? {
            "custom" => Some(Self::Custom(data.clone())),
            "messages" => words(data),
            "tasks" => {
                let node = own(data["name"].as_str())?;
                Some(if data.get("triggers").is_some() {
                    Self::Begins(node)
                } else {
                    Self::Ends { node, error: data["error"].as_str().map(str::to_owned) }
                })
            }
            _ => None,
        }
    }

    /// As a line for programs: of which kind, and what.
    pub(super) fn event(&self) -> (&'static str, Value) {
        match self {
            Self::Begins(node) => ("step", json!({ "node": node, "status": "started" })),
            Self::Ends { node, error: None } => ("step", json!({ "node": node, "status": "finished" })),
            Self::Ends { node, error } => {
                ("step", json!({ "node": node, "status": "failed", "error": error }))
            }
            Self::Custom(data) => ("custom", json!({ "data": data })),
            Self::Words(text) => ("token", json!({ "text": text })),
        }
    }

    pub(super) fn json(&self) -> Value {
        self.event().1
    }

    /// Who decided what, if it tells of a decision.
    pub(super) fn decision(&self, lang: Lang) -> Option<String> {
        let Self::Custom(data) = self else { return None };
        if data["type"] != "decision" {
            return None;
        }
        let name = clean(data["decision"].as_str()?);
        let by = match (data["by"].as_str()?, data["model"].as_str()) {
            ("rule", None) => lang.pick("규칙", "a rule").to_owned(),
            ("rule", Some(model)) => lang.pick(
                format!("규칙 (모델 {} 대신)", clean(model)),
                format!("a rule, instead of {}", clean(model)),
            ),
            (_, model) => clean(model.unwrap_or("?")),
        };
        let ms = data["latency_us"].as_u64().unwrap_or_default() as f64 / 1000.0;
        Some(lang.pick(
            format!("    판단 {name}: {by}, {ms:.1} ms"),
            format!("    {name}: decided by {by} in {ms:.1} ms"),
        ))
    }
}

/// The words of a piece of a message; whole messages come with the answer.
fn words(data: &Value) -> Option<Seen> {
    let piece = data.get(0).filter(|piece| piece["type"] == "AIMessageChunk")?;
    let text = piece["content"].as_str().filter(|text| !text.is_empty())?;
    Some(Seen::Words(text.to_owned()))
}

/// The input is a task too, but not one of the graph's nodes.
fn own(node: Option<&str>) -> Option<String> {
    node.filter(|node| !node.starts_with("__")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_a_server_say_the_same() {
        let begins = Seen::of_frame("tasks", &json!({ "name": "planning", "triggers": [] }));
        assert_eq!(begins, Some(Seen::Begins("planning".into())));
        let ends = Seen::of_frame("tasks|teams:1", &json!({ "name": "run", "error": null, "result": {} }));
        assert_eq!(ends, Some(Seen::Ends { node: "run".into(), error: None }));
        assert_eq!(Seen::of_frame("tasks", &json!({ "name": "__start__", "triggers": [] })), None);
        assert_eq!(Seen::of_frame("values", &json!({})), None);
        let said = |kind: &str| json!([{ "type": kind, "content": "가" }, {}]);
        assert_eq!(Seen::of_frame("messages", &said("AIMessageChunk")), Some(Seen::Words("가".into())));
        assert_eq!(Seen::of_frame("messages", &said("ai")), None);
    }

    #[test]
    fn a_decision_says_who_took_it() {
        let told = |by: &str, model: Value| {
            let data = json!({ "type": "decision", "decision": "a/b", "by": by, "model": model, "latency_us": 1500 });
            Seen::Custom(data).decision(Lang::En)
        };
        assert_eq!(told("rule", Value::Null).as_deref(), Some("    a/b: decided by a rule in 1.5 ms"));
        assert!(told("rule", json!("m")).is_some_and(|line| line.contains("instead of m")));
        assert!(told("model", json!("m")).is_some_and(|line| line.contains("by m in")));
        assert_eq!(Seen::Custom(json!({ "type": "tool_start" })).decision(Lang::En), None);
    }
}
