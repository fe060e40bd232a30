//! What the analyst knows while it works on a question, and keeps for the next.

use std::collections::BTreeMap;

use duru::State;
use duru_messages::{Message, Messages};
use duru_sql::Answer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::about::AskedAbout;
use super::frame::{Column, Frame};
use super::reader::{AskBack, QueryAnalysis, ReadTurn};
use super::{Chart, Filters, Focus, TimeRange};

/// So many rows may be asked for.
pub(super) const MOST: u32 = 10_000;

/// A conversation about logs.
#[derive(State, Debug, Clone)]
pub struct Analysis {
    pub question: String,
    pub max_results: u32,
    /// By its IANA name; empty until the first node has looked which it is.
    pub timezone: String,
    /// A clock that stands still, for evaluations.
    pub now: Option<String>,
    /// When the question came, ISO 8601: "yesterday" stays the same day
    /// however long the person takes to answer.
    pub asked_at: Option<String>,
    /// From the person's picker.
    pub time_range_structured: Option<TimeRange>,
    /// A query that the person wrote instead of a question.
    pub given_sql: Option<String>,
    /// What the person chose to ask about.
    pub about: AskedAbout,

    pub resolved_question: String,
    /// Whether a model wrote it out; else the rules read the question itself.
    pub resolved_by_model: bool,
    /// What the last answered question was about.
    pub current_focus: Focus,
    pub filters: Filters,
    pub clarification_count: u32,
    pub clarifications_needed: Vec<AskBack>,
    /// What the person answered, by field.
    pub user_clarifications: BTreeMap<String, String>,
    pub query_analysis: QueryAnalysis,

    pub schema_info: String,
    pub sample_data: Value,

    /// What a model made of the question, where its query is compared with the rules' readings.
    pub model_query: Option<ModelQuery>,
    /// That query is the one that is run: the person chose it.
    pub uses_model_query: bool,
    pub generated_sql: Option<String>,
    pub explanation: String,
    /// Why the last query was refused.
    pub validation_error: Option<String>,
    pub retry_count: u32,
    /// What was run: the query as the guard printed it.
    pub executed_sql: Option<String>,
    pub soft_delete_added: bool,

    pub query_results: Option<Answer>,
    pub execution_time_ms: u64,
    /// When the rows were true, ISO 8601, if they were not asked for again.
    pub cached_at: Option<String>,
    pub formatted_results: Option<Formatted>,
    pub chart: Option<Chart>,
    pub insight: Option<String>,
    pub suggestions: Vec<String>,
    /// Why there is no answer.
    pub problem: Option<Trouble>,

    /// A question that waits for the person, who may also just ask on.
    pub asked_back: Option<Turn>,
    /// The one before this question that the person never answered.
    pub left_open: Option<Turn>,

    /// The questions that were answered, oldest first.
    #[merge(append)]
    pub turns: Vec<Turn>,
    #[merge(append)]
    pub events: Vec<Value>,
    #[merge(messages)]
    pub messages: Messages,
}

/// What is asked. A chat client sends messages, others a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inquiry {
    /// The question; without one, the last message of the person.
    #[serde(default)]
    pub question: Option<String>,
    /// A query to run as it is, through the same guard, instead of a question.
    #[serde(default)]
    pub sql: Option<String>,
    /// At most so many rows are shown, 100 unless told.
    #[serde(default)]
    pub max_results: Option<u32>,
    #[serde(default)]
    pub time_range_structured: Option<TimeRange>,
    /// Answers to questions that were asked back before, by field.
    #[serde(default)]
    pub clarification_answers: BTreeMap<String, String>,
    /// By its IANA name; that of the machine unless told.
    #[serde(default)]
    pub timezone: Option<String>,
    /// ISO 8601: a clock that stands still.
    #[serde(default)]
    pub now: Option<String>,
    /// What to ask about; whatever fits unless told.
    #[serde(default)]
    pub about: AskedAbout,
    #[serde(default)]
    pub messages: Vec<Message>,
}

