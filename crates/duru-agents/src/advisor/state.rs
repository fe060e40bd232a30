//! What the advisor knows while it works on a question, and keeps for the next.

use std::collections::BTreeMap;

use duru::State;
use duru_messages::{Message, Messages};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ab;
use super::carry::Figures;
use super::draft::{self, LeaseForm};
use super::lang::Lang;
use super::plan::{Step, Strategy, update_steps};
use super::sufficiency::{self, Checked, DataSource, Judgement, Tier};
use super::tools::{Calculation, Filed, Parameters, Team, Used};
use super::understand::region::Region;
use super::understand::{Context, DataKind, Intent, Question, Terms, understand};

/// So many searches of a conversation are remembered.
const SEARCHES: usize = 8;

/// A consultation.
#[derive(State, Debug, Clone)]
pub struct Advice {
    pub query: String,
    pub user: String,
    pub interactive: bool,
    pub variant: Variant,
    pub force_search: bool,
    /// When it was asked, RFC 3339.
    pub now: String,
    #[merge(messages)]
    pub messages: Messages,
    /// The exchanges before this question, oldest first, the last three.
    pub chat_history: Vec<Exchange>,
    /// What is remembered of the user, by tier.
    pub memories: Memories,
    pub planning: Planning,
    #[merge(with = update_steps)]
    pub steps: Vec<Step>,
    pub strategy: Strategy,
    /// The teams of the pass under way.
    pub active_teams: Vec<Team>,
    #[merge(append)]
    pub completed_teams: Vec<Team>,
    #[merge(with = update_results)]
    pub team_results: BTreeMap<Team, TeamResult>,
    pub execution: Execution,
    #[merge(append)]
    pub orchestration_decisions: Vec<Orchestrated>,
    pub collaboration_plan: Option<Collaboration>,
    pub skip_remaining: bool,
    pub data_reused: bool,
    pub reused_data_source: Option<DataSource>,
    pub sufficiency_result: Option<Judgement>,
    pub sufficiency_reasoning: String,
    pub skip_search_reason: Option<String>,
    pub verify_search_data: bool,
    /// Every search of this conversation, oldest first: with its query, places, conditions, time and items.
    #[merge(with = keep_searches)]
    pub previous_search_results: Vec<PastSearch>,
    /// Which of them this question uses again, and of them which kinds.
    pub reused: Vec<Reuse>,
    pub using_cached_data: bool,
    pub cached_data_source: Option<DataSource>,
    #[merge(overwrite)]
    pub cached_data_quality: Option<Checked>,
    pub user_confirmed: Option<bool>,
    /// The figures of the latest calculation of this conversation.
    pub figures: Option<Figures>,
    /// The newest draft of a lease in this conversation.
    pub draft: Option<Drafted>,
    /// Tools that ran for this question.
    #[merge(append)]
    pub used: Vec<Used>,
    #[merge(append)]
    pub faults: Vec<Fault>,
    pub execution_review: Option<Review>,
    /// Statistics: model calls, tool calls, passes.
    #[merge(with = add_counts)]
    pub execution_metadata: BTreeMap<String, u64>,
    pub aggregated: Option<Aggregated>,
    pub final_response: Option<Answer>,
    pub status: AdviceStatus,
    #[merge(append)]
    pub errors: Vec<String>,
    pub ended_at: Option<String>,
}

/// Which gates run, for comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Variant {
    /// Gate 1 only.
    A,
    /// All gates.
    #[default]
    B,
    /// None: every question searches.
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdviceStatus {
    #[default]
    Started,
    Running,
    Completed,
    /// Answered with less than was wanted.
    Partial,
    Failed,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    pub question: String,
    pub answer: String,
}

/// What is remembered, as lines, by tier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Memories {
    pub short_term: Vec<String>,
    pub mid_term: Vec<String>,
    pub long_term: Vec<String>,
    /// Searches of other conversations of the user.
    pub searches: Vec<PastSearch>,
}

impl Memories {
    pub(super) fn is_empty(&self) -> bool {
        self.short_term.is_empty()
            && self.mid_term.is_empty()
            && self.long_term.is_empty()
            && self.searches.is_empty()
    }
}

/// What planning found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Planning {
    pub intent: Option<Intent>,
    pub confidence: f32,
    pub keywords: Vec<String>,
    /// The places it asks about, its own or those it goes on from.
    pub regions: Vec<Region>,
    pub terms: Terms,
    /// The kinds of data its answer rests on.
    pub required: Vec<DataKind>,
    pub suggested_teams: Vec<Team>,
    pub sub_tasks: Vec<String>,
    pub calculations: Vec<Calculation>,
    /// Figures of an earlier question that this one goes on with.
    pub carried: Option<Parameters>,
    /// What a clarifying question asks, where the intent is unclear.
    pub clarify: Option<String>,
    /// Only one step must be taken.
    pub single: bool,
}

