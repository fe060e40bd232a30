//! The versions of the protocol: the same things, spelled in two ways.

use serde_json::{Value, json};

use super::message::{Message, Part};
use super::task::{State, Task, TaskId};
use crate::time::iso;

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoken {
    /// 0.2 and 0.3: everything says of which kind it is.
    Old,
    /// 1.0: what something is, is said by the field that it is in.
    New,
}

/// What is told of a task while it is streamed.
pub(super) enum Update<'a> {
    Task(&'a Task),
    /// A piece of the answer, or the rest of it; or all of it, instead of what was told before.
    Answer {
        task: &'a TaskId,
        parts: &'a [Part],
        append: bool,
        last: bool,
    },
    Status {
        task: &'a Task,
        last: bool,
    },
}

impl Spoken {
    /// Whether a client's version is supported; without one, the old version is meant.
    pub(super) fn is_known(version: &str) -> bool {
        let of = |known: &str| {
            version.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        version.is_empty() || ["0.2", "0.3", "1.0"].into_iter().any(of)
    }

    /// The one that a client names.
    pub(super) fn named(version: &str) -> Self {
        if version.starts_with("1.") { Self::New } else { Self::Old }
    }

    /// A state in a word.
    pub(super) fn state(self, state: State) -> String {
        let word = match state {
            State::Submitted => "submitted",
            State::Working => "working",
            State::InputRequired => "input-required",
            State::Completed => "completed",
            State::Canceled => "canceled",
            State::Failed => "failed",
        };
        match self {
            Self::Old => word.to_owned(),
            Self::New => format!("TASK_STATE_{}", word.replace('-', "_").to_uppercase()),
        }
    }

    fn parts(self, parts: &[Part]) -> Value {
        let part = |part: &Part| match (self, part) {
            (Self::Old, Part::Text(text)) => json!({ "kind": "text", "text": text }),
            // Its data are an object, always.
            (Self::Old, Part::Data(data @ Value::Object(_))) => json!({ "kind": "data", "data": data }),
            (Self::Old, Part::Data(data)) => json!({ "kind": "data", "data": { "value": data } }),
            (Self::New, Part::Text(text)) => json!({ "text": text }),
            (Self::New, Part::Data(data)) => json!({ "data": data }),
        };
        parts.iter().map(part).collect()
    }

    fn message(self, task: &TaskId, message: &Message) -> Value {
        let role = match (self, message.of_user) {
            (Self::Old, true) => "user",
            (Self::Old, false) => "agent",
            (Self::New, true) => "ROLE_USER",
            (Self::New, false) => "ROLE_AGENT",
        };
        let json = json!({
            "messageId": message.id, "role": role, "parts": self.parts(&message.parts),
            "taskId": task.to_string(), "contextId": task.thread.as_str(),
        });
        self.with_kind(json, "message")
    }

    fn with_kind(self, mut json: Value, kind: &str) -> Value {
        if self == Self::Old {
            json["kind"] = kind.into();
        }
        json
    }

    fn status(self, task: &Task) -> Value {
        let at = iso(task.last.updated_ms).replace("+00:00", "Z");
        let mut status = json!({ "state": self.state(task.state), "timestamp": at });
        if let Some(said) = &task.said {
            status["message"] = self.message(&task.id, said);
        }
        status
    }

    pub(super) fn task(self, task: &Task) -> Value {
        let mut json = json!({
            "id": task.id.to_string(), "contextId": task.id.thread.as_str(), "status": self.status(task),
        });
        if !task.answer.is_empty() {
            json["artifacts"] = json!([self.artifact(&task.answer)]);
        }
        if !task.history.is_empty() {
            json["history"] = task.history.iter().map(|message| self.message(&task.id, message)).collect();
        }
        self.with_kind(json, "task")
    }

    fn artifact(self, parts: &[Part]) -> Value {
        json!({ "artifactId": "answer", "name": "answer", "parts": self.parts(parts) })
    }

    /// What a message that was sent gets.
    pub(super) fn sent(self, task: Value) -> Value {
        match self {
            Self::Old => task,
            Self::New => json!({ "task": task }),
        }
    }

    pub(super) fn update(self, update: &Update<'_>) -> Value {
        match update {
            Update::Task(task) => self.sent(self.task(task)),
            Update::Answer { task, parts, append, last } => {
                let json = json!({
                    "taskId": task.to_string(), "contextId": task.thread.as_str(),
                    "artifact": self.artifact(parts), "append": append, "lastChunk": last,
                });
                match self {
                    Self::Old => self.with_kind(json, "artifact-update"),
                    Self::New => json!({ "artifactUpdate": json }),
                }
            }
            Update::Status { task, last } => {
                let mut json = json!({
                    "taskId": task.id.to_string(), "contextId": task.id.thread.as_str(),
                    "status": self.status(task),
                });
                match self {
                    Self::Old => {
                        json["final"] = (*last).into();
                        self.with_kind(json, "status-update")
                    }
                    // The stream ends, and that says it.
                    Self::New => json!({ "statusUpdate": json }),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_known_by_their_first_two_numbers() {
        for known in ["", "0.2", "0.3", "0.3.0", "1.0", "1.0.3"] {
            assert!(Spoken::is_known(known), "{known}");
        }
        for unknown in ["1", "1.1", "0.30", "2.0", "x"] {
            assert!(!Spoken::is_known(unknown), "{unknown}");
        }
        assert_eq!((Spoken::named("1.0"), Spoken::named("")), (Spoken::New, Spoken::Old));
    }

    #[test]
    fn states_are_spelled_as_each_version_does() {
        assert_eq!(Spoken::Old.state(State::InputRequired), "input-required");
        assert_eq!(Spoken::New.state(State::InputRequired), "TASK_STATE_INPUT_REQUIRED");
    }
}
