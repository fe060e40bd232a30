//! The analyst: questions in plain language about logs, answered by SQL.

mod about;
mod buckets;
mod cache;
mod chart;
mod conflict;
mod count;
mod decide;
mod description;
mod extremes;
mod filters;
mod focus;
pub mod frame;
mod granted;
mod graph;
mod insight;
mod naming;
mod nodes;
mod numbers;
pub mod reader;
mod reading;
mod schema_text;
mod state;
mod suggest;
#[cfg(test)]
mod testing;
mod toolbox;
mod words;

pub use about::AskedAbout;
pub use buckets::with_zeros;
pub use cache::{AnswerLimits, Answers};
pub use chart::{Chart, ChartKind};
pub use description::LiveDescription;
pub use filters::{Absolute, Filters, RangeError, Relative, TimeRange, Unit};
pub use focus::Focus;
pub use graph::{drawing, graph};
pub use insight::insight;
pub use naming::{SuggestedWords, Suggestions, naming_decision, suggest_words};
pub use numbers::invented;
pub use schema_text::schema_for_question;
pub use state::{Analysis, AnalysisUpdate, Formatted, Inquiry, ModelQuery, Trouble, TroubleCode, Turn};
pub use toolbox::Toolbox;

/// The analyst's decisions.
pub fn decisions() -> duru_llm::decision::Registry {
    decide::decisions()
}