/// What one search found, with all that says whether it can be used again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PastSearch {
    /// What it is known by, however many searches follow it.
    #[serde(default)]
    pub id: String,
    pub query: String,
    pub regions: Vec<Region>,
    pub terms: Terms,
    pub stated: Terms,
    pub tier: Tier,
    pub results: Vec<Used>,
}

/// A draft, and the turn of the conversation that last changed it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drafted {
    pub form: LeaseForm,
    pub turn: usize,
}

/// One search, by its id, and the kinds that are used of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reuse {
    pub search: String,
    pub kinds: Vec<DataKind>,
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
}

/// How a team is asked to do it differently.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Adjust {
    pub round: u32,
    pub keywords: Vec<String>,
    pub tools: Vec<String>,
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
    pub collaboration_type: String,
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
    pub achievement: f64,
    pub verdict: Achieved,
    pub missing: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Achieved {
    Yes,
    Partial,
    No,
}

/// All that an answer is made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Aggregated {
    pub items: usize,
    pub reports: usize,
    pub insights: Vec<String>,
    pub missing: Vec<DataKind>,
    pub wanting: Vec<String>,
    pub reused: Vec<DataKind>,
}

/// The answer, in parts and as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Answer {
    /// The answer in one or two sentences.
    pub summary: String,
    pub sections: Vec<Section>,
    pub sources: Vec<String>,
    pub reused: Vec<String>,
    pub failed: Vec<String>,
    pub missing: Vec<String>,
    pub next_steps: Vec<String>,
    pub caution: Option<String>,
    /// Documents that were made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Filed>,
    /// All of it, as Markdown.
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    pub heading: String,
    pub lines: Vec<String>,
}

/// What is asked. A chat client sends messages, others a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Inquiry {
    /// The question; without one, the last message of the person.
    pub query: Option<String>,
    pub messages: Vec<Message>,
    /// Whether somebody is there to answer questions.
    pub interactive: bool,
    /// Whose memory is used; without one, nobody's.
    pub user: Option<String>,
    /// Which gates run; where nothing is said, those of the variant that the person is in.
    pub variant: Option<Variant>,
    /// Search anew, whatever is known.
    pub force_search: bool,
    /// When it is asked, RFC 3339; now if nobody says.
    pub now: Option<String>,
}

impl Inquiry {
    /// Only a question.
    pub fn question(query: impl Into<String>) -> Self {
        Self { query: Some(query.into()), ..Self::default() }
    }

    /// Begins anew, but for the conversation and what it found.
    pub(super) fn update(self) -> AdviceUpdate {
        let said = self.messages.iter().rev().find(|message| message.is_human());
        let query = self.query.or_else(|| said.map(|message| message.text().into_owned()));
        let query = query.unwrap_or_default().trim().to_owned();
        let messages =
            if self.messages.is_empty() { vec![Message::human(query.as_str())] } else { self.messages };
        let now = self.now.unwrap_or_else(|| Timestamp::now().to_string());
        // Somebody without a name is in no experiment.
        let own = self.user.as_deref().filter(|user| !user.is_empty()).map(|user| ab::Variant::of(user).into());
        let variant = self.variant.or(own).unwrap_or_default();
        AdviceUpdate::new()
            .query(query)
            .user(self.user.unwrap_or_default())
            .interactive(self.interactive)
            .variant(variant)
            .force_search(self.force_search)
            .now(now)
            .messages(messages)
            .chat_history(Vec::new())
            .memories(Memories::default())
            .planning(Planning::default())
            .overwrite_steps(Vec::new())
            .strategy(Strategy::default())
            .active_teams(Vec::new())
            .overwrite_completed_teams(Vec::new())
            .overwrite_team_results(BTreeMap::new())
            .execution(Execution::default())
            .overwrite_orchestration_decisions(Vec::new())
            .collaboration_plan(None)
            .skip_remaining(false)
            .data_reused(false)
            .reused_data_source(None)
            .sufficiency_result(None)
            .sufficiency_reasoning(String::new())
            .skip_search_reason(None)
            .verify_search_data(false)
            .reused(Vec::new())
            .using_cached_data(false)
            .cached_data_source(None)
            .cached_data_quality(None)
            .user_confirmed(None)
            .overwrite_used(Vec::new())
            .overwrite_faults(Vec::new())
            .execution_review(None)
            .overwrite_execution_metadata(BTreeMap::new())
            .aggregated(None)
            .final_response(None)
            .status(AdviceStatus::Started)
            .overwrite_errors(Vec::new())
            .ended_at(None)
    }
}

