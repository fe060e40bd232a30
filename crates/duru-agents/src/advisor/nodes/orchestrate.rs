//! Decides between teams: what is done next, again, together, or not at all.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use futures_util::future::try_join;
use jiff::Timestamp;

use super::aggregate::reviewed;
use crate::advisor::ask::{calls_left, decide};
use crate::advisor::decide::{
    AnalyseResult, Next, OpenExecution, Opening, OpeningAsked, Orchestration, PlanEdit, ResultAsked,
    ResultRead,
};
use crate::advisor::gist;
use crate::advisor::orchestrator::{self, Applied, GOOD, Ruled};
use crate::advisor::plan::{Status, Step, Strategy, ready, update_steps};
use crate::advisor::progress::{DecidedBy, Progress, show};
use crate::advisor::replan;
use crate::advisor::state::{
    Action, Adjust, Advice, AdviceUpdate, Collaboration, Execution, Orchestrated, Phase, PlanChange,
    Prepared, Review, TeamStatus,
};
use crate::advisor::teams;
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::Team;
use crate::advisor::understand::Intent;

/// What was decided, whoever did.
struct Decided {
    action: Action,
    reasoning: String,
    confidence: f32,
    by: DecidedBy,
    strategy: Strategy,
    keywords: Vec<String>,
    tools: Vec<String>,
    /// What a model wants changed in the steps that are left.
    plan: Vec<PlanEdit>,
    calls: u64,
    /// What holds if the plan goes on as the rules have it.
    ahead: Ahead,
}

/// What comes next if the plan goes on, decided while it is still being decided whether it does: nobody waits for both.
#[derive(Default)]
struct Ahead {
    prepared: Option<Prepared>,
    review: Option<Review>,
    calls: u64,
}

pub(in crate::advisor) async fn orchestrate(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let mut state = (*s).clone();
    let mut written = skipped(&s, &cx, &tools).await;
    update_steps(&mut state.steps, written.clone());
    let last = deciding(&state);
    // One call is kept for the answer.
    let left = if tools.bounds.enhanced { calls_left(&s, &tools.bounds).saturating_sub(1) } else { 0 };
    let at = At { s: &state, cx: &cx, tools: &tools, left };
    let mut decided = match last {
        None => at.first().await?,
        Some(team) => at.after(team).await?,
    };
    let passes = s.execution.passes + 1;
    if passes > tools.bounds.passes {
        decided.action = Action::SkipRemaining;
        decided.reasoning = s.lang().pick("정해진 횟수를 다 썼습니다.", "The bound on passes is reached.");
        decided.by = DecidedBy::Rule;
    }
    show(
        &cx,
        &Progress::OrchestrationDecision {
            step: passes,
            action: decided.action.clone(),
            reasoning: decided.reasoning.clone(),
            confidence: decided.confidence,
            decided_by: decided.by,
        },
    );
    let changed = changed(&state, &decided, last);
    tell(&cx, &state.steps, &written, &changed.steps);
    written.extend(changed.steps.iter().cloned());
    update_steps(&mut state.steps, changed.steps);
    let begun = begin(&state.steps, decided.strategy, &cx);
    let teams: Vec<Team> = begun.iter().map(|step| step.team).collect();
    if !teams.is_empty() && s.execution.passes == 0 {
        show(&cx, &Progress::ExecutionStart { strategy: decided.strategy, teams: teams.clone() });
    }
    for team in &teams {
        show(&cx, &Progress::TeamStart { team: *team, strategy: decided.strategy });
    }
    let goes_on = decided.action == Action::Continue;
    let execution = Execution {
        prepared: decided.ahead.prepared.filter(|next| goes_on && teams == [next.team]),
        review: decided.ahead.review.filter(|_| goes_on && teams.is_empty()),
        phase: if teams.is_empty() { Phase::PostExecution } else { Phase::TeamLoop },
        passes,
        adjust: changed.adjust,
        steps: begun.iter().map(|step| step.id.clone()).collect(),
        reason: decided.reasoning.clone(),
    };
    written.extend(begun);
    let record = Orchestrated {
        step: passes,
        decision: decided.action,
        reasoning: decided.reasoning,
        confidence: decided.confidence,
        by_model: decided.by == DecidedBy::Model,
        timestamp: Timestamp::now().to_string(),
    };
    let mut update = AdviceUpdate::new()
        .steps(written)
        .strategy(decided.strategy)
        .active_teams(teams)
        .execution(execution)
        .orchestration_decisions([record])
        .plan_changes(changed.changes)
        .skip_remaining(changed.skip_remaining)
        .execution_metadata(BTreeMap::from([
            ("model_calls".to_owned(), decided.calls + decided.ahead.calls),
            ("passes".to_owned(), 1),
        ]));
    if changed.collaboration.is_some() {
        update = update.collaboration_plan(changed.collaboration);
    }
    Ok(update)
}

