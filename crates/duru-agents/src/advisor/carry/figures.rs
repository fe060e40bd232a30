//! What a question asks to be worked out, and with which figures of the ledger.

use super::leases;
use super::said::{all, heard, of_shop, sells};
use super::words::{AGAIN, CORRECTS, HOW_MUCH, LIMIT, POINTS, SUPPOSES};
use crate::advisor::ledger::{Ledger, Source, Value, What, values};
use crate::advisor::state::Advice;
use crate::advisor::sums::Sum;
use crate::advisor::tools::embedded::is_asked;
use crate::advisor::tools::{Calculation, Constants, Parameters};
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Amount, DataKind, Question, Role, Terms, days};
use crate::advisor::{formulas, offers, restated, tally, wanted};

/// So many questions later what was worked out may be worked out again with other figures.
const TURNS: usize = 6;

/// What a question goes on with.
pub(in crate::advisor) struct Carried {
    pub(in crate::advisor) calculations: Vec<Calculation>,
    pub(in crate::advisor) sums: Vec<Sum>,
    pub(in crate::advisor) figures: Option<Parameters>,
    /// What was worked out before is worked out again, with other figures.
    pub(in crate::advisor) again: bool,
}

/// The calculations and figures of this question, with those of the ledger where it goes on from them.
pub(in crate::advisor) fn figures(s: &Advice, question: &Question, own: Vec<Calculation>) -> Carried {
    let last = &s.ledger;
    let said = heard(s, question, &own);
    let all = all(s, question, &said);
    let turn = formulas::Turn { text: &question.text, said: &said, all: &all, last: &last.sums };
    let mut sums = formulas::sums(&turn);
    let own = with_what_is_allowed(own, question, &turn);
    // A lease that the tool reads by itself is the tool's.
    let plain: Vec<Calculation> =
        own.iter().filter(|one| **one != Calculation::Conversion).copied().collect();
    if plain.len() < own.len() && heard(s, question, &plain).paid_rent.is_none() {
        sums.retain(|sum| *sum != Sum::RentAfter);
    }
    let own = leases::without_what_is_summed(own, &mut sums, &all, question);
    if wanted::defines(question) || question.brings_contract {
        sums.clear();
    }
    // Of what is weighed against each other, each is reckoned for itself.
    if let Some(offered) = offers::weighed(&question.text, last) {
        let shown = offered.offers.iter().filter(|offer| offered.shown.contains(&offer.at));
        let mut sums: Vec<Sum> = shown.filter_map(|offer| offer.sum()).collect();
        sums.dedup();
        let others = own.into_iter().filter(|one| !one.lends() && *one != Calculation::Returns).collect();
        let figures = Some(Parameters { calculations: Vec::new(), ..last.parameters() });
        return Carried { calculations: others, sums, figures, again: false };
    }
    if let Some(carried) = tallied(question, last, (&said, &all), &own) {
        return carried;
    }
    if last.entries.is_empty() {
        let calculations = with_loan(question, last, own);
        return Carried { calculations, sums, figures: None, again: false };
    }
    let before = last.parameters();
    let text = question.text.to_lowercase();
    let points = POINTS.iter().any(|word| text.contains(word));
    let refers = question.reference.is_any() || question.reference.onward || points;
    let mut calculations = with_what_is_known(own, &said, &sums, last, &text);
    let nothing = calculations.is_empty() && sums.is_empty();
    // "월 납입액이랑 dsr 둘 다 다시": what is named, and what was worked out before.
    let redone = !nothing && AGAIN.iter().any(|word| text.contains(word)) && replaces(question, last);
    // A question about the law is none about the sum before it.
    let shop = of_shop(s, question);
    // Another day for what was reckoned from one.
    let dated = last.sums.iter().any(|sum| sum.is_dated()) && !days(&text).is_empty();
    let law = is_asked(&question.text, shop)
        && !dated
        && !replaces(question, last)
        && wanted::percent(&text).is_none();
    // 아 5억이네. 그리고 …: what opens with another figure changes it, whatever else is asked.
    let opens = nothing && opens_with_figure(question);
    // 제가 더 보탤 돈은: after what a deposit may rise to, by how much.
    let by_how_much = ["보태", "보탤", "더 줄", "더 내", "the difference", "how much more", "extra"];
    let raised = nothing
        && last.calculations.contains(&Calculation::Increase)
        && question.terms.amounts.is_empty()
        && by_how_much.iter().any(|word| text.contains(word));
    let again = raised
        || (nothing || redone) && !(law && nothing && !opens) && works_again(s, question, &before, refers);
    if again {
        calculations.extend(
            last.calculations.iter().filter(|one| !calculations.contains(one)).copied().collect::<Vec<_>>(),
        );
        calculations.sort_unstable();
        sums.extend(last.sums.iter().filter(|one| !sums.contains(one)).copied().collect::<Vec<_>>());
    }
    let again = again && nothing;
    // What is turned into rent above what the law allows is told as it was asked, with a word on the law.
    let cap = Constants::built_in().conversion_cap();
    if sums.contains(&Sum::AsRent) && all.conversion_rate.is_some_and(|rate| rate > cap) {
        calculations.retain(|one| *one != Calculation::Conversion);
    }
    let calculations = with_loan(question, last, calculations);
    let kept = still_holds(s, question, &calculations, points);
    let figures =
        (!calculations.is_empty()).then(|| Parameters { calculations: Vec::new(), ..kept.parameters() });
    let again = again && (!calculations.is_empty() || !sums.is_empty());
    Carried { calculations, sums, figures, again }
}

