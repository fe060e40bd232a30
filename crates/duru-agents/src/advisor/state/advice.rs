//! A consultation: all that is known while a question is worked on, and what is kept for the next.

use std::collections::BTreeMap;

use duru::State;
use duru_messages::Messages;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{Aggregated, Answer, Told};
use super::before::{Drafted, Exchange, Memories, PastSearch, Reuse};
use super::execution::{Collaboration, Execution, Fault, Orchestrated, PlanChange, Review, TeamResult};
use super::planning::Planning;
use crate::advisor::draft::{self, LeaseForm};
use crate::advisor::lang::Lang;
use crate::advisor::ledger::Ledger;
use crate::advisor::plan::{Step, Strategy, update_steps};
use crate::advisor::reuse::Wanted;
use crate::advisor::sufficiency::{Checked, DataSource, Judgement, Tier};
use crate::advisor::tools::{Team, Used};
use crate::advisor::understand::{Context, DataKind, Question, understand};

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
    /// How the plan was changed on the way, each with its reason.
    #[merge(append)]
    pub plan_changes: Vec<PlanChange>,
    pub collaboration_plan: Option<Collaboration>,
    pub skip_remaining: bool,
    pub data_reused: bool,
    pub reused_data_source: Option<DataSource>,
    pub sufficiency_result: Option<Judgement>,
    pub sufficiency_reasoning: String,
    pub skip_search_reason: Option<String>,
    pub verify_search_data: bool,
    /// Only the person could have said whether earlier data will do, and a search was made at once: it takes less time
    /// than an answer.
    pub searched_at_once: bool,
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
    pub ledger: Ledger,
    /// What the latest answer told, for questions about it.
    pub told: Option<Told>,
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

impl Advice {
    /// When it was asked.
    pub(in crate::advisor) fn at(&self) -> Timestamp {
        self.now.parse().unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub(in crate::advisor) fn lang(&self) -> Lang {
        Lang::of(&self.query)
    }

    /// All earlier searches, newest first: of this conversation, then of memory.
    pub(in crate::advisor) fn earlier(&self) -> Vec<&PastSearch> {
        self.previous_search_results.iter().rev().chain(&self.memories.searches).collect()
    }

    /// What the conversation was about before the question.
    pub(in crate::advisor) fn context(&self) -> Context {
        let drafting =
            self.draft.as_ref().is_some_and(|drafted| drafted.turn + 1 == self.turn() || self.adds_term());
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

    /// How long a search of this conversation has been taking, where one was made.
    pub(in crate::advisor) fn search_seconds(&self) -> Option<f64> {
        let took: Vec<f64> = self
            .previous_search_results
            .iter()
            .filter(|search| search.tier == Tier::Conversation)
            .map(|search| search.results.iter().map(|used| used.seconds).sum())
            .collect();
        (!took.is_empty()).then(|| took.iter().sum::<f64>() / took.len() as f64)
    }

    /// The number of this question in the conversation, from 1.
    pub(in crate::advisor) fn turn(&self) -> usize {
        self.messages.iter().filter(|message| message.is_human()).count()
    }

    /// The draft that this question goes on with, rather than beginning another.
    pub(in crate::advisor) fn draft_to_change(&self, question: &Question) -> Option<LeaseForm> {
        let drafted = self.draft.as_ref()?;
        let follows = (drafted.turn + 1 == self.turn() || self.adds_term()) && draft::edits(&self.query);
        let points = question.reference.is_any() || question.reference.onward;
        (follows || points).then(|| drafted.form.clone())
    }

    /// 특약에 … 넣어줘: comes to the draft there is, however long ago it was made.
    fn adds_term(&self) -> bool {
        self.query.contains("특약") && ["넣어", "추가해", "적어"].iter().any(|word| self.query.contains(word))
    }

    /// The question as the rules read it.
    pub(in crate::advisor) fn question(&self) -> Question {
        understand(&self.query, &self.context())
    }

    /// What this question may use: earlier results that are used again, then its own.
    pub(in crate::advisor) fn data(&self) -> Vec<Used> {
        let earlier = self.earlier();
        let mut data: Vec<Used> = Vec::new();
        let question = self.question();
        let wanted = Wanted::of(&self.planning, &question);
        for reuse in &self.reused {
            let results =
                earlier.iter().filter(|search| search.id == reuse.search).flat_map(|search| &search.results);
            for used in results {
                let mut used = (*used).clone();
                let before = used.found.items.len();
                used.found.items.retain(|item| reuse.kinds.contains(&item.kind));
                used = wanted.narrow(used);
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
