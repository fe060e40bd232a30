//! How a loan is paid back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// 원리금균등: the same sum every month.
    EqualPayment,
    /// 원금균등: the same principal every month, interest on what is left.
    EqualPrincipal,
    /// 만기일시: interest only, the principal at the end.
    Bullet,
}

/// A loan to be paid back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Repayment {
    pub principal: u64,
    /// A year's interest: 0.04 is 4 %.
    pub annual_rate: f64,
    pub months: u32,
    pub plan: Plan,
}

/// One month's payment, in won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instalment {
    pub month: u32,
    pub principal: u64,
    pub interest: u64,
    pub left: u64,
}

impl Instalment {
    pub fn payment(&self) -> u64 {
        self.principal + self.interest
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Schedule {
    pub instalments: Vec<Instalment>,
    pub total_interest: u64,
}

/// The longest schedule: fifty years.
const MOST_MONTHS: u32 = 600;

/// Every payment of a loan; the last one takes what rounding left. Months are
/// taken as at least 1 and at most 600, a rate outside 0 to 1 as its nearest bound.
pub fn schedule(loan: &Repayment) -> Schedule {
    let months = loan.months.clamp(1, MOST_MONTHS);
    let rate = if loan.annual_rate.is_finite() { loan.annual_rate.clamp(0.0, 1.0) / 12.0 } else { 0.0 };
    let level = monthly_payment(loan.principal, rate, months);
    let mut left = loan.principal;
    let mut instalments = Vec::with_capacity(months as usize);
    for month in 1..=months {
        let interest = (left as f64 * rate).round() as u64;
        let principal = match loan.plan {
            _ if month == months => left,
            Plan::EqualPayment => (level.round() as u64).saturating_sub(interest).min(left),
            Plan::EqualPrincipal => (loan.principal as f64 / f64::from(months)).round() as u64,
            Plan::Bullet => 0,
        };
        let principal = principal.min(left);
        left -= principal;
        instalments.push(Instalment { month, principal, interest, left });
    }
    let total_interest = instalments.iter().map(|instalment| instalment.interest).sum();
    Schedule { instalments, total_interest }
}

/// The level payment of a month, unrounded. `rate` is a month's.
pub(in crate::advisor) fn monthly_payment(principal: u64, rate: f64, months: u32) -> f64 {
    let principal = principal as f64;
    if rate <= 0.0 {
        return principal / f64::from(months.max(1));
    }
    let growth = (1.0 + rate).powi(i32::try_from(months).unwrap_or(i32::MAX));
    principal * rate * growth / (growth - 1.0)
}

/// The principal that a level monthly payment carries. `rate` is a month's.
pub(in crate::advisor) fn principal_for(payment: f64, rate: f64, months: u32) -> f64 {
    if rate <= 0.0 {
        return payment * f64::from(months);
    }
    let growth = (1.0 + rate).powi(i32::try_from(months).unwrap_or(i32::MAX));
    payment * (growth - 1.0) / (rate * growth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loan(plan: Plan, principal: u64, annual_rate: f64, months: u32) -> Schedule {
        schedule(&Repayment { principal, annual_rate, months, plan })
    }

    #[test]
    fn the_plans_by_hand() {
        // 3억, 4 %, 30 years: 300,000,000 × 0.00333… × 1.00333…^360 / (1.00333…^360 − 1) = 1,432,246.
        let level = loan(Plan::EqualPayment, 300_000_000, 0.04, 360);
        assert_eq!(level.instalments[0].payment(), 1_432_246);
        assert_eq!(level.instalments[0].interest, 1_000_000);
        // 1.2억, 6 %, 12 months: 10,000,000 a month; interest 600,000 falling by 50,000: 3,900,000 in all.
        let principal = loan(Plan::EqualPrincipal, 120_000_000, 0.06, 12);
        assert_eq!(principal.instalments[0].payment(), 10_600_000);
        assert_eq!(principal.instalments[11].interest, 50_000);
        assert_eq!(principal.total_interest, 3_900_000);
        // 1억, 5 %, 24 months: 416,667 each month, the principal at the end.
        let bullet = loan(Plan::Bullet, 100_000_000, 0.05, 24);
        assert_eq!(bullet.instalments[0].payment(), 416_667);
        assert_eq!(bullet.instalments[23].payment(), 100_416_667);
    }

    #[test]
    fn everything_is_paid_back_whatever_is_asked() {
        for plan in [Plan::EqualPayment, Plan::EqualPrincipal, Plan::Bullet] {
            for (principal, rate, months) in
                [(0, 0.04, 12), (1, 0.99, 600), (777_777_777, 0.0, 7), (5, f64::NAN, 0)]
            {
                let schedule = loan(plan, principal, rate, months);
                assert_eq!(schedule.instalments.iter().map(|i| i.principal).sum::<u64>(), principal);
                assert_eq!(schedule.instalments.last().map(|i| i.left), Some(0));
            }
        }
    }
}