/// The team of the last pass whose result decides what follows: of several, the first that the plan cannot just go on
/// from.
fn deciding(s: &Advice) -> Option<Team> {
    let goes_on = |team: &Team| orchestrator::after(s, *team).action == Action::Continue;
    let stops = s.active_teams.iter().find(|team| !goes_on(team));
    stops.or(s.active_teams.last()).copied()
}

/// The plan as it is from now on.
struct Changed {
    steps: Vec<Step>,
    adjust: Adjust,
    skip_remaining: bool,
    collaboration: Option<Collaboration>,
    changes: Vec<PlanChange>,
}

/// What an action makes of the plan; where it is adaptive and goes on, what the result makes of the steps that are left.
fn changed(s: &Advice, decided: &Decided, last: Option<Team>) -> Changed {
    let Applied { steps, mut adjust, skip_remaining, collaboration } =
        orchestrator::apply(s, &decided.action, &decided.keywords, &decided.tools);
    let by_model = decided.by == DecidedBy::Model;
    let mut replanned = replan::by_action(s, steps, last, &decided.reasoning, by_model);
    let adapts = decided.strategy == Strategy::Adaptive && decided.action == Action::Continue;
    if let Some(last) = last.filter(|_| adapts) {
        let said = if by_model { replan::by_model(s, &decided.plan) } else { Vec::new() };
        let anew = if said.is_empty() { replan::by_rule(s, last, s.lang()) } else { said };
        let searches =
            anew.iter().any(|one| one.step.team == Team::Search && one.step.status == Status::Pending);
        adjust.round += u32::from(searches);
        replanned.extend(anew);
    }
    let changes = replan::recorded(&replanned, last);
    let steps = replanned.into_iter().map(|one| one.step).collect();
    Changed { steps, adjust, skip_remaining, collaboration, changes }
}

/// Shows what was done to the plan.
fn tell(cx: &Cx, known: &[Step], skipped: &[Step], changed: &[Step]) {
    for step in changed.iter().filter(|step| known.iter().all(|one| one.id != step.id)) {
        let (step_id, team, task) = (step.id.clone(), step.team, step.task.clone());
        show(cx, &Progress::TodoCreated { step_id, team, task, status: step.status });
    }
    for step in skipped.iter().chain(changed).filter(|step| step.status == Status::Skipped) {
        show(cx, &Progress::TodoUpdated { step_id: step.id.clone(), status: step.status, progress: 100 });
    }
}

/// The steps that begin now.
fn begin(steps: &[Step], strategy: Strategy, cx: &Cx) -> Vec<Step> {
    let mut begun: Vec<Step> = ready(steps).into_iter().cloned().collect();
    if strategy != Strategy::Parallel {
        begun.truncate(1);
    }
    for step in &mut begun {
        step.status = Status::InProgress;
        step.tries += 1;
        show(cx, &Progress::TodoUpdated { step_id: step.id.clone(), status: step.status, progress: 0 });
    }
    begun
}

/// Where a decision is made.
struct At<'a> {
    s: &'a Advice,
    cx: &'a Cx,
    tools: &'a Toolbox,
    left: u64,
}