/// Amounts that are only named are reckoned with as they are.
fn tallied(
    question: &Question,
    last: &Ledger,
    (said, all): (&Parameters, &Parameters),
    own: &[Calculation],
) -> Option<Carried> {
    let tally = tally::asked(&question.text, last, all, Constants::built_in())?;
    let mut sums = vec![Sum::Tally];
    let lent = tally.loan().is_some() && said.rate.is_some() && (all.years.is_some() || all.interest_only);
    sums.extend(lent.then_some(Sum::Payment));
    // What is lacking may be asked beside something else.
    if tally.asks != tally::Asks::Lacking || own.is_empty() {
        return Some(Carried { calculations: Vec::new(), sums, figures: None, again: true });
    }
    let figures = Some(Parameters { calculations: Vec::new(), ..last.parameters() });
    Some(Carried { calculations: own.to_vec(), sums, figures, again: false })
}

/// What a question asks for, given what was worked out before it.
fn with_what_is_known(
    mut own: Vec<Calculation>,
    said: &Parameters,
    sums: &[Sum],
    last: &Ledger,
    text: &str,
) -> Vec<Calculation> {
    // 배우자 소득도 합치면: an income alone asks for what was reckoned with the one before.
    if own == [Calculation::LoanLimit]
        && sums.is_empty()
        && !last.sums.is_empty()
        && said.price.is_none()
        && !LIMIT.iter().any(|word| text.contains(word))
    {
        own.clear();
    }
    own
}

/// What a question asks for, with what the figures that it says or goes on from allow.
fn with_what_is_allowed(
    mut own: Vec<Calculation>,
    question: &Question,
    turn: &formulas::Turn<'_>,
) -> Vec<Calculation> {
    if wanted::defines(question) || question.brings_contract {
        return own;
    }
    let text = question.text.to_lowercase();
    let rates = ["금리", "interest", "이자"].iter().any(|word| text.contains(word));
    for one in formulas::allowed(turn) {
        // A rate that rises is no rent that does, and a home that is sold or converted none either.
        let other = [Calculation::Returns, Calculation::Conversion, Calculation::Brokerage];
        let increase = one == Calculation::Increase;
        let fits = !increase || !rates && !other.iter().any(|one| own.contains(one));
        if fits && !own.contains(&one) {
            own.push(one);
        }
    }
    own.sort_unstable();
    own
}

