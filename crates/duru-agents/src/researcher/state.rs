//! What the researcher knows while it works on a question, and keeps for the next.

use std::collections::BTreeMap;

use duru::State;
use duru_messages::{Message, Messages};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::document::{Citation, Document, Ending, SearchFilter, Subtask};
use super::lang::Lang;
use super::{QueryType, claims, conflicts};

/// A conversation about documents.
#[derive(State, Debug, Clone)]
pub struct Research {
    pub query: String,
    pub query_type: Option<QueryType>,
    /// The question as it stands alone.
    pub enhanced_query: String,
    #[merge(messages)]
    pub messages: Messages,
    #[merge(with = update_subtasks)]
    pub subtasks: Vec<Subtask>,
    /// The first that is not finished.
    pub current_subtask_idx: u32,
    /// The sub-tasks that were sent out last.
    pub ready: Vec<u32>,
    #[merge(append)]
    pub query_variations: Vec<String>,
    pub search_filter: SearchFilter,
    /// Where it was looked because the question says so, and what it named that is not there; for the person.
    #[merge(with = add_notes)]
    pub scope_notes: Vec<String>,
    /// The relevant ones; their places are the numbers that answers cite until the last.
    #[merge(with = add_documents)]
    pub documents: Vec<Document>,
    /// The best of those that were dropped.
    #[merge(with = add_documents)]
    pub nearest: Vec<Document>,
    /// Relevant documents that say different things.
    pub conflicts: Vec<conflicts::Conflict>,
    pub intermediate_answer: Option<String>,
    /// What was shown of an answer while it was written.
    pub streamed: Option<Streamed>,
    /// The best of the answers that did not pass.
    pub best_answer: Option<Attempt>,
    pub final_answer: Option<String>,
    pub citations: Vec<Citation>,
    /// Every sentence of the final answer, as it was checked.
    pub claims: Vec<claims::Claim>,
    /// Whether the answer is one, may be one, or there is none; nothing for small talk.
    #[merge(overwrite)]
    pub ending: Option<Ending>,
    /// How likely the answer is right: that its documents are the ones that were meant, and that they say so.
    pub confidence_score: f32,
    pub hallucination_check: Option<Check>,
    pub answer_grade: Option<Check>,
    /// What the documents do not support of the intermediate answer.
    pub unsupported: Vec<claims::Unsupported>,
    pub hallucination_feedback: Option<String>,
    pub quality_feedback: Option<String>,
    pub retry_count: u32,
    pub workflow_status: WorkflowStatus,
    /// Statistics by node.
    #[merge(with = add_statistics)]
    pub metadata: BTreeMap<String, Map<String, Value>>,
    #[merge(append)]
    pub warnings: Vec<String>,
    /// Why documents could not be searched.
    #[merge(overwrite)]
    pub error: Option<String>,
    #[merge(overwrite)]
    pub current_node: String,
    /// The questions that were answered, as they stand alone, oldest first.
    #[merge(append)]
    pub turns: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkflowStatus {
    #[default]
    Started,
    Running,
    Completed,
    Failed,
}

/// What a check of an answer said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    pub is_valid: bool,
    pub score: f32,
    pub reason: String,
    pub suggestions: Vec<String>,
    pub needs_retry: bool,
}

/// The verified beginning of an answer, as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Streamed {
    /// The message's id.
    pub id: String,
    pub text: String,
}

/// An answer that was checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    pub answer: String,
    pub score: f32,
    pub unsupported: Vec<claims::Unsupported>,
}

/// What is asked. A chat client sends messages, others a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inquiry {
    /// The question; without one, the last message of the person.
    #[serde(default)]
    pub question: Option<String>,
    /// Where to look; everywhere if nothing is set.
    #[serde(default)]
    pub search_filter: SearchFilter,
    #[serde(default)]
    pub messages: Vec<Message>,
}

impl Inquiry {
    /// Only a question.
    pub fn question(question: impl Into<String>) -> Self {
        Self { question: Some(question.into()), ..Self::default() }
    }