impl At<'_> {
    async fn first(&self) -> Result<Decided> {
        let Self { s, cx, left, .. } = *self;
        let ruled = orchestrator::first(s);
        let draft = Opening { strategy: s.strategy, reasons: String::new(), orchestration: of(&ruled, s) };
        // With one step there is nothing to order.
        let left = if s.planning.single { 0 } else { left };
        let asked = OpeningAsked {
            question: Untrusted::new(s.query.as_str()),
            intent: s.planning.intent.unwrap_or(Intent::Unclear),
            confidence: s.planning.confidence,
            steps: lines(s, |_| true),
            draft,
        };
        let (said, ahead) =
            try_join(decide::<OpenExecution>(cx, left.div_ceil(2), &asked), self.ahead(&ruled, left / 2))
                .await?;
        let (calls, rule_confidence) = (said.calls, said.rule_confidence());
        let (action, reasoning, confidence, by) =
            settled(&said.value.orchestration, said.by, rule_confidence, &ruled, s);
        let strategy = if by == DecidedBy::Model { said.value.strategy } else { s.strategy };
        let (keywords, tools, plan) = (vec![], vec![], vec![]);
        Ok(Decided { action, reasoning, confidence, by, strategy, keywords, tools, plan, calls, ahead })
    }

    async fn after(&self, team: Team) -> Result<Decided> {
        let Self { s, cx, left, .. } = *self;
        let ruled = orchestrator::after(s, team);
        let result = s.team_results.get(&team);
        let quality = result.map_or(0.0, |result| result.quality);
        let gaps = result.map(|result| result.gaps.clone()).unwrap_or_default();
        let next = match ruled.action {
            Action::SkipRemaining => Next::EarlyExit,
            Action::Continue => Next::Continue,
            Action::AddAgent { .. } | Action::Collaborate(_) => Next::Adjust,
        };
        let draft = ResultRead {
            quality,
            gaps,
            next,
            keywords: Vec::new(),
            extra_tools: Vec::new(),
            orchestration: of(&ruled, s),
            plan: Vec::new(),
        };
        let asked = ResultAsked {
            question: Untrusted::new(s.query.as_str()),
            intent: s.planning.intent.unwrap_or(Intent::Unclear),
            confidence: s.planning.confidence,
            team,
            strategy: s.strategy,
            results: gist::results(s).into_iter().map(Untrusted::new).collect(),
            remaining: lines(s, |step| !step.status.is_over()),
            draft,
        };
        // The only step is done and nothing is wanting: there is nothing to decide about. A search may always be made
        // again in other words.
        let settled_already = s.planning.single
            && team != Team::Search
            && matches!(ruled.action, Action::Continue | Action::SkipRemaining)
            && result.is_some_and(|result| {
                result.status == TeamStatus::Accepted || result.tools.is_empty() && result.gaps.is_empty()
            })
            && s.steps.iter().all(|step| step.status.is_over() || step.optional);
        let left = if settled_already { 0 } else { left };
        let (said, ahead) =
            try_join(decide::<AnalyseResult>(cx, left.div_ceil(2), &asked), self.ahead(&ruled, left / 2))
                .await?;
        let (calls, rule_confidence) = (said.calls, said.rule_confidence());
        let value = said.value;
        show(
            cx,
            &Progress::ResultAnalysis {
                team,
                quality: value.quality,
                gaps: value.gaps.clone(),
                next: serde_json::to_value(value.next)
                    .ok()
                    .and_then(|v| v.as_str().map(str::to_owned))
                    .unwrap_or_default(),
            },
        );
        let (action, reasoning, confidence, by) =
            settled(&value.orchestration, said.by, rule_confidence, &ruled, s);
        Ok(Decided {
            action: bounded(action, s, &ruled),
            reasoning,
            confidence,
            by,
            strategy: s.strategy,
            keywords: value.keywords,
            tools: value.extra_tools,
            plan: value.plan,
            calls,
            ahead,
        })
    }

    /// The tools of the one team that comes next, or, where none does, the review.
    async fn ahead(&self, ruled: &Ruled, left: u64) -> Result<Ahead> {
        let Self { s, cx, tools, .. } = *self;
        if ruled.action != Action::Continue || left == 0 || s.planning.single {
            return Ok(Ahead::default());
        }
        if s.steps.iter().all(|step| step.status.is_over()) {
            let (review, calls) = reviewed(s, cx, left).await?;
            return Ok(Ahead { review: (calls > 0).then_some(review), calls, ..Ahead::default() });
        }
        let ready = ready(&s.steps);
        let [step] = ready[..] else { return Ok(Ahead::default()) };
        let team = step.team;
        // Earlier data are looked at first: they may make every tool unneeded.
        if team == Team::Search && s.verify_search_data {
            return Ok(Ahead::default());
        }
        let mut begun = s.clone();
        begun.active_teams = vec![team];
        update_steps(&mut begun.steps, vec![Step { status: Status::InProgress, ..step.clone() }]);
        let order = teams::order(&begun, team, &tools.bounds);
        let planned = teams::plan_tools(&order, cx, tools, left).await?;
        let prepared = (planned.calls > 0).then_some(Prepared { team, plan: planned.plan });
        Ok(Ahead { prepared, calls: planned.calls, ..Ahead::default() })
    }
}