/// The ledger without what no longer holds for this question.
fn still_holds(s: &Advice, question: &Question, calculations: &[Calculation], points: bool) -> Ledger {
    let mut kept = s.ledger.clone();
    let before = kept.parameters();
    let text = question.text.to_lowercase();
    let named: Vec<Region> = question.regions();
    // Prices that were found count more than one that was once said.
    let found = s
        .previous_search_results
        .last()
        .is_some_and(|search| search.held().found(DataKind::Market).is_some());
    let prices =
        ["시세", "시가", "실거래", "매물", "price", "going rate"].iter().any(|word| text.contains(word));
    let by_market =
        question.named.contains(&DataKind::Market) && prices && !points && (found || !named.is_empty())
            || question.reference.to_result && !points && found;
    if by_market {
        for what in [What::Price, What::Deposit, What::MonthlyRent, What::Area] {
            kept.remove(what);
        }
    }
    // Another home; who borrows and what they earn stays.
    let refers = question.reference.is_any() || question.reference.onward || points;
    let elsewhere = !named.is_empty() && named != before.regions;
    let corrects = CORRECTS.iter().any(|word| text.contains(word));
    if elsewhere && !corrects || another_home(question, &before, refers || corrects) {
        kept.leave_home();
    }
    // What a home was sold for matters where it is taxed, and nowhere else.
    if !calculations.contains(&Calculation::CapitalGains) && !sells(&text) {
        kept.remove(What::Resale);
        kept.remove(What::Gain);
    }
    // What was lent is paid back; it is no leverage of another calculation.
    if !calculations.contains(&Calculation::Repayment) {
        kept.remove(What::Loan);
    }
    kept
}

/// Where it is known what somebody means to borrow, LTV and DSR are asked of that, and not what might be borrowed.
fn with_loan(question: &Question, ledger: &Ledger, mut calculations: Vec<Calculation>) -> Vec<Calculation> {
    let text = question.text.to_lowercase();
    let owed = question.terms.amounts.iter().any(|amount| amount.role == Role::Loan);
    let known = owed || ledger.said(What::Loan);
    if known
        && calculations.contains(&Calculation::LoanLimit)
        && !LIMIT.iter().any(|word| text.contains(word))
    {
        calculations.retain(|one| *one != Calculation::LoanLimit);
        if !calculations.contains(&Calculation::Repayment) {
            calculations.push(Calculation::Repayment);
        }
        calculations.sort_unstable();
    }
    calculations
}

/// A question that says itself which home it is about: its kind, and its price or its deposit.
pub(super) fn another_home(question: &Question, before: &Parameters, goes_on: bool) -> bool {
    let sum = |role| question.terms.amounts.iter().any(|amount: &Amount| amount.role == role);
    let homes = !question.terms.properties.is_empty() && question.terms.properties != before.properties;
    !goes_on && homes && (sum(Role::Price) || sum(Role::Deposit) || sum(Role::Unsaid))
}

/// Does a question that asks for no calculation change a figure of the last one?
fn works_again(s: &Advice, question: &Question, before: &Parameters, refers: bool) -> bool {
    let last = &s.ledger;
    if last.calculations.is_empty() && last.sums.is_empty() || s.turn() > last.turn + TURNS {
        return false;
    }
    let text = question.text.to_lowercase();
    let named: Vec<Region> = question.regions();
    // A limit of a search is no figure of a calculation.
    let says_sum =
        question.terms.amounts.iter().any(|amount| !amount.is_limit() && amount.role != Role::Budget);
    // How long something lasts changes nothing of a fee or of how far a rent may rise.
    let lasts = !last.sums.is_empty()
        || last.calculations.iter().any(|one| {
            !matches!(one, Calculation::Increase | Calculation::Brokerage | Calculation::AcquisitionTax)
        });
    if last.sums.iter().any(|sum| sum.is_dated()) && !days(&text).is_empty() {
        return true;
    }
    let changes = says_sum
        || wanted::percent(&text).is_some()
        || lasts && (wanted::years(&text).is_some() || !duru_language::figure::terms(&text).is_empty())
        || wanted::homes_after(&text).is_some()
        || wanted::regulated(&text).is_some();
    let elliptical = question.named.is_empty() && named.is_empty();
    // "금리가 5%면" after a loan speaks of nothing new, though it names it.
    let same =
        !last.sums.is_empty() || question.named.iter().all(|kind| field(&last.calculations).contains(kind));
    let ending = format!("{} ", text.trim_end_matches(['?', '.', '!', ' ']));
    let supposes =
        named.is_empty() && same && SUPPOSES.iter().any(|word| text.contains(word) || ending.ends_with(word));
    let corrects = same && CORRECTS.iter().any(|word| text.contains(word));
    // "그럼 얼마까지?" right after is about the same sum.
    let asks_again = named.is_empty()
        && same
        && s.turn() <= last.turn + 2
        && refers
        && HOW_MUCH.iter().any(|word| text.contains(word))
        && question.terms.subjects.iter().all(|subject| before.subjects.contains(subject));
    // "그럼 용산구는?" right after: the same, worked out for another place.
    let by_place = |one: &Calculation| {
        matches!(
            one,
            Calculation::LoanLimit
                | Calculation::Returns
                | Calculation::AcquisitionTax
                | Calculation::CapitalGains
                | Calculation::Registration
        )
    };
    let moved = !named.is_empty()
        && named != before.regions
        && (refers || corrects || says_sum)
        && question.named.is_empty()
        && Terms { features: Vec::new(), amounts: Vec::new(), ..question.terms.clone() } == Terms::default()
        && s.turn() <= last.turn + 1
        && last.calculations.iter().any(by_place);
    // The contract is actually 265m: what is corrected is what it comes nearest to.
    let nearest = |amount: &Amount| amount.role == Role::Unsaid && last.nearest(amount.won).is_some();
    let says_otherwise = CORRECTS.iter().any(|word| text.contains(word)) && !text.contains('?');
    if says_otherwise && question.terms.amounts.iter().any(nearest) && !question.brings_contract {
        return true;
    }
    // What takes the place of an entry changes whatever rests on it, however it is put.
    if replaces(question, last) && !question.brings_contract {
        return true;
    }
    // By when something is to be done is no sum.
    if formulas::asks_only_when(&text) && !says_sum {
        return false;
    }
    ((changes || question.calculates) && (refers || elliptical || supposes || corrects)
        || asks_again
        || moved)
        && !wanted::weighs(question)
}

