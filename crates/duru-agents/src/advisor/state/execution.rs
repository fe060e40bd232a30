//! How far the execution of a plan is: what teams made of their steps, what was decided, and what failed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::decide::ToolPlan;
use crate::advisor::tools::Team;
use crate::advisor::understand::DataKind;

/// The execution of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Execution {
    pub phase: Phase,
    pub passes: u32,
    /// Keywords and other changes for the next search.
    pub adjust: Adjust,
    /// The steps that the pass under way takes.
    pub steps: Vec<String>,
    pub reason: String,
    /// What was decided beside the orchestration, and holds if that goes on as planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::advisor) prepared: Option<Prepared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::advisor) review: Option<Review>,
}

/// How far the execution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    #[default]
    Initialized,
    PreExecution,
    StrategyDetermined,
    TeamLoop,
    PostExecution,
    Reviewed,
    Completed,
}

/// The tools of a team that comes next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(in crate::advisor) struct Prepared {
    pub(in crate::advisor) team: Team,
    /// None where the rules choose.
    pub(in crate::advisor) plan: Option<ToolPlan>,
}

/// How a team is asked to do it differently.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Adjust {
    pub round: u32,
    pub keywords: Vec<String>,
    pub tools: Vec<String>,
}

/// What a team made of its step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TeamResult {
    pub status: TeamStatus,
    pub quality: f64,
    pub seconds: f64,
    pub items: usize,
    pub insights: Vec<String>,
    pub gaps: Vec<String>,
    pub tools: Vec<String>,
    pub runs: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TeamStatus {
    #[default]
    Pending,
    Accepted,
    PartialAccepted,
    Failed,
    Skipped,
}

/// A decision of the orchestrator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Orchestrated {
    pub step: u32,
    pub decision: Action,
    pub reasoning: String,
    pub confidence: f32,
    pub by_model: bool,
    pub timestamp: String,
}

/// What became of a step of the plan after it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It came to the plan, or is taken once more.
    Added,
    Skipped,
    /// It takes the place of another.
    Replaced,
}

/// A change of the plan, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanChange {
    /// The step, by its id, and whose it is.
    pub step: String,
    pub team: Team,
    pub change: Change,
    /// The step whose place it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// The team whose result led to it; none before the first.
    pub after: Option<Team>,
    pub reason: String,
    pub by_model: bool,
}

/// What follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    Continue,
    AddAgent { next_agent: Team },
    SkipRemaining,
    Collaborate(Collaboration),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Collaboration {
    pub primary_agent: Team,
    pub supporting_agent: Team,
    #[schemars(length(max = 100))]
    pub collaboration_type: String,
}

/// Something that failed, and what was done about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    pub tool: String,
    pub what: FaultKind,
    pub done: Remedy,
    /// The kinds of data that are missing for it.
    pub lost: Vec<DataKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    TimedOut,
    Failed,
    Empty,
    LowQuality,
    MissingDependency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// A second try did it.
    Retried,
    /// Another tool did it.
    Replaced,
    /// What there is was taken.
    AcceptedPartly,
    /// It was left out.
    Skipped,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    #[schemars(range(min = 0.0, max = 1.0))]
    pub achievement: f64,
    pub verdict: Achieved,
    #[schemars(length(max = 8), inner(length(max = 300)))]
    pub missing: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Achieved {
    Yes,
    Partial,
    No,
}
