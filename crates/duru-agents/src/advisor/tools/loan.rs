//! How much may be borrowed: by the home's price (LTV), by income (DTI, DSR),
//! and by the cap on a price.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::Constants;
use super::repayment::{monthly_payment, principal_for};

/// Who borrows, for what.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Borrower {
    pub price: u64,
    pub annual_income: u64,
    /// What is paid in a year for other loans, principal and interest.
    pub other_repayments: u64,
    /// Of that, interest alone; DTI counts only this.
    pub other_interest: u64,
    /// 0.04 is 4 %.
    pub annual_rate: f64,
    pub years: u32,
    /// The home lies in a regulated area (규제지역).
    pub regulated: bool,
    /// It lies around the capital (수도권), where most of the same rules hold.
    pub capital: bool,
    /// A first home (생애최초).
    pub first_buyer: bool,
}

/// What sets the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitedBy {
    Ltv,
    Dti,
    Dsr,
    PriceCap,
}

/// How much may be borrowed, and why no more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoanLimit {
    pub limit: u64,
    pub limited_by: LimitedBy,
    pub by_ltv: u64,
    pub by_dti: u64,
    pub by_dsr: u64,
    pub by_price: Option<u64>,
    /// A month's level payment of the limit, at the asked rate.
    pub monthly_payment: u64,
    /// What the buyer must bring, without taxes and fees.
    pub own_money: u64,
    /// The limit as a share of the price, and of income.
    pub ltv: f64,
    pub dsr: f64,
    /// The day of the figures it rests on.
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

/// The limit for level payments, in won, rounded down to 10,000.
pub fn loan_limit(borrower: &Borrower, constants: &Constants) -> LoanLimit {
    let rules = &constants.lending;
    let regulated = borrower.regulated;
    let strict = regulated || borrower.capital;
    let share = match (borrower.first_buyer, regulated) {
        (true, _) if strict => rules.ltv.first_buyer_capital,
        (true, _) => rules.ltv.first_buyer_elsewhere,
        (false, true) => rules.ltv.regulated,
        (false, false) => rules.ltv.unregulated,
    };
    let rate = if borrower.annual_rate.is_finite() { borrower.annual_rate.clamp(0.0, 1.0) } else { 0.0 };
    let months = borrower.years.clamp(1, rules.longest_years) * 12;
    let income = borrower.annual_income as f64;
    // Rounded: 7억 × 0.7 is not 489,999,999.
    let by_ltv = (borrower.price as f64 * share).round() as u64;
    // DTI reckons with the real rate, DSR with the stressed one.
    let carried = |room: f64, rate: f64| principal_for(room.max(0.0) / 12.0, rate / 12.0, months) as u64;
    let by_dti = carried(income * rules.dti.of(regulated) - borrower.other_interest as f64, rate);
    let stress = if strict { rules.stress_rate.capital } else { rules.stress_rate.elsewhere };
    let by_dsr = carried(income * rules.dsr - borrower.other_repayments as f64, rate + stress);
    let by_price = strict
        .then(|| {
            let fits = |up_to: Option<u64>| up_to.is_none_or(|most| borrower.price <= most);
            rules.price_steps.iter().find(|step| fits(step.up_to)).map(|step| step.cap)
        })
        .flatten();
    let candidates = [
        (by_ltv, LimitedBy::Ltv),
        (by_dti, LimitedBy::Dti),
        (by_dsr, LimitedBy::Dsr),
        (by_price.unwrap_or(u64::MAX), LimitedBy::PriceCap),
    ];
    let (limit, limited_by) =
        candidates.into_iter().min_by_key(|(limit, _)| *limit).unwrap_or((0, LimitedBy::Ltv));
    let limit = limit / 10_000 * 10_000;
    let payment = monthly_payment(limit, rate / 12.0, months);
    let of = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    LoanLimit {
        limit,
        limited_by,
        by_ltv,
        by_dti,
        by_dsr,
        by_price,
        monthly_payment: payment.round() as u64,
        own_money: borrower.price.saturating_sub(limit),
        ltv: of(limit as f64, borrower.price as f64),
        dsr: of(payment * 12.0 + borrower.other_repayments as f64, income),
        as_of: constants.as_of,
    }
}

