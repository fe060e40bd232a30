//! How much may be lent, and what it costs a month.

use std::sync::Arc;

use async_trait::async_trait;

use crate::advisor::tools::constants::Constants;
use crate::advisor::tools::loan::{Borrower, loan_limit, reach, yearly_cost};
use crate::advisor::tools::repayment::{Plan, Repayment, schedule};
use crate::advisor::tools::report::{Level, LimitView, RepaymentView, Report};
use crate::advisor::tools::tool::{Calculation, Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::{Deal, Group, LoanKind};

/// More than anybody earns: the limit by income is then no limit.
const NO_LIMIT: u64 = 1_000_000_000_000;
const YEARS: u32 = 30;

pub(super) struct LoanSimulator {
    constants: Arc<Constants>,
}

impl LoanSimulator {
    pub(super) fn new(constants: Arc<Constants>) -> Self {
        Self { constants }
    }
}

#[async_trait]
impl Tool for LoanSimulator {
    fn name(&self) -> &str {
        "loan_simulator"
    }

    async fn call(&self, asked: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let mut found = Found { quality: 0.9, ..Found::default() };
        let wants = |calculation| asked.calculations.contains(&calculation);
        let mut limit = None;
        if wants(Calculation::LoanLimit) || !wants(Calculation::Repayment) {
            match self.limit(asked, given) {
                Some(view) => {
                    if asked.income.is_none() {
                        found.wanting.push("income".to_owned());
                    }
                    limit = Some(view.limit.limit);
                    found.reports.push(Report::LoanLimit(view));
                }
                None => found.wanting.push("price".to_owned()),
            }
        }
        // What would be lent is what is paid back, unless a sum was said.
        match asked.loan.or(limit) {
            Some(principal) if principal > 0 => {
                // Before a change of the rate, and after it.
                if let Some(before) = asked.rate_before {
                    let asked = Parameters { rate: Some(before), ..asked.clone() };
                    found.reports.push(Report::Repayment(self.repayment(&asked, principal)));
                }
                found.reports.push(Report::Repayment(self.repayment(asked, principal)));
                // 30 and 40 years, side by side.
                for years in &asked.other_years {
                    let asked = Parameters { years: Some(*years), ..asked.clone() };
                    found.reports.push(Report::Repayment(self.repayment(&asked, principal)));
                }
            }
            _ if wants(Calculation::Repayment) => found.wanting.push("loan".to_owned()),
            _ => {}
        }
        if found.reports.is_empty() {
            found.quality = 0.5;
        }
        Ok(found)
    }
}

impl LoanSimulator {
    /// What banks ask for such a loan.
    fn rate(&self, asked: &Parameters) -> f64 {
        let kind = if is_jeonse(asked) { LoanKind::Jeonse } else { LoanKind::Mortgage };
        let bank = self
            .constants
            .products()
            .iter()
            .rfind(|product| product.kind == kind && product.groups.is_empty());
        // The tenth of a per cent is as fine as an assumption gets.
        bank.map_or(0.04, |bank| (f64::midpoint(bank.rate.0, bank.rate.1) * 1000.0).round() / 1000.0)
    }

    fn limit(&self, asked: &Parameters, given: &[Used]) -> Option<LimitView> {
        let mut assumed = Vec::new();
        let region = asked.regions.first();
        let by_place = || region.is_some_and(|region| self.constants.is_regulated(region));
        let regulated = asked.regulated.unwrap_or_else(by_place);
        // Where nobody says where, the stricter rules: a promise that does not hold is worse than a pleasant surprise.
        let capital = region.is_none_or(|region| self.constants.is_capital(region));
        if region.is_none() {
            assumed.push("unregulated".to_owned());
        }
        let debt = asked.debt.unwrap_or(0);
        for (name, said) in [
            ("rate", asked.rate.is_some()),
            ("years", asked.years.is_some()),
            ("no_other_debt", debt > 0 || asked.other_repayments.is_some()),
            ("debt_unsecured", debt == 0),
        ] {
            if !said {
                assumed.push(name.to_owned());
            }
        }
        let (mut other_repayments, mut other_interest) = yearly_cost(debt, self.credit_rate());
        other_repayments += asked.other_repayments.unwrap_or(0);
        other_interest += asked.other_interest.unwrap_or(0);
        let mut borrower = Borrower {
            price: 0,
            annual_income: asked.income.unwrap_or(NO_LIMIT),
            other_repayments,
            other_interest,
            annual_rate: asked.rate.unwrap_or_else(|| self.rate(asked)),
            years: asked.years.unwrap_or(YEARS),
            regulated,
            capital,
            first_buyer: asked.groups.contains(&Group::FirstBuyer),
        };
        // How far money and income reach is known where both are said.
        let has = asked.own_money.filter(|_| asked.income.is_some());
        let within_reach = has.map(|has| reach(has, &borrower, &self.constants));
        let level = sale_level(given).filter(|_| region.is_some() || within_reach.is_none());
        borrower.price = match (asked.price, level, within_reach) {
            (Some(price), ..) => price,
            (None, Some(level), _) => {
                assumed.insert(0, "price_from_market".to_owned());
                level.median
            }
            (None, None, price) => price?,
        };
        let limit = loan_limit(&borrower, &self.constants);
        let by_rule = limit.by_ltv as f64 / borrower.price.max(1) as f64;
        if let Some(said) = asked.said_ltv.filter(|said| (said - by_rule).abs() > 0.001) {
            assumed.push(format!("ltv_by_rule:{:.0}:{:.0}", said * 100.0, by_rule * 100.0));
        }
        let source = self.constants.lending_source().to_owned();
        Some(LimitView { borrower, limit, has: asked.own_money, reach: within_reach, assumed, source })
    }

    /// What banks ask for a loan without security.
    fn credit_rate(&self) -> f64 {
        let credit = self.constants.products().iter().rfind(|product| product.kind == LoanKind::Credit);
        credit.map_or(0.055, |product| f64::midpoint(product.rate.0, product.rate.1))
    }

    fn repayment(&self, asked: &Parameters, principal: u64) -> RepaymentView {
        let rate = asked.rate.unwrap_or_else(|| self.rate(asked));
        let years = asked.years.unwrap_or(YEARS);
        let by = |plan| schedule(&Repayment { principal, annual_rate: rate, months: years * 12, plan });
        let (level, even) = (by(Plan::EqualPayment), by(Plan::EqualPrincipal));
        let paid =
            |at: Option<&crate::advisor::tools::Instalment>| at.map_or(0, |instalment| instalment.payment());
        let mut assumed = Vec::new();
        if asked.rate.is_none() {
            assumed.push(if is_jeonse(asked) { "rate_jeonse" } else { "rate" }.to_owned());
        }
        if asked.years.is_none() && !is_jeonse(asked) {
            assumed.push("years".to_owned());
        }
        RepaymentView {
            principal,
            rate,
            years,
            monthly: paid(level.instalments.first()),
            total_interest: level.total_interest,
            first_month: paid(even.instalments.first()),
            last_month: paid(even.instalments.last()),
            principal_interest: even.total_interest,
            interest: (principal as f64 * rate / 12.0).round() as u64,
            interest_only: asked.interest_only || is_jeonse(asked),
            level_principal: asked.level_principal,
            assumed,
        }
    }
}

fn is_jeonse(asked: &Parameters) -> bool {
    asked.loans.first() == Some(&LoanKind::Jeonse)
}

/// What homes cost by the newest search.
pub(super) fn sale_level(given: &[Used]) -> Option<&Level> {
    level(given, Deal::Sale)
}

pub(super) fn level(given: &[Used], deal: Deal) -> Option<&Level> {
    given.iter().rev().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::Level(level) if level.deal == deal => Some(level),
        _ => None,
    })
}
