//! What the person sees while the advisor works: one frame per event, in order.
//!
//! Frames are custom events of the run; whoever delivers them adds the thread,
//! a number and a time.

use duru::Cx;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::draft::{FormField, FormFlaw};
use super::plan::{Status, Step, Strategy};
use super::state::{Action, Answer};
use super::sufficiency::DataSource;
use super::tools::{Parameters, Team};
use super::understand::{DataKind, Intent};

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    Model,
    Rule,
}

/// Data that are used again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reused {
    #[serde(rename = "type")]
    pub kind: DataKind,
    pub region: Option<String>,
    pub count: usize,
    /// In words: 3분 전.
    pub age: Option<String>,
}

/// One of the answers that a question allows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    pub value: String,
    pub label: String,
    pub description: String,
}

/// Why the person is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfirmationContext {
    pub previous_data_summary: String,
    pub data_age: String,
    pub uncertainty_reason: String,
}

/// One frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Progress {
    PlanningStart {
        query: String,
    },
    IntentAnalyzed {
        intent: Intent,
        confidence: f32,
        entities: Value,
    },
    PlanReady {
        steps: Vec<Step>,
        strategy: Strategy,
        estimated_seconds: f64,
    },
    DataReuseDecision {
        message: String,
        source: DataSource,
        reasoning: String,
        confidence: f32,
        reused: Vec<Reused>,
        still_searching: Vec<DataKind>,
    },
    UserConfirmationRequired {
        confirmation_id: String,
        message: String,
        context: ConfirmationContext,
        options: Vec<Choice>,
        /// When the default answers, RFC 3339.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<String>,
    },
    /// A draft that the person confirms or changes.
    DraftReviewRequired {
        confirmation_id: String,
        message: String,
        fields: Vec<FormField>,
        /// Names of required fields that are empty.
        missing: Vec<String>,
        flaws: Vec<FormFlaw>,
        options: Vec<Choice>,
        markdown: String,
    },
    OrchestrationDecision {
        step: u32,
        action: Action,
        reasoning: String,
        confidence: f32,
        decided_by: DecidedBy,
    },
    ExecutionStart {
        strategy: Strategy,
        teams: Vec<Team>,
    },
    TeamStart {
        team: Team,
        strategy: Strategy,
    },
    TeamComplete {
        team: Team,
        status: String,
        quality: f64,
        seconds: f64,
    },
    TodoCreated {
        step_id: String,
        team: Team,
        task: String,
        status: Status,
    },
    TodoUpdated {
        step_id: String,
        status: Status,
        progress: u32,
    },
    ToolStart {
        tool: String,
        parameters: Parameters,
    },
    ToolComplete {
        tool: String,
        parameters: Parameters,
        count: usize,
        quality: f64,
        seconds: f64,
        reused: bool,
    },
    ToolSkipped {
        tool: String,
        reason: String,
    },
    ResultAnalysis {
        team: Team,
        quality: f64,
        gaps: Vec<String>,
        next: String,
    },
    ExecutionReview {
        achievement: f64,
        verdict: String,
        missing: Vec<String>,
    },
    FinalResponse {
        answer: Answer,
    },
    Warning {
        code: String,
        message: String,
        what_to_do: String,
    },
    Error {
        code: String,
        message: String,
        what_to_do: String,
    },
}

/// Shows a frame.
pub(super) fn show(cx: &Cx, frame: &Progress) {
    // It fails only for what is no JSON, and a frame is JSON.
    let _ = cx.emit(frame);
}

/// The frame that an event is, if it is one.
pub fn read(event: &duru::Event) -> Option<Progress> {
    (event.mode == duru::Mode::Custom).then(|| Progress::deserialize(&event.data).ok()).flatten()
}
