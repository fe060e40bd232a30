//! A lease beside the one that is known: another deposit with another rent, and shares of a deposit that are lent.

use duru_language::figure::shares;

use crate::advisor::sums::Sum;
use crate::advisor::tools::{Calculation, Parameters};
use crate::advisor::understand::{Bound, Question, Role};
use crate::advisor::wanted;

/// Words that ask at which rate a deposit was weighed against a rent.
const IMPLIES: &[&str] = &[
    "쳐준",
    "쳐주는",
    "돌린 셈",
    "돌린셈",
    "몇프로로",
    "몇 프로로",
    "몇퍼로",
    "what rate",
    "what yearly rate",
    "yearly rate",
    "annual rate",
    "implied rate",
];
/// Words by which a deposit becomes higher or lower.
const MOVES: &[&str] = &["낮추", "낮춰", "내려", "내리", "줄이", "줄여", "올리", "올려", "늘리", "늘려"];
const MORE: &[&str] = &["more deposit", "extra deposit", "more in deposit", "higher deposit"];
/// A rate above this turns no deposit into rent.
const HIGHEST: f64 = 0.2;

/// Does a text ask for such a rate?
fn implies(text: &str) -> bool {
    IMPLIES.iter().any(|word| text.contains(word))
}

/// Writes another lease beside the known one: what the deposit is to be (`keep`), and the rent that is paid now.
pub(super) fn another(question: &Question, before: &Parameters, asked: &mut Parameters) {
    let text = question.text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let of = |role: Role| {
        let own =
            question.terms.amounts.iter().filter(move |one| one.role == role && one.bound == Bound::Exact);
        own.map(|one| one.won).collect::<Vec<u64>>()
    };
    let deposits =
        Some(of(Role::Deposit)).filter(|named| !named.is_empty()).unwrap_or_else(|| of(Role::Unsaid));
    // 2억 1천 부르는데 몇 프로로 쳐준 거죠: the lease as it is, and the one that is offered.
    if let (true, Some(now), Some(rent), Some(offered)) =
        (says(IMPLIES), before.deposit, before.monthly_rent, deposits.first().copied().or(asked.price))
        && offered != now
    {
        let then =
            question.terms.amounts.iter().find(|one| one.role == Role::MonthlyRent).map_or(0, |one| one.won);
        (asked.deposit, asked.paid_rent) = (Some(now), Some(rent));
        (asked.keep, asked.monthly_rent, asked.price) = (Some(offered), Some(then), None);
        return;
    }
    let Some(rate) = shares(&text).into_iter().map(|share| share.value).find(|rate| *rate < HIGHEST) else {
        return;
    };
    let Some(known) = before.deposit else { return };
    let rented = ["월세", "월 ", "rent"].iter().any(|word| text.contains(word));
    // 20m more deposit: on top of what there is.
    let added = MORE.iter().find_map(|word| {
        let at = text.find(word)?;
        question.terms.amounts.iter().rfind(|one| one.span.1 <= at && at - one.span.1 < 6).map(|one| one.won)
    });
    let (from, to) = match (added, &deposits[..]) {
        (Some(added), _) => (known, known.saturating_add(added)),
        // 보증금 5천을 3천으로 내리고, 보증금을 1억 4천으로 낮추고.
        (None, [from, to]) if says(MOVES) && text.contains("보증금") => (*from, *to),
        (None, [to]) if says(MOVES) && text.contains("보증금") && *to != known => (known, *to),
        _ => return,
    };
    if !rented || from == to {
        return;
    }
    (asked.deposit, asked.keep, asked.price) = (Some(from), Some(to), None);
    (asked.paid_rent, asked.monthly_rent) = (Some(before.monthly_rent.unwrap_or(0)), None);
    (asked.conversion_rate, asked.rate) = (Some(rate), None);
}

/// The bank lends 70% of it: of a deposit where there is one and no price, or where that was lent before.
pub(super) fn lent(question: &Question, before: &Parameters, asked: &mut Parameters) {
    if asked.said_ltv.is_some() || asked.deposit_lent.is_some() {
        return;
    }
    let Some(share) = wanted::lent_share(&question.text) else { return };
    let leases = match (asked.deposit, asked.price) {
        (Some(_), _) => true,
        (None, Some(_)) => false,
        (None, None) => before.deposit_lent.is_some() || before.deposit.is_some() && before.price.is_none(),
    };
    if leases {
        asked.deposit_lent = Some(share);
    } else if asked.price.or(before.price).is_some() {
        asked.said_ltv = Some(share);
    }
}

