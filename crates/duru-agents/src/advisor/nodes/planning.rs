//! What is wanted, what is known of it already, and who does the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use serde_json::json;

use super::understand::understand_question;
use crate::advisor::ask::decide;
use crate::advisor::carry;
use crate::advisor::decide::{
    Decompose, Decomposition, DecompositionAsked, JudgeSufficiency, SelectTeams, Selection, SelectionAsked,
    SubTask, SufficiencyAsked,
};
use crate::advisor::gate::{self, Evidence, Passed};
use crate::advisor::plan::{self, Status, Step, Strategy};
use crate::advisor::progress::{DecidedBy, Progress, show};
use crate::advisor::state::{Advice, AdviceUpdate, Planning, Variant};
use crate::advisor::sufficiency::{Said, Search, Talk, Verdict};
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::Team;
use crate::advisor::tools::embedded::asked_article;
use crate::advisor::understand::{DataKind, Intent, Question};
use crate::advisor::{planner, turn, words};

pub(in crate::advisor) async fn planning(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let mut calls = 0;
    let (mut planning, question) =
        understand_question(&s, &cx, tools.bounds.simple_calls, &mut calls).await?;
    show(
        &cx,
        &Progress::IntentAnalyzed {
            intent: planning.intent.unwrap_or(Intent::Unclear),
            confidence: planning.confidence,
            entities: entities(&planning),
        },
    );
    let counted = |calls: u64| BTreeMap::from([("model_calls".to_owned(), calls)]);
    let nothing_to_do = matches!(planning.intent, Some(Intent::Unclear | Intent::Irrelevant) | None);
    if nothing_to_do || planning.echo.is_some() {
        show(
            &cx,
            &Progress::PlanReady { steps: vec![], strategy: Strategy::Sequential, estimated_seconds: 0.0 },
        );
        return Ok(AdviceUpdate::new().planning(planning).execution_metadata(counted(calls)));
    }
    let Passed { judgement, reuse, scope } = sufficiency(&s, &cx, &question, &mut calls).await?;
    let middle = matches!(judgement.verdict, Verdict::Verify | Verdict::Confirm);
    let could_ask = judgement.verdict == Verdict::Confirm && s.interactive && cx.thread().is_some();
    // Who is asked waits longer than a search takes.
    let quick = s.search_seconds().is_some_and(|seconds| seconds < tools.bounds.worth_asking.as_secs_f64());
    let at_once = could_ask && quick;
    let reuse = if at_once { Vec::new() } else { reuse };
    let (must, may) = planner::teams(&planning, &question);
    let (mut must, may) = suggested(&planning, must, may);
    let lang = s.lang();
    let mut steps = planner::steps(&must, &may, &scope, &s, &planning);
    // What is searched for in several places at once is no single step.
    planning.single = steps.iter().filter(|step| !step.optional).count() <= 1
        && (planning.required.len() <= 1 || scope.is_empty());
    if !planning.single {
        let left = tools.bounds.complex_calls.saturating_sub(calls + 2);
        let tasks = parted(&s, &cx, &question, &mut must, left, &mut calls).await?;
        planning.sub_tasks = tasks.iter().map(|task| task.description.clone()).collect();
        steps = planner::steps(&must, &may, &scope, &s, &planning);
        describe(&mut steps, &tasks);
        plan::depend(&mut steps, &pairs(&tasks));
    }
    let strategy = strategy(&steps, planning.intent);
    let reused = !reuse.is_empty() && !middle;
    if reused {
        show(&cx, &words::reuse_decision(&judgement, &scope, lang));
    }
    let seconds: f64 = steps.iter().filter(|step| !step.optional).map(|step| estimate(step, &tools)).sum();
    tell(&cx, &steps, strategy, seconds);
    let source = judgement.data_source;
    let mut update = AdviceUpdate::new()
        .planning(planning)
        .overwrite_steps(steps)
        .strategy(strategy)
        .reused(reuse)
        .data_reused(reused)
        .reused_data_source(reused.then_some(source))
        .sufficiency_reasoning(words::why(&judgement, at_once, lang))
        .verify_search_data(middle && !could_ask)
        .searched_at_once(at_once)
        .execution_metadata(counted(calls));
    if reused && scope.is_empty() {
        update = update.skip_search_reason(Some(
            lang.pick("이전 대화의 데이터를 재사용합니다.", "The data of the conversation are used again."),
        ));
    }
    Ok(update.sufficiency_result(Some(judgement)))
}

