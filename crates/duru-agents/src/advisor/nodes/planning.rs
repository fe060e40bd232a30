//! What is wanted, what is known of it already, and who does the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use serde_json::json;

use super::super::ask::decide;
use super::super::carry::{self, Carried};
use super::super::decide::{
    Decompose, Decomposition, DecompositionAsked, IntentAsked, IntentRead, JudgeSufficiency, ReadIntent,
    SelectTeams, Selection, SelectionAsked, SubTask, SufficiencyAsked,
};
use super::super::gate::{self, Evidence, Passed};
use super::super::plan::{Status, Step, Strategy};
use super::super::progress::{DecidedBy, Progress, show};
use super::super::state::{Advice, AdviceUpdate, Planning, Variant};
use super::super::sufficiency::{Search, Talk, Verdict, asked_regions};
use super::super::toolbox::Toolbox;
use super::super::tools::embedded::{asked_article, is_asked};
use super::super::tools::{Calculation, Team};
use super::super::understand::region;
use super::super::understand::{DataKind, Intent, Question, understand};
use super::super::{coverage, planner, turn, wanted, words};
use crate::links::leads_away;

pub(in super::super) async fn planning(s: Arc<Advice>, cx: Cx) -> Result<AdviceUpdate> {
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
        let asked = SelectionAsked {
            question: Untrusted::new(s.query.as_str()),
            intent: question.intent,
            draft: Selection { teams: must.clone(), reasoning: String::new() },
        };
        let selected = decide::<SelectTeams>(&cx, left, &asked).await?;
        calls += selected.calls;
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
            draft: by_parts(&question, &must),
        };
        let parted = decide::<Decompose>(&cx, left.saturating_sub(selected.calls), &asked).await?;
        calls += parted.calls;
        planning.sub_tasks = parted.value.sub_tasks.iter().map(|task| task.description.clone()).collect();
        steps = planner::steps(&must, &may, &scope, &s, &planning);
        describe(&mut steps, &parted.value.sub_tasks);
    }
    let strategy = strategy(&steps);
    let reused = !reuse.is_empty() && !middle;
    if reused {
        show(&cx, &words::reuse_decision(&judgement, &scope, lang));
    }
    let seconds: f64 = steps.iter().filter(|step| !step.optional).map(|step| estimate(step, &tools)).sum();
    show(&cx, &Progress::PlanReady { steps: steps.clone(), strategy, estimated_seconds: seconds });
    for step in &steps {
        show(
            &cx,
            &Progress::TodoCreated {
                step_id: step.id.clone(),
                team: step.team,
                task: step.task.clone(),
                status: Status::Pending,
            },
        );
    }
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

