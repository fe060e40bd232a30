//! A question that waits for a person or a program outside the graph.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::state::Json;
use crate::{InterruptId, Namespace, TaskId};

/// A question that a node asked, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Question {
    /// What to answer by.
    pub id: InterruptId,
    /// What was asked.
    pub value: Json,
    /// The JSON schema that an answer must fit.
    pub schema: Json,
    /// The node that asked.
    pub node: String,
    /// Which graph of the thread's tree it is in.
    #[serde(default = "Namespace::root", skip_serializing_if = "Namespace::is_root")]
    pub ns: Namespace,
    /// The task that asked.
    pub task: TaskId,
    /// Its position among the questions of its task, from zero.
    pub index: usize,
    /// When the default answers it, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
    /// What it is answered with then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Json>,
}

impl Question {
    /// What was asked, as a type.
    pub fn get<T: serde::de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.value.get())
    }

    /// Of what was asked: an answer belongs to the same question only.
    pub(crate) fn hash(&self) -> u64 {
        question_hash(&self.value)
    }

    /// Whether its deadline has passed.
    pub fn is_due(&self, now_ms: u64) -> bool {
        self.default.is_some() && self.deadline_ms.is_some_and(|at| at <= now_ms)
    }

    /// What makes an answer unfit, if anything.
    pub(crate) fn unfit(&self, answer: &serde_json::Value) -> Option<String> {
        let schema: serde_json::Value = match serde_json::from_str(self.schema.get()) {
            Ok(schema) => schema,
            Err(error) => return Some(format!("its schema can't be read: {error}")),
        };
        match jsonschema::validator_for(&schema) {
            Ok(validator) => validator.validate(answer).err().map(|error| {
                let place = error.instance_path().to_string();
                if place.is_empty() { error.to_string() } else { format!("{error} (at {place})") }
            }),
            Err(error) => Some(format!("its schema can't be used: {error}")),
        }
    }
}

pub(crate) fn question_hash(value: &Json) -> u64 {
    xxh3_64(value.get().as_bytes())
}