/// Shows the plan.
fn tell(cx: &Cx, steps: &[Step], strategy: Strategy, estimated_seconds: f64) {
    show(cx, &Progress::PlanReady { steps: steps.to_vec(), strategy, estimated_seconds });
    for step in steps {
        let (step_id, team, task) = (step.id.clone(), step.team, step.task.clone());
        show(cx, &Progress::TodoCreated { step_id, team, task, status: Status::Pending });
    }
}

/// The teams that a model would have beside those that are a must, and the question in parts for them.
async fn parted(
    s: &Advice,
    cx: &Cx,
    question: &Question,
    must: &mut Vec<Team>,
    left: u64,
    calls: &mut u64,
) -> Result<Vec<SubTask>> {
    let asked = SelectionAsked {
        question: Untrusted::new(s.query.as_str()),
        intent: question.intent,
        draft: Selection { teams: must.clone(), reasoning: String::new() },
    };
    let selected = decide::<SelectTeams>(cx, left, &asked).await?;
    *calls += selected.calls;
    // What the rules hold to be a must stays.
    for team in selected.value.teams {
        if !must.contains(&team) {
            must.push(team);
        }
    }
    must.sort_unstable();
    let asked = DecompositionAsked {
        question: Untrusted::new(s.query.as_str()),
        teams: must.clone(),
        draft: by_parts(question, must),
    };
    let parted = decide::<Decompose>(cx, left.saturating_sub(selected.calls), &asked).await?;
    *calls += parted.calls;
    Ok(parted.value.sub_tasks)
}

/// Gate 1.
async fn sufficiency(s: &Advice, cx: &Cx, question: &Question, calls: &mut u64) -> Result<Passed> {
    let searches: Vec<Search> = s.earlier().into_iter().map(|search| search.held()).collect();
    let ids: Vec<String> = s.earlier().into_iter().map(|search| search.id.clone()).collect();
    // What was said after the question that the latest search was made for.
    let latest = s.earlier().first().map(|search| search.query.clone());
    let searched = s.chat_history.iter().rposition(|said| Some(&said.question) == latest.as_ref());
    let talk = Talk::of(s.chat_history.iter().enumerate().flat_map(|(at, said)| {
        let since = searched.is_some_and(|found| at > found);
        let asked = if since { Said::AskedSince(&said.question) } else { Said::Asked(&said.question) };
        [asked, Said::Answered(&said.answer)]
    }));
    let evidence = Evidence { question, searches: &searches, ids: &ids, talk: &talk, now: s.at() };
    // Which homes come first is told by all of them, not by the few that were kept.
    let sorts = question.required.contains(&DataKind::Market)
        && (turn::sort(&s.query).is_some() || turn::ranks(question));
    if s.variant == Variant::Off || s.force_search || sorts {
        let judgement = gate::failed(
            Evidence { searches: &[], ..evidence }.judge(),
            &question.required,
            &s.lang().pick("새로 검색합니다.", "A new search is made."),
        );
        let scope = gate::searchable(&question.required);
        return Ok(Passed { judgement, reuse: Vec::new(), scope });
    }
    let mut judgement = evidence.judge();
    // Without anything that was said or found before there is nothing to judge.
    let known = !searches.is_empty() || !s.chat_history.is_empty() || !s.memories.is_empty();
    if known && !question.required.is_empty() {
        let asked = SufficiencyAsked {
            question: Untrusted::new(s.query.as_str()),
            required: question.required.clone(),
            evidence: words::evidence(&s.earlier(), s.at(), s.lang()),
            history: words::history(&s.chat_history, s.lang()),
            draft: gate::draft(&judgement),
        };
        let said = decide::<JudgeSufficiency>(cx, 2, &asked).await?;
        *calls += said.calls;
        judgement = match &said.failed {
            Some(why) => gate::failed(judgement, &question.required, why),
            None if said.by == DecidedBy::Model => gate::weigh(judgement, &said.value),
            None => judgement,
        };
    }
    let mut passed = gate::pass(judgement, &evidence, s.variant);
    // What was found of the law before may lack the article that is asked for now.
    let shop = carry::of_shop(s, question);
    let earlier = s.earlier();
    let used = earlier.iter().filter(|search| passed.reuse.iter().any(|reuse| reuse.search == search.id));
    let items = used.flat_map(|search| &search.results).flat_map(|used| &used.found.items);
    let ids: Vec<&str> = items.map(|item| item.id.as_str()).collect();
    let lacks = asked_article(&s.query, shop).is_some_and(|id| !ids.contains(&id.as_str()));
    if lacks && question.required.contains(&DataKind::Legal) && !passed.scope.contains(&DataKind::Legal) {
        for reuse in &mut passed.reuse {
            reuse.kinds.retain(|kind| *kind != DataKind::Legal);
        }
        passed.reuse.retain(|reuse| !reuse.kinds.is_empty());
        passed.scope.push(DataKind::Legal);
        passed.scope.sort_unstable();
        // No later gate may take what was found before for it.
        if passed.reuse.is_empty() {
            passed.judgement.verdict = Verdict::Search;
        }
    }
    Ok(passed)
}