impl PastSearch {
    /// When it was made.
    pub fn at(&self) -> Option<Timestamp> {
        self.results.iter().filter_map(|used| used.at).max()
    }

    /// As the gates look at it.
    pub fn held(&self) -> sufficiency::Search {
        let mut found: Vec<sufficiency::Found> = Vec::new();
        for used in &self.results {
            for item in &used.found.items {
                let held = sufficiency::Item {
                    region: item.region.clone(),
                    deal: item.deal,
                    property: item.property,
                    at: item.at,
                    source: item.source.clone(),
                };
                match found.iter_mut().find(|known| known.kind == item.kind) {
                    Some(known) => {
                        known.count += 1;
                        known.at = known.at.min(used.at);
                        known.items.push(held);
                    }
                    None => found.push(sufficiency::Found {
                        kind: item.kind,
                        count: 1,
                        at: used.at,
                        source: item.source.clone(),
                        items: vec![held],
                    }),
                }
            }
        }
        sufficiency::Search {
            query: self.query.clone(),
            regions: self.regions.clone(),
            terms: self.terms.clone(),
            stated: self.stated.clone(),
            tier: self.tier,
            found,
        }
    }
}

impl Advice {
    /// When it was asked.
    pub(super) fn at(&self) -> Timestamp {
        self.now.parse().unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub(super) fn lang(&self) -> Lang {
        Lang::of(&self.query)
    }

    /// All earlier searches, newest first: of this conversation, then of memory.
    pub(super) fn earlier(&self) -> Vec<&PastSearch> {
        self.previous_search_results.iter().rev().chain(&self.memories.searches).collect()
    }

    /// What the conversation was about before the question.
    pub(super) fn context(&self) -> Context {
        let drafting = self.draft.as_ref().is_some_and(|drafted| drafted.turn + 1 == self.turn());
        if let Some(latest) = self.previous_search_results.last() {
            let mut kinds = latest.held().kinds();
            // A contract is brought, not found; it is what the talk is about all the same.
            let brought = understand(&latest.query, &Context::default()).brings_contract;
            if brought && !kinds.contains(&DataKind::Contract) {
                kinds.push(DataKind::Contract);
            }
            return Context { kinds, regions: latest.regions.clone(), drafting };
        }
        match self.chat_history.last() {
            Some(last) => {
                let last = understand(&last.question, &Context::default());
                Context { regions: last.regions(), kinds: last.required, drafting }
            }
            None => Context { drafting, ..Context::default() },
        }
    }

    /// The number of this question in the conversation, from 1.
    pub(super) fn turn(&self) -> usize {
        self.messages.iter().filter(|message| message.is_human()).count()
    }

    /// The draft that this question goes on with, rather than beginning another.
    pub(super) fn draft_to_change(&self, question: &Question) -> Option<LeaseForm> {
        let drafted = self.draft.as_ref()?;
        let follows = drafted.turn + 1 == self.turn() && draft::edits(&self.query);
        let points = question.reference.is_any() || question.reference.onward;
        (follows || points).then(|| drafted.form.clone())
    }

    /// The question as the rules read it.
    pub(super) fn question(&self) -> Question {
        understand(&self.query, &self.context())
    }

    /// What this question may use: earlier results that are used again, then its own.
    pub(super) fn data(&self) -> Vec<Used> {
        let earlier = self.earlier();
        let mut data: Vec<Used> = Vec::new();
        for reuse in &self.reused {
            let results =
                earlier.iter().filter(|search| search.id == reuse.search).flat_map(|search| &search.results);
            for used in results {
                let mut used = (*used).clone();
                let before = used.found.items.len();
                used.found.items.retain(|item| reuse.kinds.contains(&item.kind));
                if before == 0 || !used.found.items.is_empty() {
                    data.push(used);
                }
            }
        }
        data.extend(self.used.iter().cloned());
        data
    }

    /// A statistic: `model_calls`, `tool_calls`, `search_calls`, `passes`, `duplicate_runs`.
    pub fn count_of(&self, name: &str) -> u64 {
        self.execution_metadata.get(name).copied().unwrap_or_default()
    }
}

fn update_results(all: &mut BTreeMap<Team, TeamResult>, written: BTreeMap<Team, TeamResult>) {
    all.extend(written);
}

/// The newest are kept.
fn keep_searches(all: &mut Vec<PastSearch>, written: Vec<PastSearch>) {
    all.extend(written);
    let over = all.len().saturating_sub(SEARCHES);
    all.drain(..over);
}

fn add_counts(all: &mut BTreeMap<String, u64>, written: BTreeMap<String, u64>) {
    for (name, count) in written {
        let known = all.entry(name).or_default();
        *known = known.saturating_add(count);
    }
}
