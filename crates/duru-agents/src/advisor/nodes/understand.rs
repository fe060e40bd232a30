//! What a question means: what it wants, of which place, with which figures, and the data that its answer rests on.

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use crate::advisor::ask::decide;
use crate::advisor::carry::{self, Carried};
use crate::advisor::decide::{IntentAsked, IntentRead, ReadIntent};
use crate::advisor::state::{Advice, Planning};
use crate::advisor::sufficiency::{Search, asked_regions};
use crate::advisor::tools::Calculation;
use crate::advisor::tools::embedded::is_asked;
use crate::advisor::understand::region::{self, Region};
use crate::advisor::understand::{Context, DataKind, Intent, Question, understand};
use crate::advisor::{coverage, planner, remembered, turn, wanted, words};
use crate::links::leads_away;

pub(super) async fn understand_question(
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
    let place = remembered::place(s, &mut question);
    let (read, regions) = intent(s, cx, left, calls, &context, &mut question).await?;
    let Carried { calculations, sums, mut figures, again } =
        carry::figures(s, &question, wanted::calculations(&question));
    let known = remembered::figures(s, &question, &calculations, &mut figures);
    let carried = Carried { calculations, sums, figures, again };
    meant(s, &mut question, &carried);
    needed(s, &mut question, &carried, &regions);
    let Carried { calculations, sums, figures, again } = carried;
    let budget = remembered::budget(s, &mut question, &calculations);
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
        remembered: known.into_iter().chain(place).chain(budget).collect(),
        echo: None,
        clarify: read.clarify.filter(|text| !text.trim().is_empty() && !leads_away(text, &s.query)),
        single: true,
    };
    Ok((planning, question))
}

/// What the question wants, by a model or the rules, and the places that it is about.
async fn intent(
    s: &Advice,
    cx: &Cx,
    left: u64,
    calls: &mut u64,
    context: &Context,
    question: &mut Question,
) -> Result<(IntentRead, Vec<Region>)> {
    let history = words::history(&s.chat_history, s.lang());
    let (must, _) =
        planner::teams(&Planning { intent: Some(question.intent), ..Planning::default() }, question);
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
        // Whatever a model takes the question for, what it names that lies around a place is looked up.
        let around = !question.terms.facilities.is_empty() && !question.required.is_empty();
        if around && !question.required.contains(&DataKind::Infrastructure) {
            question.required.push(DataKind::Infrastructure);
        }
    }
    question.confidence = read.confidence;
    let held: Vec<Search> = s.previous_search_results.iter().rev().map(|search| search.held()).collect();
    let mut regions = asked_regions(question, &held);
    // A model may know a place by a name that the rules do not.
    if regions.is_empty() && read.regions != draft.regions {
        for name in &read.regions {
            regions.extend(region::find(name, &context.regions).into_iter().map(|place| place.region));
        }
    }
    Ok((read, regions))
}

/// What the question is about once it is known what is worked out for it.
fn meant(s: &Advice, question: &mut Question, carried: &Carried) {
    let Carried { calculations, sums, again, .. } = carried;
    // The same with another figure is the same question.
    if let Some(intent) = s.ledger.intent.filter(|_| *again) {
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
}

/// The data that its answer rests on.
fn needed(s: &Advice, question: &mut Question, carried: &Carried, regions: &[Region]) {
    let Carried { calculations, sums, figures, again } = carried;
    // What is worked out again from what was said needs nothing new to be looked up.
    if *again && calculations.is_empty() {
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
    let shop = carry::of_shop(s, question);
    let law =
        is_asked(&s.query, shop) && !question.brings_contract && question.intent != Intent::ContractCreation;
    if law && !*again {
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
    if wanted::defines(question) && calculations.is_empty() {
        question.required = vec![DataKind::Legal];
    }
    // Who can pay for a home is told by loans, too.
    if calculations.contains(&Calculation::LoanLimit) && !question.required.contains(&DataKind::Loan) {
        question.required.push(DataKind::Loan);
        question.required.sort_unstable();
    }
    // What is worked out from a home's price rests on prices, too, where none is said.
    let priced = figures.as_ref().is_some_and(|figures| figures.price.is_some());
    if wanted::needs_prices(question, calculations)
        && !priced
        && !regions.is_empty()
        && !question.required.contains(&DataKind::Market)
    {
        question.required.push(DataKind::Market);
        question.required.sort_unstable();
    }
}
