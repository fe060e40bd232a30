//! The document researcher: answers from documents, with sources that were checked.

mod claims;
mod compose;
mod conflicts;
mod decide;
mod document;
mod ending;
pub mod evaluation;
mod facts;
mod grading;
mod graph;
mod lang;
mod nodes;
mod own_words;
mod plan;
mod planted;
mod remarks;
mod scope;
mod sentences;
mod shown;
mod small_talk;
mod state;
mod subject;
mod told;
mod toolbox;
pub mod web;
mod words;

pub use claims::{Claim, ClaimSource, Fault, Unsupported};
pub use conflicts::Conflict;
pub use decide::{QueryRouter, QueryType, Route, ToRoute};
pub use document::{Citation, Document, Ending, SearchFilter, Subtask, SubtaskStatus, Within};
pub use graph::{drawing, graph};
pub use remarks::RemarkSource;
pub use scope::where_looked;
pub use state::{Attempt, Check, Inquiry, Research, ResearchUpdate, Streamed, WorkflowStatus, is_internal};
pub use toolbox::Toolbox;

/// The researcher's decisions.
pub fn decisions() -> duru_llm::decision::Registry {
    decide::decisions()
}
