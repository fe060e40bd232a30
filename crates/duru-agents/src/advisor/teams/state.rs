//! What a team knows while it works.

use std::collections::BTreeMap;

use duru::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::ask::calls_left;
use crate::advisor::draft::LeaseForm;
use crate::advisor::lang::Lang;
use crate::advisor::plan::{Status, Step};
use crate::advisor::state::{
    Adjust, Advice, AdviceUpdate, Drafted, Fault, PastSearch, Planning, Prepared, TeamResult, TeamStatus,
};
use crate::advisor::sufficiency::{Checked, DataSource, Issue, Tier};
use crate::advisor::toolbox::Bounds;
use crate::advisor::tools::{Parameters, Report, Team, Used};
use crate::advisor::understand::{DataKind, Newness, Property, Terms};

/// A team at work on one step.
#[derive(State, Debug, Clone)]
pub(in crate::advisor) struct TeamRun {
    pub(in crate::advisor) order: Order,
    pub(in crate::advisor) chosen: Vec<Wish>,
    /// What earlier data were found to be worth, where that was looked at.
    pub(in crate::advisor) checked: Option<Checked>,
    #[merge(append)]
    pub(in crate::advisor) used: Vec<Used>,
    #[merge(append)]
    pub(in crate::advisor) faults: Vec<Fault>,
    #[merge(append)]
    pub(in crate::advisor) insights: Vec<String>,
    pub(in crate::advisor) result: TeamResult,
    #[merge(sum)]
    pub(in crate::advisor) model_calls: u64,
    #[merge(sum)]
    pub(in crate::advisor) tool_calls: u64,
}

/// What a team is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(in crate::advisor) struct Order {
    pub(in crate::advisor) team: Option<Team>,
    pub(in crate::advisor) step: Option<Step>,
    pub(in crate::advisor) query: String,
    pub(in crate::advisor) now: String,
    pub(in crate::advisor) interactive: bool,
    pub(in crate::advisor) planning: Planning,
    /// The question's own conditions.
    pub(in crate::advisor) stated: Terms,
    pub(in crate::advisor) asked: Parameters,
    /// Look at the earlier data before a search.
    pub(in crate::advisor) verify: bool,
    /// Nobody knows whether earlier law is about the same subject.
    pub(in crate::advisor) subject_unknown: bool,
    /// Earlier results that may be used.
    pub(in crate::advisor) earlier: Vec<Used>,
    /// Tools that ran for this question.
    pub(in crate::advisor) ran: Vec<Used>,
    pub(in crate::advisor) adjust: Adjust,
    /// What its tools were decided to be while others decided whether it begins.
    pub(in crate::advisor) prepared: Option<Prepared>,
    pub(in crate::advisor) calls_left: u64,
    pub(in crate::advisor) runs: u32,
    /// The text of a contract in the conversation.
    pub(in crate::advisor) contract: Option<String>,
    pub(in crate::advisor) user: String,
    /// The number of the question in the conversation.
    pub(in crate::advisor) turn: usize,
}

impl Order {
    pub(in crate::advisor) fn lang(&self) -> Lang {
        Lang::of(&self.query)
    }

    pub(in crate::advisor) fn team(&self) -> Team {
        self.team.unwrap_or(Team::Search)
    }

    pub(in crate::advisor) fn scope(&self) -> Vec<DataKind> {
        self.step.as_ref().map(|step| step.scope.clone()).unwrap_or_default()
    }

    pub(in crate::advisor) fn at(&self) -> Option<jiff::Timestamp> {
        self.now.parse().ok()
    }

    /// All that the team's tools may be given when it begins.
    pub(in crate::advisor) fn given(&self) -> Vec<Used> {
        self.earlier.iter().chain(&self.ran).cloned().collect()
    }
}

/// A tool that is wanted, with what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(in crate::advisor) struct Wish {
    pub(in crate::advisor) tool: String,
    pub(in crate::advisor) parameters: Parameters,
}

impl TeamRun {
    /// All that tools of this team may be given.
    pub(in crate::advisor) fn given(&self) -> Vec<Used> {
        let mut given = self.order.given();
        given.extend(self.used.iter().cloned());
        given
    }
}

