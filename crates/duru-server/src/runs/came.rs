//! What came of a run.

use duru::store::RunStatus;
use serde_json::{Map, Value};

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Came {
    /// It is done; the thread's values.
    Done(Map<String, Value>),
    /// It waits for answers.
    Asks {
        /// Each with its `id` and `value`.
        questions: Vec<Value>,
        /// The thread's values.
        values: Map<String, Value>,
    },
    /// It failed.
    Failed {
        /// The error's name.
        name: String,
        /// What it says.
        message: String,
    },
    /// Somebody stopped it.
    Stopped,
}

impl Came {
    /// From what `/wait` gives, and what the queue says; nothing of a run that is gone.
    pub(super) fn of(result: Value, status: Option<RunStatus>, temporary: bool) -> Self {
        let text = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
        if let Some(error) = result.get("__error__") {
            return Self::Failed { name: text(error, "error"), message: text(error, "message") };
        }
        match status {
            Some(RunStatus::Cancelled) => return Self::Stopped,
            // The thread of a run of its own goes with it; another one was undone.
            None if !temporary => return Self::Stopped,
            _ => {}
        }
        let Value::Object(mut values) = result else { return Self::Done(Map::new()) };
        match values.remove("__interrupt__") {
            Some(Value::Array(questions)) => Self::Asks { questions, values },
            _ => Self::Done(values),
        }
    }
}