    /// Begins anew, but for the conversation.
    pub(super) fn update(self) -> ResearchUpdate {
        let said = self.messages.iter().rev().find(|message| message.is_human());
        let question = self.question.or_else(|| said.map(|message| message.text().into_owned()));
        let question = question.unwrap_or_default().trim().to_owned();
        let messages =
            if self.messages.is_empty() { vec![Message::human(question.as_str())] } else { self.messages };
        ResearchUpdate::new()
            .query(question)
            .query_type(None)
            .enhanced_query(String::new())
            .messages(messages)
            .overwrite_subtasks(Vec::new())
            .current_subtask_idx(0_u32)
            .ready(Vec::new())
            .overwrite_query_variations(Vec::new())
            .search_filter(self.search_filter)
            .overwrite_scope_notes(Vec::new())
            .overwrite_documents(Vec::new())
            .overwrite_nearest(Vec::new())
            .conflicts(Vec::new())
            .intermediate_answer(None)
            .streamed(None)
            .best_answer(None)
            .final_answer(None)
            .citations(Vec::new())
            .claims(Vec::new())
            .ending(None)
            .confidence_score(0.0_f32)
            .hallucination_check(None)
            .answer_grade(None)
            .unsupported(Vec::new())
            .hallucination_feedback(None)
            .quality_feedback(None)
            .retry_count(0_u32)
            .workflow_status(WorkflowStatus::Started)
            .overwrite_metadata(BTreeMap::new())
            .overwrite_warnings(Vec::new())
            .error(None)
            .current_node(String::new())
    }
}

impl Research {
    /// The question that is looked up.
    pub(super) fn asked(&self) -> &str {
        if self.enhanced_query.is_empty() { &self.query } else { &self.enhanced_query }
    }

    /// Whether the documents of the parts that were found answer them, and how likely: the weakest part counts.
    pub(super) fn relevance(&self) -> (Ending, f32) {
        let found = self.subtasks.iter().filter(|subtask| !subtask.documents.is_empty());
        let of = found.map(|subtask| (subtask.ending, subtask.confidence));
        of.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))).unwrap_or_default()
    }

    pub(super) fn lang(&self) -> Lang {
        Lang::of(&self.query)
    }

    /// What was said before this question, without the machinery.
    pub(super) fn history(&self, most: usize) -> Vec<String> {
        let said: Vec<&Message> = self.messages.iter().filter(|message| !is_internal(message)).collect();
        let before = said.iter().rposition(|message| message.is_human()).unwrap_or(0);
        let mut turns: Vec<String> = said[..before]
            .iter()
            .rev()
            .take(most)
            .map(|message| {
                format!("{}: {}", if message.is_human() { "user" } else { "researcher" }, message.text())
            })
            .collect();
        turns.reverse();
        turns
    }
}

const INTERNAL: &str = "internal";

/// A step's message, which a chat client does not show.
pub(super) fn internal(node: &str, text: impl Into<String>) -> Message {
    let mut message = Message::ai(text.into()).with_name(node);
    message.additional_kwargs.insert(INTERNAL.to_owned(), Value::Bool(true));
    message
}

/// Whether a message is of the machinery only.
pub fn is_internal(message: &Message) -> bool {
    message.additional_kwargs.get(INTERNAL) == Some(&Value::Bool(true))
}

/// A sub-task takes the place of the one with its id.
fn update_subtasks(all: &mut Vec<Subtask>, written: Vec<Subtask>) {
    for subtask in written {
        match all.iter_mut().find(|known| known.id == subtask.id) {
            Some(known) => *known = subtask,
            None => all.push(subtask),
        }
    }
}

/// Each is said once.
fn add_notes(all: &mut Vec<String>, written: Vec<String>) {
    for note in written {
        if !all.contains(&note) {
            all.push(note);
        }
    }
}

/// A document is there once, with its better score.
fn add_documents(all: &mut Vec<Document>, written: Vec<Document>) {
    for document in written {
        match all.iter_mut().find(|known| known.id == document.id) {
            Some(known) => {
                known.score = known.score.max(document.score);
                known.fit = known.fit.max(document.fit);
            }
            None => all.push(document),
        }
    }
}

/// Numbers add up, anything else is replaced.
fn add_statistics(
    all: &mut BTreeMap<String, Map<String, Value>>,
    written: BTreeMap<String, Map<String, Value>>,
) {
    for (node, statistics) in written {
        let known = all.entry(node).or_default();
        for (name, value) in statistics {
            let sum = match (known.get(&name).and_then(Value::as_u64), value.as_u64()) {
                (Some(before), Some(now)) => Value::from(before.saturating_add(now)),
                _ => value,
            };
            known.insert(name, sum);
        }
    }
}