async fn understand_question(
    s: &Advice,
    cx: &Cx,
    left: u64,
    calls: &mut u64,
) -> Result<(Planning, Question)> {
    let context = s.context();
    let mut question = understand(&s.query, &context);
    // What is asked about the answer before is in that answer.
    if let Some(echo) = turn::echo(s, &question) {
        question.intent = s.told.as_ref().and_then(|told| told.intent).unwrap_or(question.intent);
        let intent = Some(question.intent);
        return Ok((Planning { intent, confidence: 0.9, echo: Some(echo), ..Planning::default() }, question));
    }
    carry::places(s, &mut question);
    let history = words::history(&s.chat_history, s.lang());
    let (must, _) =
        planner::teams(&Planning { intent: Some(question.intent), ..Planning::default() }, &question);
    let draft = IntentRead {
        intent: question.intent,
        confidence: question.confidence,
        keywords: Vec::new(),
        regions: question.regions().iter().map(|region| region.name()).collect(),
        suggested_teams: must,
        clarify: None,
    };
    let asked = IntentAsked { question: Untrusted::new(s.query.as_str()), history, draft: draft.clone() };
    let read = decide::<ReadIntent>(cx, left, &asked).await?;
    *calls += read.calls;
    let read = read.value;
    if read.intent != question.intent {
        question.intent = read.intent;
        question.required = read.intent.required();
    }
    question.confidence = read.confidence;
    let held: Vec<Search> = s.previous_search_results.iter().rev().map(|search| search.held()).collect();
    let mut regions = asked_regions(&question, &held);
    // A model may know a place by a name that the rules do not.
    if regions.is_empty() && read.regions != draft.regions {
        for name in &read.regions {
            regions.extend(region::find(name, &context.regions).into_iter().map(|place| place.region));
        }
    }
    let Carried { calculations, sums, figures, again } =
        carry::figures(s, &question, wanted::calculations(&question));
    // The same with another figure is the same question.
    if let Some(intent) = s.ledger.intent.filter(|_| again) {
        (question.intent, question.required) = (intent, s.ledger.required.clone());
    }
    // In the middle of a consultation a question in strange words is still one: the law is searched with them.
    if question.intent == Intent::Irrelevant
        && !question.is_alien
        && !s.previous_search_results.is_empty()
        && s.query.chars().count() > 8
        && calculations.is_empty()
        && sums.is_empty()
    {
        (question.intent, question.required) = (Intent::LegalConsult, vec![DataKind::Legal]);
    }
    // What can be worked out is no small talk.
    if matches!(question.intent, Intent::Irrelevant | Intent::Unclear)
        && let Some(first) = calculations.first()
    {
        question.intent = wanted::intent_of(*first);
        question.required = question.intent.required();
    }
    // What is reckoned from what was said needs nothing to be looked up.
    if matches!(question.intent, Intent::Irrelevant | Intent::Unclear) && !sums.is_empty() {
        (question.intent, question.required) = (Intent::LegalConsult, Vec::new());
    }
    // What is worked out again from what was said needs nothing new to be looked up.
    if again && calculations.is_empty() {
        question.required.clear();
    }
    // A sum that is reckoned from what was said is no search for a loan.
    let products = ["상품", "추천", "어떤 대출", "무슨 대출", "which loan", "what loans"]
        .iter()
        .any(|word| s.query.contains(word));
    if !sums.is_empty() && !calculations.contains(&Calculation::LoanLimit) && !products {
        question.required.retain(|kind| *kind != DataKind::Loan);
    }
    // Who asks for an article in whatever words is told it, beside whatever else is asked.
    let shop = carry::of_shop(s, &question);
    let law =
        is_asked(&s.query, shop) && !question.brings_contract && question.intent != Intent::ContractCreation;
    if law && !again {
        let aside = match question.intent {
            Intent::Irrelevant => !question.is_alien,
            Intent::MarketInquiry => question.regions().is_empty() && calculations.is_empty(),
            Intent::Unclear | Intent::ContractReview => true,
            _ => false,
        };
        if aside {
            (question.intent, question.required) = (Intent::LegalConsult, vec![DataKind::Legal]);
        }
    }
    if law && !question.required.contains(&DataKind::Legal) && question.intent != Intent::Irrelevant {
        question.required.push(DataKind::Legal);
        question.required.sort_unstable();
    }
    // What a word means stands in a glossary, not in a table of loans or prices.
    if wanted::defines(&question) && calculations.is_empty() {
        question.required = vec![DataKind::Legal];
    }
    // Who can pay for a home is told by loans, too.
    if calculations.contains(&Calculation::LoanLimit) && !question.required.contains(&DataKind::Loan) {
        question.required.push(DataKind::Loan);
        question.required.sort_unstable();
    }
    // What is worked out from a home's price rests on prices, too, where none is said.
    let priced = figures.as_ref().is_some_and(|figures| figures.price.is_some());
    if wanted::needs_prices(&question, &calculations)
        && !priced
        && !regions.is_empty()
        && !question.required.contains(&DataKind::Market)
    {
        question.required.push(DataKind::Market);
        question.required.sort_unstable();
    }
    let mut terms = wanted::with_defaults(&carry::terms(s, &question), &question.required);
    carry::corrected(s, &question.text, again, &mut terms);
    let planning = Planning {
        intent: Some(question.intent),
        confidence: question.confidence,
        keywords: read.keywords,
        regions,
        terms,
        required: question.required.clone(),
        suggested_teams: read.suggested_teams,
        sub_tasks: Vec::new(),
        parts: coverage::parts(&question),
        calculations,
        sums,
        carried: figures,
        echo: None,
        clarify: read.clarify.filter(|text| !text.trim().is_empty() && !leads_away(text, &s.query)),
        single: true,
    };
    Ok((planning, question))
}

/// Gate 1.
async fn sufficiency(s: &Advice, cx: &Cx, question: &Question, calls: &mut u64) -> Result<Passed> {
    let searches: Vec<Search> = s.earlier().into_iter().map(|search| search.held()).collect();
    let ids: Vec<String> = s.earlier().into_iter().map(|search| search.id.clone()).collect();
    // What was said after the question that the latest search was made for.
    let latest = s.earlier().first().map(|search| search.query.clone());
    let searched = s.chat_history.iter().rposition(|said| Some(&said.question) == latest.as_ref());
    let said = s.chat_history.iter().enumerate();
    let talk =
        Talk::of(said.map(|(at, said)| (said.question.as_str(), searched.is_some_and(|found| at > found))));
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

/// Steps that wait for none of the others go side by side.
fn strategy(steps: &[Step]) -> Strategy {
    let free = steps.iter().filter(|step| step.depends_on.is_empty()).count();
    if free > 1 { Strategy::Parallel } else { Strategy::Sequential }
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
