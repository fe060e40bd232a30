//! The ledger after a question.

use super::figures::another_home;
use super::said::{LEVEL, all, said};
use super::words::CORRECTS;
use crate::advisor::ledger::{Ledger, Source, What};
use crate::advisor::offers;
use crate::advisor::state::Advice;
use crate::advisor::sums::{Sum, rent_after};
use crate::advisor::tally::{self, Asks, Tally};
use crate::advisor::tools::{Calculation, Constants, Parameters, Report};

/// Of amounts that are only added up, what was spent is no figure of the home, nor is what is to be saved up.
fn only_named(said: &mut Parameters, s: &Advice) {
    const HOME: u64 = 10_000_000;
    if !s.planning.sums.contains(&Sum::Tally) {
        return;
    }
    (said.expenses, said.extra_costs) = (None, None);
    said.price = said.price.filter(|price| *price >= HOME);
    let question = s.question();
    let tally = tally::asked(&question.text, &s.ledger, said, Constants::built_in());
    if tally.is_some_and(|tally| matches!(tally.asks, Asks::Months(_) | Asks::Lacking)) {
        (said.income, said.price, said.own_money) = (None, None, None);
    }
}

/// A lease whose deposit changed is, from then on, as it was reckoned.
fn leased_anew(ledger: &mut Ledger, s: &Advice) {
    let with = ledger.parameters();
    if !s.planning.sums.contains(&Sum::RentAfter) {
        return;
    }
    if let (Some(keep), Some(rent)) = (with.keep, rent_after(&with)) {
        let found = Parameters { deposit: Some(keep), monthly_rent: Some(rent), ..Parameters::default() };
        ledger.enter(&found, Source::WorkedOut, s.turn(), &s.now);
        ledger.remove(What::Keep);
        ledger.remove(What::PaidRent);
    }
}

/// Enters what tools have found: the rent that a deposit came to, and what may be borrowed.
fn enter_found(ledger: &mut Ledger, said: &Parameters, s: &Advice) {
    let limit = s.used.iter().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::LoanLimit(view) => Some(view.limit.limit),
        _ => None,
    });
    // The rent that a deposit came to is the rent from then on.
    let rent = s.used.iter().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::Conversion(view) if view.paid.is_some() => Some(view.cost.monthly_rent),
        _ => None,
    });
    if said.monthly_rent.is_none() && rent.is_some() {
        let found = Parameters { monthly_rent: rent, ..Parameters::default() };
        ledger.enter(&found, Source::WorkedOut, s.turn(), &s.now);
    }
    // What somebody means to borrow is not what they may.
    let meant = ledger.said(What::Loan) || ledger.said(What::SaidLtv);
    if said.loan.is_none() && limit.is_some() && !meant {
        let found = Parameters { loan: limit, ..Parameters::default() };
        ledger.enter(&found, Source::WorkedOut, s.turn(), &s.now);
    }
}

/// A share of a price and a sum are two ways to say what is lent: the one that was said last stays.
fn lend_one_way(ledger: &mut Ledger, said: &Parameters) {
    if said.said_ltv.is_some() || said.deposit_lent.is_some() {
        ledger.remove(What::Loan);
        ledger.remove(if said.said_ltv.is_some() { What::DepositLent } else { What::SaidLtv });
    } else if said.loan.is_some() {
        ledger.remove(What::SaidLtv);
        ledger.remove(What::DepositLent);
    }
}

/// The ledger with what this question said and worked out.
pub(in crate::advisor) fn settled(s: &Advice) -> Ledger {
    let question = s.question();
    let planning = &s.planning;
    let mut said = said(s, &question);
    said.regions = question.regions();
    // How much a rent is to rise is no rate of a loan.
    if planning.calculations.iter().any(|one| matches!(one, Calculation::Increase | Calculation::Conversion))
    {
        said.rate = None;
    }
    // What was only meant is not said.
    said.properties = question.terms.properties.clone();
    let mut ledger = s.ledger.clone();
    let text = question.text.to_lowercase();
    let corrects = CORRECTS.iter().any(|word| text.contains(word));
    let before = ledger.parameters();
    let elsewhere = !said.regions.is_empty() && !before.regions.is_empty() && said.regions != before.regions;
    let goes_on = question.reference.is_any() || question.reference.onward || corrects;
    if elsewhere && !corrects || another_home(&question, &before, goes_on) {
        ledger.leave_home();
    }
    only_named(&mut said, s);
    ledger.enter(&said, Source::Said, s.turn(), &s.now);
    enter_found(&mut ledger, &said, s);
    lend_one_way(&mut ledger, &said);
    leased_anew(&mut ledger, s);
    if s.planning.sums.contains(&Sum::Tally) {
        let all = all(s, &question, &said);
        ledger.tally = tally::asked(&question.text, &s.ledger, &all, Constants::built_in());
        // What has to be borrowed is the loan from then on.
        let loan = ledger.tally.as_ref().and_then(Tally::loan);
        ledger.enter(&Parameters { loan, ..Parameters::default() }, Source::WorkedOut, s.turn(), &s.now);
    }
    // As are a share and a sum of what is paid first.
    if said.paid_down.is_some() {
        ledger.remove(What::DownShare);
    } else if said.down_share.is_some() {
        ledger.remove(What::PaidDown);
    }
    if said.drops_tax {
        ledger.remove(What::TaxShare);
    }
    if said.interest_only {
        ledger.interest_only = true;
    } else if LEVEL.iter().any(|word| text.contains(word)) {
        ledger.interest_only = false;
    }
    if let Some(offered) = offers::weighed(&question.text, &s.ledger) {
        // What was spoken of last is what a question without a name goes on from.
        if let Some(offer) =
            offered.shown.first().and_then(|at| offered.offers.iter().find(|one| one.at == *at))
        {
            ledger.enter(&offer.parameters(&Parameters::default()), Source::Said, s.turn(), &s.now);
        }
        ledger.offers = offered.offers;
    }
    if !planning.calculations.is_empty() || !planning.sums.is_empty() {
        ledger.calculations = planning.calculations.clone();
        ledger.sums = planning.sums.clone();
        (ledger.intent, ledger.required) = (planning.intent, planning.required.clone());
        ledger.turn = s.turn();
    }
    ledger
}