/// What is lent as a share of the price or deposit is known once that is.
pub(super) fn by_share(all: &mut Parameters) {
    let of = |whole: u64, share: f64| (whole as f64 * share).round() as u64;
    if let (Some(share), Some(deposit)) = (all.deposit_lent, all.deposit) {
        all.loan = Some(of(deposit, share));
    } else if let (Some(share), Some(price)) = (all.said_ltv, all.price) {
        all.loan = Some(of(price, share));
    }
}

/// What plain sums say better than a tool: a loan that is a share of a deposit, a sale once the loan is paid, a lease
/// whose deposit changes.
pub(super) fn without_what_is_summed(
    mut own: Vec<Calculation>,
    sums: &mut Vec<Sum>,
    all: &Parameters,
    question: &Question,
) -> Vec<Calculation> {
    let text = question.text.to_lowercase();
    let monthly =
        ["한달", "한 달", "매달", "다달이", "월 얼마", "a month", "per month", "monthly", "each month"];
    let asks = own.contains(&Calculation::Repayment) || monthly.iter().any(|word| text.contains(word));
    let shared = all.deposit_lent.is_some() && all.loan.is_some() && all.rate.is_some();
    let lent_anew = question.terms.amounts.iter().any(|amount| amount.role == Role::Loan);
    if shared && !lent_anew && asks && (all.interest_only || all.years.is_some()) {
        sums.push(Sum::Payment);
        own.retain(|one| *one != Calculation::Repayment);
    }
    if sums.contains(&Sum::SaleLeft) && all.resale.is_some() {
        own.retain(|one| !one.lends() && (all.expenses.is_none() || *one != Calculation::Brokerage));
    }
    let implied = sums.contains(&Sum::ImpliedRate) && all.keep.is_some() && all.paid_rent.is_some();
    if sums.contains(&Sum::RentAfter) || implied && implies(&text) {
        own.retain(|one| {
            !matches!(one, Calculation::Conversion | Calculation::Increase | Calculation::Repayment)
        });
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::{Context, understand};

    fn heard(text: &str, before: &Parameters) -> Parameters {
        let question = understand(text, &Context::default());
        let mut asked = wanted::parameters(&question, &question.terms, &[]);
        another(&question, before, &mut asked);
        lent(&question, before, &mut asked);
        asked
    }

    #[test]
    fn another_lease_stands_beside_the_known_one() {
        let before =
            Parameters { deposit: Some(20_000_000), monthly_rent: Some(700_000), ..Parameters::default() };
        let with = heard("he'd do 50m deposit and 590k. what yearly rate is that?", &before);
        assert_eq!((with.deposit, with.paid_rent), (Some(20_000_000), Some(700_000)));
        assert_eq!((with.keep, with.monthly_rent), (Some(50_000_000), Some(590_000)));
        let with = heard("if I put in 30m more deposit and the rent falls at 5% a year?", &before);
        assert_eq!(
            (with.keep, with.paid_rent, with.conversion_rate),
            (Some(50_000_000), Some(700_000), Some(0.05))
        );
        let with = heard("보증금 2천을 1천으로 내리고 연 6프로로 월세에 얹으면", &before);
        assert_eq!((with.deposit, with.keep), (Some(20_000_000), Some(10_000_000)));
    }

    #[test]
    fn a_share_that_is_lent_is_of_the_deposit_or_of_the_price() {
        let none = Parameters::default();
        let with = heard("전세 3억의 70프로를 대출받으려고요", &none);
        assert_eq!((with.deposit_lent, with.said_ltv), (Some(0.7), None));
        let leased = Parameters { deposit: Some(300_000_000), ..Parameters::default() };
        assert_eq!(heard("the bank will only lend 60%", &leased).deposit_lent, Some(0.6));
        let bought = Parameters { price: Some(300_000_000), ..Parameters::default() };
        assert_eq!(heard("the bank will only lend 60%", &bought).said_ltv, Some(0.6));
        assert_eq!(heard("70%까지 대출 되나요?", &leased).deposit_lent, None);
    }
}