/// Is the first of several sentences hardly more than a sum?
fn opens_with_figure(question: &Question) -> bool {
    const SHORT: usize = 14;
    let Some(end) = question.text.find(". ").or_else(|| question.text.find("! ")) else { return false };
    let first = question.terms.amounts.first();
    question.text[..end].chars().count() <= SHORT && first.is_some_and(|amount| amount.span.0 < end)
}

/// Does a question say something of an entry otherwise?
fn replaces(question: &Question, ledger: &Ledger) -> bool {
    let instead = |amount: &Amount| amount.instead_of.is_some_and(|won| ledger.holds(won));
    question.terms.amounts.iter().any(instead)
        || wanted::regulated(&question.text).is_some()
            && ledger.calculations.contains(&Calculation::AcquisitionTax)
        || restates(&question.text, ledger)
}

/// Does a bare number take the place of an entry that what was reckoned last rests on? How long something lasts is nothing
/// to a fee or a rent.
fn restates(text: &str, ledger: &Ledger) -> bool {
    let mut asked = Parameters::default();
    let rests = |(what, value): &(What, Value)| {
        !matches!(value, Value::Years(_) | Value::Months(_))
            || !ledger.sums.is_empty()
            || ledger.calculations.iter().any(|one| what.serves(*one))
    };
    restated::restate(text, ledger, &mut asked) && values(&asked).iter().any(rests)
}

/// What a bare sum is that takes the place of one that was said, by the ledger; where what was worked out is worked out
/// again with it, the one that it comes nearest to.
pub(in crate::advisor) fn corrected(s: &Advice, text: &str, again: bool, terms: &mut Terms) {
    let mut restated = Parameters::default();
    restated::restate(text, &s.ledger, &mut restated);
    let lower = text.to_lowercase();
    let once_more = AGAIN.iter().chain(CORRECTS).any(|word| lower.contains(word));
    let mut meant = Ledger::default();
    meant.enter(&restated, Source::Said, 0, "");
    for amount in terms.amounts.iter_mut().filter(|amount| amount.role == Role::Unsaid) {
        let role = amount
            .instead_of
            .and_then(|won| s.ledger.role_of(won))
            .or_else(|| meant.role_of(amount.won))
            .or_else(|| s.ledger.nearest(amount.won).filter(|_| again || once_more));
        if let Some(role) = role {
            amount.role = role;
        }
    }
}

/// The kinds of data that such calculations speak of.
fn field(calculations: &[Calculation]) -> Vec<DataKind> {
    let mut kinds = Vec::new();
    for calculation in calculations {
        kinds.extend(match calculation {
            Calculation::LoanLimit | Calculation::Repayment => &[DataKind::Loan][..],
            Calculation::Returns => &[DataKind::Market, DataKind::Loan][..],
            _ => &[DataKind::Legal][..],
        });
    }
    kinds
}