/// What the intent analysis suggests beyond the rules is planned, and may be skipped later.
fn suggested(planning: &Planning, must: Vec<Team>, mut may: Vec<Team>) -> (Vec<Team>, Vec<Team>) {
    for team in &planning.suggested_teams {
        if !must.contains(team) && !may.contains(team) {
            may.push(*team);
        }
    }
    may.sort_unstable();
    (must, may)
}

fn by_parts(question: &Question, teams: &[Team]) -> Decomposition {
    let team = |kinds: &[DataKind], calculates: bool| match teams {
        [only] => *only,
        _ if calculates && teams.contains(&Team::Analysis) => Team::Analysis,
        _ if kinds.is_empty() && teams.contains(&Team::Analysis) => Team::Analysis,
        _ => Team::Search,
    };
    let sub_tasks = question.parts.iter().map(|part| SubTask {
        description: part.text.clone(),
        team: team(&part.kinds, !part.needs.is_empty()),
        depends_on: part.needs.iter().filter_map(|at| u32::try_from(at + 1).ok()).collect(),
    });
    Decomposition { sub_tasks: sub_tasks.take(6).collect() }
}

/// A team's step says what its sub-tasks are.
fn describe(steps: &mut [Step], tasks: &[SubTask]) {
    for step in steps {
        let own: Vec<&str> = tasks
            .iter()
            .filter(|task| task.team == step.team)
            .map(|task| task.description.as_str())
            .collect();
        if !own.is_empty() && own.len() < tasks.len() {
            step.description = own.join(" / ");
        }
    }
}

/// Which team waits for which, by the parts of the question.
fn pairs(tasks: &[SubTask]) -> Vec<(Team, Team)> {
    let mut pairs = Vec::new();
    for task in tasks {
        let before = task.depends_on.iter().filter_map(|at| tasks.get((*at as usize).checked_sub(1)?));
        pairs.extend(before.map(|before| (task.team, before.team)));
    }
    pairs
}

/// Steps that wait for none of the others go side by side; where what is found decides what is worth doing next, the plan
/// adapts.
fn strategy(steps: &[Step], intent: Option<Intent>) -> Strategy {
    let free = steps.iter().filter(|step| step.depends_on.is_empty()).count();
    let must = steps.iter().filter(|step| !step.optional).count();
    let open = matches!(intent, Some(Intent::Comprehensive | Intent::RiskAnalysis));
    match (free > 1, open && must > 1) {
        (true, _) => Strategy::Parallel,
        (false, true) => Strategy::Adaptive,
        (false, false) => Strategy::Sequential,
    }
}

fn estimate(step: &Step, tools: &Toolbox) -> f64 {
    let of = |team| tools.registry.of(team).map(|tool| tool.seconds).fold(0.0, f64::max);
    of(step.team)
}

fn entities(planning: &Planning) -> serde_json::Value {
    json!({
        "regions": planning.regions.iter().map(|region| region.to_string()).collect::<Vec<_>>(),
        "amounts": planning.terms.amounts,
        "property_types": planning.terms.properties,
        "deal_types": planning.terms.deals,
        "keywords": planning.keywords,
    })
}