/// The rows as they are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Formatted {
    pub count: u64,
    /// The count could not be made exact in time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub count_is_lower_bound: bool,
    pub displayed: u64,
    pub truncated: bool,
    pub data: Vec<serde_json::Map<String, Value>>,
}

/// A query that a model wrote, the guard passed, and the store ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelQuery {
    pub sql: String,
    /// How the model says that it understood the question.
    pub explanation: String,
    /// The offered reading that has the same rows, as the person would answer it.
    pub agrees_with: Option<String>,
    /// The model's query has the rows of that reading, with more columns.
    #[serde(default)]
    pub shows_more: bool,
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trouble {
    pub code: TroubleCode,
    /// In the language of the question, with what to do.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TroubleCode {
    /// The question asks for what the analyst does not do.
    Refused,
    /// The question was not understood.
    NotUnderstood,
    /// No query passed the guard.
    Guard,
    /// The range from the picker can't be used.
    TimeRange,
    TimedOut,
    Unavailable,
    Failed,
}

/// A question that was answered, or asked back about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    pub question: String,
    /// As the rules read it, if they could. One that an older program kept in another form is as good as none.
    #[schemars(with = "Value")]
    #[serde(default, deserialize_with = "if_it_fits")]
    pub frame: Option<Frame>,
    /// Values of the first row, which the next question may mean.
    #[schemars(with = "Value")]
    #[serde(default, deserialize_with = "if_it_fits")]
    pub top: Vec<(Column, String)>,
    /// Empty, if it was not answered.
    pub sql: String,
    /// When it was asked, ISO 8601.
    pub at: String,
}

impl Turn {
    /// As the parser wants it.
    pub(super) fn read(&self) -> Option<ReadTurn> {
        let frame = self.frame.clone().filter(|frame| !frame.table.is_empty())?;
        Some(ReadTurn { frame, top: self.top.clone() })
    }
}

/// What does not fit is left out: a conversation goes on without it.
fn if_it_fits<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::de::DeserializeOwned + Default,
{
    let value = Value::deserialize(from)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

impl Inquiry {
    /// Only a question.
    pub fn question(question: impl Into<String>) -> Self {
        Self { question: Some(question.into()), ..Self::default() }
    }

    /// Begins anew, but for what is kept of the conversation.
    pub(super) fn update(self) -> AnalysisUpdate {
        let said = self.messages.iter().rev().find(|message| message.is_human());
        let question = self.question.or_else(|| said.map(|message| message.text().into_owned()));
        let question = question.unwrap_or_default().trim().to_owned();
        let messages = match (self.messages, &self.sql) {
            (messages, _) if !messages.is_empty() => messages,
            (_, Some(sql)) => vec![Message::human(sql.as_str())],
            (_, None) => vec![Message::human(question.as_str())],
        };
        AnalysisUpdate::new()
            .question(question)
            .messages(messages)
            .max_results(self.max_results.unwrap_or(100).clamp(1, MOST))
            .timezone(self.timezone.unwrap_or_default())
            .now(self.now)
            .asked_at(None)
            .time_range_structured(self.time_range_structured)
            .given_sql(self.sql)
            .about(self.about)
            .resolved_question(String::new())
            .resolved_by_model(false)
            .filters(Filters::default())
            .clarification_count(0_u32)
            .clarifications_needed(Vec::new())
            .user_clarifications(self.clarification_answers)
            .query_analysis(QueryAnalysis::default())
            .model_query(None)
            .uses_model_query(false)
            .generated_sql(None)
            .explanation(String::new())
            .validation_error(None)
            .retry_count(0_u32)
            .executed_sql(None)
            .soft_delete_added(false)
            .query_results(None)
            .execution_time_ms(0_u64)
            .cached_at(None)
            .formatted_results(None)
            .chart(None)
            .insight(None)
            .suggestions(Vec::new())
            .problem(None)
    }
}
