//! All that a question says, read with the ledger, and what is known beside it.

use super::leases;
use super::words::CORRECTS;
use crate::advisor::ledger::{self, Ledger, Value, What};
use crate::advisor::state::Advice;
use crate::advisor::tools::embedded::buys_and_lets;
use crate::advisor::tools::{Calculation, GiftTerms, Parameters};
use crate::advisor::understand::{Person, Property, Question, Role, Subject, Terms};
use crate::advisor::{restated, wanted};

/// Words of who borrows without anybody else.
const ALONE: &[&str] = &["혼자", "나만", "저만", "단독으로", "alone", "just me", "only my", "my own salary"];

/// Words that say how a loan is paid back, other than by interest alone.
pub(super) const LEVEL: &[&str] = &["원리금", "원금균등", "level", "equal", "instal", "principal"];

/// All that a question says, read with the ledger: bare numbers, and incomes that come together.
pub(in crate::advisor) fn said(s: &Advice, question: &Question) -> Parameters {
    let planning = &s.planning;
    let question = Question { terms: planning.terms.clone(), ..question.clone() };
    heard(s, &question, &planning.calculations)
}

/// The same before anything is planned.
pub(in crate::advisor) fn heard(s: &Advice, question: &Question, calculations: &[Calculation]) -> Parameters {
    let mut terms = question.terms.clone();
    // "2억 말고 1억으로": what takes the place of an entry is what that entry is.
    let mut instead: Vec<(What, u64)> = Vec::new();
    terms.amounts.retain(|amount| {
        let of = amount.instead_of.and_then(|won| s.ledger.what_of(won));
        instead.extend(of.map(|what| (what, amount.won)));
        of.is_none()
    });
    // The number written there is 54 million: what corrects something is what it comes nearest to.
    let lower = question.text.to_lowercase();
    if CORRECTS.iter().any(|word| lower.contains(word)) {
        for amount in terms.amounts.iter_mut().filter(|amount| amount.role == Role::Unsaid) {
            amount.role = s.ledger.nearest(amount.won).unwrap_or(Role::Unsaid);
        }
    }
    // 50 million as the deposit, not 60: what takes the place of an entry is nothing beside it.
    let mut restated = Parameters::default();
    if !s.ledger.entries.is_empty() && restated::restate(&question.text, &s.ledger, &mut restated) {
        let taken: Vec<Value> = ledger::values(&restated).into_iter().map(|(_, value)| value).collect();
        terms.amounts.retain(|amount| !taken.contains(&Value::Won(amount.won)));
        // 80은 안 되고 70만 된대: only seventy, and no sum.
        if restated.deposit_lent.is_some() || restated.said_ltv.is_some() {
            terms.amounts.retain(|amount| !matches!(amount.role, Role::Loan | Role::Unsaid));
        }
    }
    of_the_home(&s.ledger, &lower, &mut terms);
    let mut gift = GiftTerms::default();
    let gives = wanted::gifts(question, &s.ledger.parameters(), &mut terms, &mut gift);
    let mut asked = wanted::parameters(question, &terms, calculations);
    asked.gift_terms = gives.then_some(gift);
    for (what, won) in instead {
        what.set(&mut asked, &Value::Won(won));
    }
    for (what, value) in ledger::values(&restated) {
        what.set(&mut asked, &value);
    }
    let before = s.ledger.parameters();
    let own = Question { terms: terms.clone(), ..question.clone() };
    leases::another(&own, &before, &mut asked);
    leases::lent(&own, &before, &mut asked);
    // Of what is spoken of by its number, that number is said.
    for (what, value) in restated::mentioned(&question.text, &s.ledger) {
        if !ledger::values(&asked).iter().any(|(known, _)| *known == what) {
            what.set(&mut asked, &value);
        }
    }
    let text = question.text.to_lowercase();
    if s.ledger.parameters().prior_claims.is_some() && asked.prior_claims.is_none() && clears_claims(&text) {
        asked.prior_claims = Some(0);
    }
    // 아파트랑 같나요: what something is compared with is not what is meant.
    let compared = ["랑 같", "와 같", "과 같", "하고 같", "랑 달", "와 달", "same as"]
        .iter()
        .any(|word| text.contains(word));
    if compared && !s.ledger.parameters().properties.is_empty() {
        asked.properties.clear();
    }
    lends_the_rest(&text, &s.ledger.parameters(), &mut asked);
    // 와이프가 갚는 대출: is theirs.
    let partner = |person: &Person| matches!(person, Person::Husband | Person::Wife | Person::Spouse);
    if question.terms.people.iter().any(partner) {
        asked.partner_repayments = asked.other_repayments;
    }
    // 배우자 소득도 합치면: what was said before, and this.
    let adds = ["합치", "합하", "더하면", "합쳐", "합산", "together", "combined", "add"];
    let before = s.ledger.parameters().income;
    if let (Some(own), Some(before)) = (asked.income, before)
        && adds.iter().any(|word| text.contains(word))
        && question.terms.people.iter().any(|person| !matches!(person, Person::Myself | Person::Couple))
    {
        asked.income = Some(before.saturating_add(own));
    }
    asked
}

/// The mortgage is 59m, she misread it: where one on the home is known and none is asked for, that one is meant.
fn of_the_home(ledger: &Ledger, lower: &str, terms: &mut Terms) {
    let known = ledger.parameters();
    if known.prior_claims.is_none() || known.loan.is_some() || !lower.contains("mortgage") {
        return;
    }
    for amount in terms.amounts.iter_mut().filter(|amount| amount.role == Role::Loan) {
        amount.role = Role::Prior;
    }
}

