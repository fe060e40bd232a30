//! The answer in one or two sentences: what was asked for, first.

use super::super::carry;
use super::super::lang::Lang;
use super::super::offers;
use super::super::state::Advice;
use super::super::sums::{self, Given, Sum};
use super::super::tally;
use super::super::tools::{Constants, Report, Used};
use super::super::understand::{DataKind, Intent};
use super::compose::{loan_name, loans};
use super::conditions::{self, conditions};
use super::law;
use super::prices::{compared, levels, ranked, risk_of};
use super::reports::nearby_sentences;
use super::worked_out::{affordable, worked_out};

/// The sentences, the most wanted first.
pub(super) fn summary(s: &Advice, data: &[Used], constants: &Constants, lang: Lang) -> Vec<String> {
    let reports: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let limit = reports.iter().find_map(|report| match report {
        Report::LoanLimit(view) => Some(view.limit.limit),
        _ => None,
    });
    let risky = s.planning.intent == Some(Intent::RiskAnalysis);
    let afford = reports.iter().find_map(|report| match report {
        Report::LoanLimit(view) => affordable(view, lang),
        _ => None,
    });
    let mut sentences: Vec<String> = reports
        .iter()
        // What a limit costs a month stands below it.
        .filter(|report| !matches!(report, Report::Repayment(view) if limit == Some(view.principal)))
        // Of a risk, what matters is the deposit against the price.
        .filter(|report| !((risky || afford.is_some()) && matches!(report, Report::Market(_))))
        .filter_map(|report| worked_out(report, lang))
        .collect();
    if let Some(afford) = afford {
        sentences.insert(0, afford);
    }
    let plain = plain_sums(s, constants, lang);
    let weighed = s.planning.sums.contains(&Sum::Claims) && !plain.is_empty();
    if !plain.is_empty() {
        sentences.splice(0..0, plain);
    }
    if risky && !weighed {
        sentences.extend(risk_of(s, &reports, lang));
    }
    let unread = s.team_results.values().any(|result| result.gaps.iter().any(|gap| gap == "contract_text"));
    if unread && sentences.is_empty() {
        return Vec::new();
    }
    let wanted = |kind: DataKind| s.planning.required.contains(&kind);
    if wanted(DataKind::Market) {
        add_prices(&mut sentences, s, data, &reports, lang);
    }
    if wanted(DataKind::Infrastructure) {
        sentences.extend(nearby_sentences(&reports, lang));
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
    if wanted(DataKind::Legal) && sentences.len() < 2 && !read {
        sentences.extend(law::gist(&s.query, data, lang));
    }
    if wanted(DataKind::Loan) && sentences.is_empty() {
        let products: Vec<_> = loans(data).into_iter().filter(|item| item.fit >= 0.5).collect();
        if let Some(first) = products.first().map(|item| loan_name(item, constants, lang)) {
            sentences.push(lang.pick(
                format!("조건에 맞는 대출 상품은 {}개이고, 먼저 볼 것은 {first}입니다.", products.len()),
                format!("{} loans fit; the first to look at is {first}.", products.len()),
            ));
        }
    }
    sentences.truncate(8);
    sentences
}

/// What homes cost, where nothing else was asked for first, and what the search for them was narrowed down to.
fn add_prices(sentences: &mut Vec<String>, s: &Advice, data: &[Used], reports: &[&Report], lang: Lang) {
    let own = sentences.len();
    let question = s.question();
    let risky = s.planning.intent == Some(Intent::RiskAnalysis);
    // What homes cost anywhere says nothing about a sum that was worked out of what was said.
    let worked = !sentences.is_empty() && !s.planning.calculations.is_empty();
    let beside =
        (worked || risky) && s.planning.regions.is_empty() && !question.named.contains(&DataKind::Market);
    if own < 2 && !beside {
        // What two places differ by is what was asked; what each costs stands below.
        let told = ranked(s, reports, lang).map_or_else(|| compared(reports, lang), |ranked| vec![ranked]);
        sentences.extend(if told.is_empty() { levels(s, reports, lang) } else { told });
    }
    sentences.truncate(own.max(2));
    sentences.extend(conditions(s, data, lang));
    sentences.extend(conditions::namesakes(s, lang));
    sentences.extend(conditions::no_forecast(&question, lang));
}

/// The plain sums of a question, in sentences.
fn plain_sums(s: &Advice, constants: &Constants, lang: Lang) -> Vec<String> {
    let question = s.question();
    let said = carry::said(s, &question);
    let mut all = carry::all(s, &question, &said);
    let tally = tally::asked(&question.text, &s.ledger, &all, constants);
    all.loan = tally.as_ref().and_then(tally::Tally::loan).or(all.loan);
    let text = question.text.to_lowercase();
    let Some(offered) = offers::weighed(&question.text, &s.ledger) else {
        return sums::sentences(
            &s.planning.sums,
            &Given { said: &said, all: &all, text: &text, tally: tally.as_ref(), constants, lang },
        );
    };
    let mut sentences = Vec::new();
    for offer in offered.offers.iter().filter(|offer| offered.shown.contains(&offer.at)) {
        let all = offer.parameters(&all);
        let given = Given { said: &all, all: &all, text: &text, tally: None, constants, lang };
        let own: Vec<Sum> = offer.sum().into_iter().collect();
        let named = sums::sentences(&own, &given).into_iter().map(|line| format!("{}: {line}", offer.name));
        sentences.extend(named);
    }
    sentences
}
