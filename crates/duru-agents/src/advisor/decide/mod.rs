//! What the advisor decides, one file each: a model answers, or a rule does.

mod contract_analysis;
mod decomposition;
mod execution_review;
mod intent;
mod market_insights;
mod orchestration;
mod registry;
mod response_synthesis;
mod result_analysis;
mod strategy;
mod sufficiency;
mod team_selection;
mod tool_orchestration;

pub(super) use contract_analysis::{ContractAdvice, ContractAsked, ReadContract};
pub(super) use decomposition::{Decompose, Decomposition, DecompositionAsked, SubTask};
pub(super) use execution_review::{ReviewAsked, ReviewExecution};
pub(super) use intent::{IntentAsked, IntentRead, ReadIntent};
pub(super) use market_insights::{FindInsights, Insights, InsightsAsked};
pub(super) use orchestration::Orchestration;
pub(super) use registry::decisions;
pub(super) use response_synthesis::{Response, ResponseAsked, Synthesise};
pub(super) use result_analysis::{AnalyseResult, Edit, Next, PlanEdit, ResultAsked, ResultRead};
pub(super) use strategy::{OpenExecution, Opening, OpeningAsked};
pub(super) use sufficiency::{JudgeSufficiency, SufficiencyAsked, Sufficient};
pub(super) use team_selection::{SelectTeams, Selection, SelectionAsked};
pub(super) use tool_orchestration::{ChooseTools, LeftOut, ToolPlan, ToolWish, ToolsAsked};