/// 내 돈 3억 있고 나머지를 빌리면: what is lent is what one's own money leaves of the whole; another sum of one's own
/// leaves another.
fn lends_the_rest(text: &str, before: &Parameters, asked: &mut Parameters) {
    let whole = asked.deposit.or(asked.price).or(before.deposit).or(before.price);
    let (Some(whole), Some(own), None) = (whole, asked.own_money, asked.loan) else { return };
    let rest = ["나머지", "모자란", "부족한", "the rest", "remaining", "remainder"];
    let known = before.deposit.or(before.price);
    let derived = matches!((known, before.own_money, before.loan),
        (Some(whole), Some(own), Some(loan)) if whole.checked_sub(own) == Some(loan));
    if derived || rest.iter().any(|word| text.contains(word)) {
        asked.loan = whole.checked_sub(own).filter(|loan| *loan > 0);
    }
}

/// 근저당도 잔금날 다 갚는대요, he clears the mortgage: nothing ranks before the deposit any more.
fn clears_claims(text: &str) -> bool {
    let claims = ["근저당", "저당", "융자", "선순위", "mortgage", "prior claim"];
    let cleared =
        ["갚", "말소", "없애", "지운", "지워", "clear", "pay off", "pays off", "paid off", "removed"];
    let at = claims.iter().find_map(|word| text.find(word));
    at.is_some() && cleared.iter().any(|word| text.contains(word))
}

/// What a question says and what is known beside it.
pub(in crate::advisor) fn all(s: &Advice, question: &Question, said: &Parameters) -> Parameters {
    let mut all = said.clone();
    let before = s.ledger.parameters();
    if question.regions().is_empty() || before.regions.is_empty() || question.regions() == before.regions {
        fill(&mut all, &before);
    }
    // 저 혼자: without what somebody else owes.
    if ALONE.iter().any(|word| question.text.to_lowercase().contains(word)) {
        let own = all.other_repayments.unwrap_or(0).saturating_sub(all.partner_repayments.unwrap_or(0));
        all.other_repayments = Some(own);
    }
    // Interest alone stays what is paid until somebody says otherwise.
    let lower = question.text.to_lowercase();
    let restated = restated::restate(&question.text, &s.ledger, &mut Parameters::default());
    let another_loan = new_loan(question) && said.loan.is_some() && !restated;
    all.interest_only |=
        s.ledger.interest_only && !another_loan && !LEVEL.iter().any(|word| lower.contains(word));
    if said.loan.is_none() {
        leases::by_share(&mut all);
    }
    if said.paid_down.is_some() {
        all.down_share = said.down_share;
    } else if said.down_share.is_some() {
        all.paid_down = None;
    }
    if said.drops_tax {
        all.tax_share = None;
    }
    all
}

/// Is another loan spoken of than the one before?
pub(in crate::advisor) fn new_loan(question: &Question) -> bool {
    question.terms.amounts.iter().any(|amount| amount.role == Role::Loan && amount.instead_of.is_none())
}

/// Is a shop spoken of: here, or before where nothing says otherwise?
pub(in crate::advisor) fn of_shop(s: &Advice, question: &Question) -> bool {
    if !question.terms.properties.is_empty() {
        return question.terms.properties.contains(&Property::Shop);
    }
    let text = question.text.to_lowercase();
    let home = ["집 얘기", "전세", "아파트", "빌라", "my flat", "my home", "jeonse"];
    question.terms.subjects.contains(&Subject::Shop)
        || s.ledger.parameters().properties.contains(&Property::Shop)
            && !home.iter().any(|word| text.contains(word))
}

/// Is it about selling, rather than buying?
pub(super) fn sells(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["파는", "팔 때", "팔때", "팔면", "팔고", "매도", "sell", "sale of mine"]
        .iter()
        .any(|word| lower.contains(word))
}

/// A fee is of one contract: of a lease where only a deposit is said, of a sale where only a price is.
pub(in crate::advisor) fn one_contract(asked: &mut Parameters, said: &Parameters) {
    if buys_and_lets(&asked.query)
        || !asked.calculations.contains(&Calculation::Brokerage)
        || asked.calculations.contains(&Calculation::Returns)
    {
        return;
    }
    // What it is sold for, and not what it was bought for.
    if (said.resale.is_some() || asked.resale.is_some() && sells(&asked.query)) && said.price.is_none() {
        asked.price = None;
    }
    if said.deposit.is_some() && said.price.is_none() && said.resale.is_none() {
        (asked.price, asked.resale) = (None, None);
    } else if said.price.is_some() && said.deposit.is_none() && said.monthly_rent.is_none() {
        (asked.deposit, asked.monthly_rent) = (None, None);
    }
}

/// What is not said is as it was.
pub(in crate::advisor) fn fill(asked: &mut Parameters, before: &Parameters) {
    What::fill(asked, before);
    asked.area = asked.area.or(before.area);
    if asked.loan.is_none() {
        leases::by_share(asked);
    }
    if asked.properties.is_empty() {
        asked.properties = before.properties.clone();
    }
    if asked.loans.is_empty() {
        asked.loans = before.loans.clone();
    }
    if asked.groups.is_empty() {
        asked.groups = before.groups.clone();
    }
}