fn of(ruled: &Ruled, s: &Advice) -> Orchestration {
    Orchestration::of(ruled.action.clone(), s.lang().pick(ruled.why.0, ruled.why.1), 1.0)
}

fn settled(
    said: &Orchestration,
    by: DecidedBy,
    rule_confidence: f32,
    ruled: &Ruled,
    s: &Advice,
) -> (Action, String, f32, DecidedBy) {
    match said.action() {
        Some(action) if by == DecidedBy::Model => (action, said.reasoning.clone(), said.confidence, by),
        // An action without what it needs is no decision.
        _ => (
            ruled.action.clone(),
            s.lang().pick(ruled.why.0, ruled.why.1),
            if by == DecidedBy::Model { 0.5 } else { rule_confidence },
            DecidedBy::Rule,
        ),
    }
}

/// What a model wants within bounds: a search again only while there are tries left, and no step skipped that is a must.
fn bounded(action: Action, s: &Advice, ruled: &Ruled) -> Action {
    match action {
        Action::AddAgent { next_agent: Team::Search }
            if s.execution.adjust.round + 1 >= orchestrator::SEARCHES =>
        {
            Action::Continue
        }
        Action::AddAgent { next_agent } => {
            let runs = s.team_results.get(&next_agent).map_or(0, |result| result.runs);
            if next_agent != Team::Search && runs >= 2 {
                Action::Continue
            } else {
                Action::AddAgent { next_agent }
            }
        }
        Action::Collaborate(_) if s.collaboration_plan.is_some() => Action::Continue,
        Action::Collaborate(with) => Action::Collaborate(with),
        Action::SkipRemaining => {
            let risk = matches!(s.planning.intent, Some(Intent::RiskAnalysis | Intent::ContractCreation));
            let must = s.steps.iter().any(|step| !step.status.is_over() && !step.optional);
            let poor = s.team_results.values().all(|result| result.quality < GOOD);
            if must && (risk || poor) { ruled.action.clone() } else { Action::SkipRemaining }
        }
        Action::Continue => Action::Continue,
    }
}

fn lines(s: &Advice, which: impl Fn(&Step) -> bool) -> Vec<String> {
    let line = |step: &Step| {
        format!("{}: {} ({})", step.id, step.task, if step.optional { "optional" } else { "must" })
    };
    s.steps.iter().filter(|step| which(step)).map(line).collect()
}

/// The steps that the person wants skipped, if they have not begun.
async fn skipped(s: &Advice, cx: &Cx, tools: &Toolbox) -> Vec<Step> {
    let (Some(memory), Some(thread)) = (&tools.memory, cx.thread()) else { return Vec::new() };
    // Nobody can say what is to be skipped: then nothing is.
    let asked = memory.skipped(thread.as_str()).await.unwrap_or_default();
    let pending = s.steps.iter().filter(|step| step.status == Status::Pending && asked.contains(&step.id));
    pending.map(|step| Step { status: Status::Skipped, ..step.clone() }).collect()
}