/// What a team is asked, by the state of the whole.
pub(in crate::advisor) fn order(s: &Advice, team: Team, bounds: &Bounds) -> Order {
    let question = s.question();
    let mut asked = crate::advisor::carry::said(s, &question);
    asked.regions = s.planning.regions.clone();
    if let Some(carried) = &s.planning.carried {
        let said = asked.clone();
        crate::advisor::carry::fill(&mut asked, carried);
        crate::advisor::carry::one_contract(&mut asked, &said);
        let known = crate::advisor::carry::all(s, &question, &said);
        asked.interest_only = known.interest_only;
        // The kind of loan stays where none is named.
        let same = !crate::advisor::carry::new_loan(&question);
        if same
            && question.terms.loans.is_empty()
            && question.terms.deals.is_empty()
            && !carried.loans.is_empty()
        {
            asked.loans = carried.loans.clone();
        }
    }
    if crate::advisor::carry::of_shop(s, &question) && asked.properties.is_empty() {
        asked.properties = vec![Property::Shop];
    }
    // "그 사이에 개정된 건 없는지": what the law is looked up for was said before.
    let goes_on = question.reference.is_any() || question.newness != Newness::Unsaid;
    if asked.subjects.is_empty() && goes_on && question.places.is_empty() {
        let legal = |used: &Used| used.found.items.iter().any(|item| item.kind == DataKind::Legal);
        let before = s.previous_search_results.iter().rev().find(|search| search.results.iter().any(legal));
        if let Some(before) = before.filter(|_| s.planning.required == [DataKind::Legal]) {
            asked.query = format!("{} {}", before.query, asked.query).chars().take(500).collect();
            asked.subjects = before.terms.subjects.clone();
        }
    }
    if team == Team::Document {
        asked.form = s.draft_to_change(&question).map(Box::new);
    }
    let step = s.steps.iter().find(|step| step.team == team && step.status == Status::InProgress).cloned();
    let ran: Vec<Used> = s.used.clone();
    let earlier: Vec<Used> = s.data().into_iter().filter(|used| !ran.contains(used)).collect();
    let sharing = u64::try_from(s.active_teams.len().max(1)).unwrap_or(1);
    Order {
        team: Some(team),
        step,
        query: s.query.clone(),
        now: s.now.clone(),
        interactive: s.interactive,
        planning: s.planning.clone(),
        stated: question.terms.clone(),
        asked,
        verify: s.verify_search_data && !s.using_cached_data && team == Team::Search,
        subject_unknown: s
            .sufficiency_result
            .as_ref()
            .is_some_and(|judged| judged.issues.contains(&Issue::TopicUnknown)),
        earlier,
        ran,
        adjust: s.execution.adjust.clone(),
        prepared: s.execution.prepared.clone().filter(|prepared| prepared.team == team),
        calls_left: calls_left(s, bounds).saturating_sub(1) / sharing,
        runs: s.team_results.get(&team).map_or(0, |result| result.runs),
        contract: contract(s, question.brings_contract),
        user: s.user.clone(),
        turn: s.turn(),
    }
}

/// The contract that the question brings, or the newest that the conversation brought.
fn contract(s: &Advice, brings: bool) -> Option<String> {
    if brings {
        return Some(s.query.clone());
    }
    let said = s.messages.iter().rev().filter(|message| message.is_human());
    said.map(|message| message.text().into_owned()).find(|text| {
        use crate::advisor::understand::{Context, understand};
        understand(text, &Context::default()).brings_contract
    })
}

/// What a team's work changes in the whole.
pub(in crate::advisor) fn done(run: &TeamRun) -> AdviceUpdate {
    let order = &run.order;
    let team = order.team();
    let result = run.result.clone();
    let cached = run.checked.as_ref().is_some_and(|checked| checked.sufficient);
    let status = match result.status {
        TeamStatus::Failed => Status::Failed,
        TeamStatus::Skipped => Status::Skipped,
        _ => Status::Completed,
    };
    let mut counts = BTreeMap::from([
        ("model_calls".to_owned(), run.model_calls),
        ("tool_calls".to_owned(), run.tool_calls),
        ("duplicate_runs".to_owned(), duplicates(run)),
    ]);
    if team == Team::Search {
        counts.insert("search_calls".to_owned(), run.tool_calls);
    }
    let mut update = AdviceUpdate::new()
        .steps(order.step.iter().map(|step| Step { status, ..step.clone() }).collect::<Vec<_>>())
        .completed_teams([team])
        .team_results(BTreeMap::from([(team, result)]))
        .used(run.used.clone())
        .faults(run.faults.clone())
        .execution_metadata(counts);
    if let Some(form) = run.used.iter().flat_map(|used| &used.found.reports).find_map(drafted) {
        update = update.draft(Some(Drafted { form, turn: order.turn }));
    }
    if let Some(checked) = &run.checked {
        update = update.cached_data_quality(Some(checked.clone()));
    }
    if team == Team::Search {
        update = if cached {
            update
                .using_cached_data(true)
                .cached_data_source(Some(DataSource::ChatHistory))
                .data_reused(true)
                .reused_data_source(Some(DataSource::ChatHistory))
                .skip_search_reason(Some(order.lang().pick(
                    "이전 검색 결과를 확인해 보니 충분합니다.",
                    "A look at the earlier results shows that they suffice.",
                )))
        } else if order.verify {
            // What was to be checked did not hold: it is not used.
            update.reused(Vec::new()).data_reused(false).verify_search_data(false)
        } else {
            update
        };
        let found: Vec<Used> = run.used.iter().filter(|used| !used.found.items.is_empty()).cloned().collect();
        if !found.is_empty() {
            let step = order.step.as_ref().map(|step| step.id.as_str()).unwrap_or_default();
            update = update.previous_search_results(vec![PastSearch {
                id: format!("{step}/{}", order.runs),
                query: order.query.clone(),
                regions: order.planning.regions.clone(),
                terms: order.planning.terms.clone(),
                stated: order.stated.clone(),
                tier: Tier::Conversation,
                results: found,
            }]);
        }
    }
    update
}

fn drafted(report: &Report) -> Option<LeaseForm> {
    match report {
        Report::Draft(view) => Some(view.form.clone()),
        _ => None,
    }
}

/// Tools that ran twice with the same parameters, which must be none.
fn duplicates(run: &TeamRun) -> u64 {
    let all: Vec<&Used> = run.order.ran.iter().chain(&run.used).collect();
    let twice = |at: usize| {
        all[..at].iter().any(|known| known.tool == all[at].tool && known.parameters == all[at].parameters)
    };
    (0..all.len()).filter(|at| twice(*at)).count() as u64
}