/// The dearest home that what somebody has and may borrow pay for, without taxes and fees; rounded down to 10 million.
pub(super) fn reach(has: u64, borrower: &Borrower, constants: &Constants) -> u64 {
    const STEP: u64 = 10_000_000;
    let at = |price: u64| loan_limit(&Borrower { price, ..*borrower }, constants);
    let carried = at(has);
    // Nobody is lent more than this, whatever the home costs.
    let most = carried.by_dsr.min(carried.by_dti).min(1_000 * STEP);
    // From above: a dearer home may be lent less.
    let mut price = has.saturating_add(most) / STEP * STEP;
    while price > has && price.saturating_sub(at(price).limit) > has {
        price -= STEP.min(price);
    }
    price.max(has)
}

/// What other loans cost a year: all of it, and the interest alone. The rules for DSR take a loan without security as
/// paid back over five years.
pub(super) fn yearly_cost(debt: u64, annual_rate: f64) -> (u64, u64) {
    const YEARS: u64 = 5;
    let interest = (debt as f64 * annual_rate.clamp(0.0, 1.0)).round() as u64;
    (debt / YEARS + interest, interest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_home_within_reach_by_hand() {
        let income = Borrower { annual_income: 70_000_000, annual_rate: 0.04, capital: true, ..borrower() };
        let constants = Constants::built_in();
        let price = reach(300_000_000, &income, constants);
        // One step further, cash and loan no longer suffice; here they do.
        let lacks = |price: u64| price - loan_limit(&Borrower { price, ..income }, constants).limit;
        assert!(lacks(price) <= 300_000_000 && lacks(price + 10_000_000) > 300_000_000, "{price}");
        // Without an income there is no loan: what one has is all.
        assert_eq!(reach(300_000_000, &Borrower { annual_income: 0, ..income }, constants), 300_000_000);
    }

    #[test]
    fn a_debt_of_fifty_million_costs_a_fifth_and_its_interest() {
        assert_eq!(yearly_cost(50_000_000, 0.055), (12_750_000, 2_750_000));
    }

    fn borrower() -> Borrower {
        Borrower {
            price: 1_000_000_000,
            annual_income: 60_000_000,
            other_repayments: 0,
            other_interest: 0,
            annual_rate: 0.04,
            years: 30,
            regulated: false,
            capital: false,
            first_buyer: false,
        }
    }

    #[test]
    fn income_limits_a_dear_home() {
        let limit = loan_limit(&borrower(), Constants::built_in());
        // LTV 70 %: 7억. DSR 40 %: 2,000,000 a month at 4.75 % over 30 years carries 383,40x,xxx.
        assert_eq!(limit.by_ltv, 700_000_000);
        let even = loan_limit(&Borrower { price: 700_000_000, ..borrower() }, Constants::built_in());
        assert_eq!(even.by_ltv, 490_000_000);
        assert_eq!(limit.limited_by, LimitedBy::Dsr);
        assert_eq!(limit.limit, 383_400_000);
        assert_eq!(limit.own_money, 616_600_000);
        assert!(limit.dsr < 0.40 && limit.by_price.is_none());
    }

    /// Since 2025-06-27 a first home around the capital is lent 70 %, and 6억 at most, regulated or not.
    #[test]
    fn around_the_capital_the_rules_are_strict_everywhere() {
        let first = Borrower { annual_income: 500_000_000, capital: true, first_buyer: true, ..borrower() };
        let limit = loan_limit(&first, Constants::built_in());
        assert_eq!((limit.by_ltv, limit.by_price), (700_000_000, Some(600_000_000)));
        assert_eq!(limit.limited_by, LimitedBy::PriceCap);
        let elsewhere = loan_limit(&Borrower { capital: false, ..first }, Constants::built_in());
        assert_eq!((elsewhere.by_ltv, elsewhere.by_price), (800_000_000, None));
    }

    #[test]
    fn price_limits_a_high_income_in_a_regulated_area() {
        let rich = Borrower { annual_income: 500_000_000, regulated: true, ..borrower() };
        let limit = loan_limit(&rich, Constants::built_in());
        assert_eq!((limit.limit, limit.limited_by), (400_000_000, LimitedBy::Ltv));
        let dear = Borrower { price: 3_000_000_000, ..rich };
        let limit = loan_limit(&dear, Constants::built_in());
        assert_eq!((limit.limit, limit.limited_by), (200_000_000, LimitedBy::PriceCap));
    }

    #[test]
    fn other_debts_and_no_income_leave_nothing() {
        let owing = Borrower { other_repayments: 30_000_000, ..borrower() };
        assert_eq!(loan_limit(&owing, Constants::built_in()).limit, 0);
        let none = Borrower { annual_income: 0, price: 0, annual_rate: f64::NAN, ..borrower() };
        assert_eq!(loan_limit(&none, Constants::built_in()).limit, 0);
    }
}
