//! The answer in one or two sentences: what was asked for, first.

use super::asked_order::AskedOrder;
use super::compose::{loan_name, loans};
use super::conditions::{self, conditions};
use super::law;
use super::prices::{compared, levels, ranked, risk_of};
use super::reports::nearby_sentences;
use super::worked_out::{affordable, worked_out};
use crate::advisor::carry;
use crate::advisor::lang::Lang;
use crate::advisor::offers;
use crate::advisor::state::Advice;
use crate::advisor::sums::{self, Given, Sum};
use crate::advisor::tally;
use crate::advisor::tools::{Constants, Report, Used};
use crate::advisor::understand::{DataKind, Intent};

/// A sentence, and where in the question what it tells is asked for.
type Told = (usize, String);

/// The sentences, in the order in which the question asks for what they tell.
pub(super) fn summary(s: &Advice, data: &[Used], constants: &Constants, lang: Lang) -> Vec<String> {
    let reports: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let order = AskedOrder::of(s);
    let risky = s.planning.intent == Some(Intent::RiskAnalysis);
    let mut told = calculated(&reports, risky, &order, lang);
    let plain = plain_sums(s, &order, constants, lang);
    let weighed = s.planning.sums.contains(&Sum::Claims) && !plain.is_empty();
    told.splice(0..0, plain);
    if risky && !weighed {
        let place = told.last().map_or(0, |(place, _)| *place);
        told.extend(risk_of(s, &reports, lang).map(|line| (place, line)));
    }
    let unread = s.team_results.values().any(|result| result.gaps.iter().any(|gap| gap == "contract_text"));
    if unread && told.is_empty() {
        return Vec::new();
    }
    let wanted = |kind: DataKind| s.planning.required.contains(&kind);
    let worked = !told.is_empty();
    if wanted(DataKind::Market) {
        add_prices(&mut told, s, data, &order, lang);
    }
    if wanted(DataKind::Infrastructure) {
        let place = order.data(DataKind::Infrastructure);
        told.extend(nearby_sentences(&reports, lang).into_iter().map(|line| (place, line)));
    }
    // Of a contract that was read, the law stands beside each clause; a tax says its own rate.
    let read = reports.iter().any(|report| {
        matches!(
            report,
            Report::Contract(_)
                | Report::Tax(_)
                | Report::PropertyTax(_)
                | Report::ComprehensiveTax(_)
                | Report::Registration(_)
        )
    });
    if wanted(DataKind::Legal) && told.len() < 2 && !read {
        let place = order.data(DataKind::Legal);
        told.extend(law::gist(&s.query, data, lang).into_iter().map(|line| (place, line)));
    }
    // Who asks for a loan is told of loans, also where nothing could be worked out and prices are told.
    let lends = told.is_empty() || !worked && order.names(DataKind::Loan);
    if wanted(DataKind::Loan) && lends {
        let place = order.data(DataKind::Loan);
        told.extend(offered(data, constants, lang).map(|line| (place, line)));
    }
    order.sort(&mut told);
    told.truncate(8);
    told.into_iter().map(|(_, line)| line).collect()
}

/// What tools worked out.
fn calculated(reports: &[&Report], risky: bool, order: &AskedOrder, lang: Lang) -> Vec<Told> {
    let limit = reports.iter().find_map(|report| match report {
        Report::LoanLimit(view) => Some(view.limit.limit),
        _ => None,
    });
    let afford = reports.iter().find_map(|report| match report {
        Report::LoanLimit(view) => Some((order.report(report), affordable(view, lang)?)),
        _ => None,
    });
    let told = reports
        .iter()
        // What a limit costs a month stands below it.
        .filter(|report| !matches!(report, Report::Repayment(view) if limit == Some(view.principal)))
        // Of a risk, what matters is the deposit against the price.
        .filter(|report| !((risky || afford.is_some()) && matches!(report, Report::Market(_))))
        .filter_map(|report| Some((order.report(report), worked_out(report, lang)?)));
    afford.clone().into_iter().chain(told).collect()
}

/// How many loans fit, and which is the first to look at.
fn offered(data: &[Used], constants: &Constants, lang: Lang) -> Option<String> {
    let products: Vec<_> = loans(data).into_iter().filter(|item| item.fit >= 0.5).collect();
    let first = loan_name(products.first()?, constants, lang);
    Some(lang.pick(
        format!("조건에 맞는 대출 상품은 {}개이고, 먼저 볼 것은 {first}입니다.", products.len()),
        format!("{} loans fit; the first to look at is {first}.", products.len()),
    ))
}

/// What homes cost, where it was asked for by name or nothing else was, and what the search for them was narrowed down to.
fn add_prices(told: &mut Vec<Told>, s: &Advice, data: &[Used], order: &AskedOrder, lang: Lang) {
    let reports: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let (own, place) = (told.len(), order.data(DataKind::Market));
    let question = s.question();
    let risky = s.planning.intent == Some(Intent::RiskAnalysis);
    // What homes cost anywhere says nothing about a sum that was worked out of what was said.
    let worked = own > 0 && !s.planning.calculations.is_empty();
    let beside =
        (worked || risky) && s.planning.regions.is_empty() && !question.named.contains(&DataKind::Market);
    let mut lines = Vec::new();
    if own < 2 && !beside {
        // What two places differ by is what was asked; what each costs stands below.
        lines = ranked(s, &reports, lang).map_or_else(|| compared(&reports, lang), |ranked| vec![ranked]);
        if lines.is_empty() {
            lines = levels(s, &reports, lang);
        }
    }
    lines.truncate(own.max(2) - own);
    lines.extend(conditions(s, data, lang));
    lines.extend(conditions::namesakes(s, lang));
    lines.extend(conditions::no_forecast(&question, lang));
    told.extend(lines.into_iter().map(|line| (place, line)));
}

/// The plain sums of a question, in sentences.
fn plain_sums(s: &Advice, order: &AskedOrder, constants: &Constants, lang: Lang) -> Vec<Told> {
    let question = s.question();
    let said = carry::said(s, &question);
    let mut all = carry::all(s, &question, &said);
    let tally = tally::asked(&question.text, &s.ledger, &all, constants);
    all.loan = tally.as_ref().and_then(tally::Tally::loan).or(all.loan);
    let text = question.text.to_lowercase();
    let of = |sum: Sum, given: &Given<'_>| {
        let place = order.sum(sum);
        sums::sentences(&[sum], given).into_iter().map(move |line| (place, line))
    };
    let Some(offered) = offers::weighed(&question.text, &s.ledger) else {
        let given = Given { said: &said, all: &all, text: &text, tally: tally.as_ref(), constants, lang };
        return s.planning.sums.iter().flat_map(|sum| of(*sum, &given)).collect();
    };
    let mut told = Vec::new();
    for offer in offered.offers.iter().filter(|offer| offered.shown.contains(&offer.at)) {
        let all = offer.parameters(&all);
        let given = Given { said: &all, all: &all, text: &text, tally: None, constants, lang };
        let own = offer.sum().into_iter().flat_map(|sum| of(sum, &given));
        told.extend(own.map(|(place, line)| (place, format!("{}: {line}", offer.name))));
    }
    told
}
