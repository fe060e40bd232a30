//! An adaptive plan: after each result the steps that are left are planned anew, and every change says why.

use super::decide::{Edit, PlanEdit};
use super::lang::Lang;
use super::orchestrator;
use super::plan::{Status, Step};
use super::state::{Advice, Change, PlanChange};
use super::tools::Team;
use super::understand::Intent;

/// A plan's step as it is from now on, and why.
#[derive(Debug)]
pub(super) struct Replanned {
    pub(super) step: Step,
    pub(super) change: Change,
    /// The step whose place it takes.
    pub(super) instead_of: Option<String>,
    pub(super) reason: String,
    pub(super) by_model: bool,
}

/// What an action did to the plan. A team that comes in where another failed takes its place.
pub(super) fn by_action(
    s: &Advice,
    steps: Vec<Step>,
    last: Option<Team>,
    reason: &str,
    by_model: bool,
) -> Vec<Replanned> {
    let failed = s.steps.iter().find(|step| Some(step.team) == last && step.status == Status::Failed);
    let of = |step: Step| {
        let instead_of = failed.filter(|failed| failed.team != step.team).map(|failed| failed.id.clone());
        let (change, instead_of) = match step.status {
            Status::Skipped => (Change::Skipped, None),
            _ if instead_of.is_some() => (Change::Replaced, instead_of),
            _ => (Change::Added, None),
        };
        Replanned { step, change, instead_of, reason: reason.to_owned(), by_model }
    };
    steps.into_iter().map(of).collect()
}

/// By rule: nothing is analysed where nothing was found and no figures were given.
pub(super) fn by_rule(s: &Advice, last: Team, lang: Lang) -> Vec<Replanned> {
    if last != Team::Search {
        return Vec::new();
    }
    let some = s.data().iter().any(|used| !used.found.is_empty());
    let figures = !s.planning.calculations.is_empty()
        || !s.planning.terms.amounts.is_empty()
        || s.question().brings_contract;
    let analysis = s.steps.iter().find(|step| step.team == Team::Analysis && step.status == Status::Pending);
    match analysis.filter(|_| !some && !figures) {
        Some(analysis) => vec![Replanned {
            step: Step { status: Status::Skipped, ..analysis.clone() },
            change: Change::Skipped,
            instead_of: None,
            reason: lang.pick(
                "찾은 자료도 주어진 숫자도 없어 분석할 것이 없습니다.",
                "Nothing was found and no figures were given: there is nothing to analyse.",
            ),
            by_model: false,
        }],
        None => Vec::new(),
    }
}

/// What a model wants changed, as far as it may: a team that is a must stays, and none is run without end.
pub(super) fn by_model(s: &Advice, edits: &[PlanEdit]) -> Vec<Replanned> {
    let mut changes: Vec<Replanned> = Vec::new();
    for edit in edits {
        let open = s.steps.iter().find(|step| step.team == edit.team && step.status == Status::Pending);
        let runs = |team: Team| s.team_results.get(&team).map_or(0, |result| result.runs);
        let planned = |team: Team| s.steps.iter().any(|step| step.team == team && !step.status.is_over());
        let mut change = |step: Step, change: Change, instead_of: Option<String>| {
            changes.push(Replanned { step, change, instead_of, reason: edit.reason.clone(), by_model: true });
        };
        let added = |team: Team| {
            (!planned(team) && runs(team) < 2).then(|| orchestrator::again(s, team, &s.planning.required))
        };
        match (edit.edit, open) {
            (Edit::Add, _) => {
                if let Some(step) = added(edit.team) {
                    change(step, Change::Added, None);
                }
            }
            (Edit::Skip, Some(step)) if step.optional || !must(s, step.team) => {
                change(Step { status: Status::Skipped, ..step.clone() }, Change::Skipped, None);
            }
            (Edit::Replace, Some(step)) if step.optional || !must(s, step.team) => {
                let other = edit.with.filter(|other| *other != edit.team).and_then(added);
                if let Some(other) = other {
                    change(Step { status: Status::Skipped, ..step.clone() }, Change::Skipped, None);
                    change(other, Change::Replaced, Some(step.id.clone()));
                }
            }
            _ => {}
        }
    }
    changes
}

/// What the intent cannot do without.
fn must(s: &Advice, team: Team) -> bool {
    match s.planning.intent {
        Some(Intent::RiskAnalysis | Intent::ContractReview) => team == Team::Analysis,
        Some(Intent::ContractCreation) => team == Team::Document,
        _ => team == Team::Search || !s.planning.calculations.is_empty() && team == Team::Analysis,
    }
}

/// The changes as they are kept.
pub(super) fn recorded(changes: &[Replanned], after: Option<Team>) -> Vec<PlanChange> {
    let of = |one: &Replanned| PlanChange {
        step: one.step.id.clone(),
        team: one.step.team,
        change: one.change,
        instead_of: one.instead_of.clone(),
        after,
        reason: one.reason.clone(),
        by_model: one.by_model,
    };
    changes.iter().map(of).collect()
}
