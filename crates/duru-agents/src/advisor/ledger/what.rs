//! What an entry is about, and where tools are asked with it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Value;
use crate::advisor::tools::{Calculation, Parameters};
use crate::advisor::understand::Role;

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Place,
    Property,
    Area,
    Price,
    Deposit,
    MonthlyRent,
    /// What others may claim from the home before a tenant.
    PriorClaims,
    Loan,
    Income,
    /// What of that a wife or husband earns, and of other repayments pays.
    PartnerIncome,
    PartnerRepayments,
    /// What other tenants paid in before.
    OtherDeposits,
    /// Whether the home lies in a regulated area, where somebody says so.
    Regulated,
    Debt,
    OwnMoney,
    /// What somebody means to spend. A limit of searches, not a figure of calculations: only facts hold it.
    Budget,
    /// What a home is or was sold for.
    Resale,
    /// What was gained by that, where only that is said.
    Gain,
    /// 공시가격.
    OfficialPrice,
    /// What is paid back in a year for other loans.
    OtherRepayments,
    /// What is paid in a year as interest for other loans, and what for the loan itself.
    OtherInterest,
    LoanPayments,
    /// What of a deposit stays, and the rent that is paid beside it now.
    Keep,
    PaidRent,
    /// What was paid of a price or deposit already, as a sum and as a share.
    PaidDown,
    DownShare,
    /// What is paid between that and the balance.
    Middle,
    /// What is given, what was given before, and to whom.
    Gift,
    EarlierGift,
    GiftTerms,
    /// What share of a deposit is lent.
    DepositLent,
    /// What is paid beside a rent each month.
    MonthlyCosts,
    /// What was spent on a home beside its price, and what a gain is less by.
    ExtraCosts,
    Expenses,
    ConversionRate,
    /// A tax as a share of the price, where somebody reckons with one.
    TaxShare,
    Vacancy,
    SaidLtv,
    SaidDsr,
    /// How many months something takes or is owed for.
    Term,
    /// How long a home was held, in months, and lived in.
    Held,
    Lived,
    /// How many homes somebody has.
    HomesHeld,
    Rate,
    Years,
    LoanKind,
    Group,
    Homes,
    Subject,
}

impl What {
    /// What is a sum of money, a share, a number of something.
    pub(super) const SUMS: [Self; 26] = [
        Self::Gift,
        Self::EarlierGift,
        Self::Gain,
        Self::PartnerRepayments,
        Self::OtherDeposits,
        Self::Price,
        Self::Deposit,
        Self::MonthlyRent,
        Self::PriorClaims,
        Self::Loan,
        Self::Income,
        Self::Debt,
        Self::OwnMoney,
        Self::Resale,
        Self::OfficialPrice,
        Self::OtherRepayments,
        Self::OtherInterest,
        Self::LoanPayments,
        Self::Keep,
        Self::PaidRent,
        Self::PaidDown,
        Self::Middle,
        Self::MonthlyCosts,
        Self::ExtraCosts,
        Self::Expenses,
        Self::PartnerIncome,
    ];
    pub(super) const SHARES: [Self; 8] = [
        Self::DepositLent,
        Self::Rate,
        Self::DownShare,
        Self::ConversionRate,
        Self::TaxShare,
        Self::Vacancy,
        Self::SaidLtv,
        Self::SaidDsr,
    ];
    pub(super) const COUNTS: [Self; 6] =
        [Self::Years, Self::Term, Self::Held, Self::Lived, Self::HomesHeld, Self::Homes];

    /// Where tools are asked with this sum.
    pub(super) fn sum(self, asked: &mut Parameters) -> Option<&mut Option<u64>> {
        Some(match self {
            Self::Price => &mut asked.price,
            Self::Deposit => &mut asked.deposit,
            Self::MonthlyRent => &mut asked.monthly_rent,
            Self::PriorClaims => &mut asked.prior_claims,
            Self::Loan => &mut asked.loan,
            Self::Income => &mut asked.income,
            Self::PartnerIncome => &mut asked.partner_income,
            Self::Debt => &mut asked.debt,
            Self::OwnMoney => &mut asked.own_money,
            Self::Resale => &mut asked.resale,
            Self::Gain => &mut asked.gain,
            Self::OfficialPrice => &mut asked.official_price,
            Self::OtherRepayments => &mut asked.other_repayments,
            Self::OtherInterest => &mut asked.other_interest,
            Self::LoanPayments => &mut asked.loan_payments,
            Self::Keep => &mut asked.keep,
            Self::PaidRent => &mut asked.paid_rent,
            Self::PaidDown => &mut asked.paid_down,
            Self::Middle => &mut asked.middle,
            Self::Gift => &mut asked.gift,
            Self::EarlierGift => &mut asked.earlier_gifts,
            Self::MonthlyCosts => &mut asked.monthly_costs,
            Self::ExtraCosts => &mut asked.extra_costs,
            Self::Expenses => &mut asked.expenses,
            Self::PartnerRepayments => &mut asked.partner_repayments,
            Self::OtherDeposits => &mut asked.other_deposits,
            _ => return None,
        })
    }

    pub(super) fn share(self, asked: &mut Parameters) -> Option<&mut Option<f64>> {
        Some(match self {
            Self::Rate => &mut asked.rate,
            Self::DownShare => &mut asked.down_share,
            Self::DepositLent => &mut asked.deposit_lent,
            Self::ConversionRate => &mut asked.conversion_rate,
            Self::TaxShare => &mut asked.tax_share,
            Self::Vacancy => &mut asked.vacancy,
            Self::SaidLtv => &mut asked.said_ltv,
            Self::SaidDsr => &mut asked.said_dsr,
            _ => return None,
        })
    }

    pub(super) fn count(self, asked: &mut Parameters) -> Option<&mut Option<u32>> {
        Some(match self {
            Self::Years => &mut asked.years,
            Self::Term => &mut asked.months,
            Self::Held => &mut asked.held_months,
            Self::Lived => &mut asked.lived_years,
            Self::HomesHeld => &mut asked.homes,
            Self::Homes => &mut asked.homes_after,
            _ => return None,
        })
    }

    /// A number of this as it stands in an entry.
    pub(super) fn counted(self, count: u32) -> Value {
        match self {
            Self::Term | Self::Held => Value::Months(count),
            Self::Homes | Self::HomesHeld => Value::Homes(count),
            _ => Value::Years(count),
        }
    }

    /// Has tools be asked with this.
    pub(in crate::advisor) fn set(self, asked: &mut Parameters, value: &Value) {
        match value {
            Value::Won(won) => {
                if let Some(slot) = self.sum(asked) {
                    *slot = Some(*won);
                }
            }
            Value::Share(share) => {
                if let Some(slot) = self.share(asked) {
                    *slot = Some(*share);
                }
            }
            Value::Years(count) | Value::Months(count) | Value::Homes(count) => {
                if let Some(slot) = self.count(asked) {
                    *slot = Some(*count);
                }
            }
            Value::Budget { won, .. } => asked.most_price = Some(*won),
            Value::GiftTerms(terms) => asked.gift_terms = Some(*terms),
            Value::SquareMetres(area) => asked.area = Some(*area),
            Value::Flag(regulated) => asked.regulated = Some(*regulated),
            Value::Places(places) => asked.regions.clone_from(places),
            Value::Properties(properties) => asked.properties.clone_from(properties),
            Value::Loans(loans) => asked.loans.clone_from(loans),
            Value::Groups(groups) => asked.groups.clone_from(groups),
            Value::Subjects(subjects) => asked.subjects.clone_from(subjects),
        }
    }

    /// What of this is not said is as it was.
    pub(in crate::advisor) fn fill(asked: &mut Parameters, before: &Parameters) {
        let mut before = before.clone();
        for what in Self::SUMS {
            if let (Some(slot), Some(known)) = (what.sum(asked), what.sum(&mut before)) {
                *slot = slot.or(*known);
            }
        }
        for what in Self::SHARES {
            if let (Some(slot), Some(known)) = (what.share(asked), what.share(&mut before)) {
                *slot = slot.or(*known);
            }
        }
        asked.regulated = asked.regulated.or(before.regulated);
        asked.gift_terms = asked.gift_terms.or(before.gift_terms);
        for what in Self::COUNTS {
            if let (Some(slot), Some(known)) = (what.count(asked), what.count(&mut before)) {
                *slot = slot.or(*known);
            }
        }
    }

    /// What a sum of this role is.
    fn of(role: Role) -> Option<Self> {
        Some(match role {
            Role::Price => Self::Price,
            Role::Deposit => Self::Deposit,
            Role::MonthlyRent => Self::MonthlyRent,
            Role::Loan => Self::Loan,
            Role::Debt => Self::Debt,
            Role::Income => Self::Income,
            Role::Budget => Self::OwnMoney,
            Role::Prior => Self::PriorClaims,
            Role::Resale => Self::Resale,
            Role::Official => Self::OfficialPrice,
            Role::YearlyRepayment => Self::OtherRepayments,
            Role::OtherDeposits => Self::OtherDeposits,
            Role::YearlyInterest => Self::OtherInterest,
            Role::LoanPayments => Self::LoanPayments,
            Role::PaidDown => Self::PaidDown,
            Role::Middle => Self::Middle,
            Role::Gift => Self::Gift,
            Role::EarlierGift => Self::EarlierGift,
            Role::MonthlyCosts => Self::MonthlyCosts,
            Role::Extra => Self::ExtraCosts,
            Role::Expense => Self::Expenses,
            Role::Gain => Self::Gain,
            Role::MonthlyRepayment | Role::Spared | Role::Unsaid => return None,
        })
    }

    /// The other way round.
    pub(super) fn role(self) -> Option<Role> {
        let roles = [
            Role::Price,
            Role::Deposit,
            Role::MonthlyRent,
            Role::Loan,
            Role::Debt,
            Role::Income,
            Role::Budget,
            Role::Prior,
            Role::Resale,
            Role::Official,
            Role::YearlyRepayment,
            Role::YearlyInterest,
            Role::OtherDeposits,
            Role::LoanPayments,
            Role::PaidDown,
            Role::Middle,
            Role::Gift,
            Role::EarlierGift,
            Role::MonthlyCosts,
            Role::Extra,
            Role::Expense,
            Role::Gain,
        ];
        roles.into_iter().find(|role| Self::of(*role) == Some(self))
    }

    /// Does it belong to the home that was spoken of, rather than to the person?
    pub(in crate::advisor) fn is_of_home(self) -> bool {
        matches!(
            self,
            Self::Resale
                | Self::Gain
                | Self::Keep
                | Self::PaidRent
                | Self::PaidDown
                | Self::DownShare
                | Self::Middle
                | Self::DepositLent
                | Self::MonthlyCosts
                | Self::ExtraCosts
                | Self::TaxShare
                | Self::Vacancy
                | Self::ConversionRate
                | Self::OtherDeposits
                | Self::Regulated
                | Self::OfficialPrice
                | Self::Held
                | Self::Lived
                | Self::Place
                | Self::Property
                | Self::Area
                | Self::Price
                | Self::Deposit
                | Self::MonthlyRent
                | Self::PriorClaims
        )
    }

    /// Does such a calculation rest on it?
    pub(in crate::advisor) fn serves(self, calculation: Calculation) -> bool {
        use Calculation::{
            AcquisitionTax, Brokerage, CapitalGains, ComprehensiveTax, Conversion, Increase, LoanLimit,
            PropertyTax, Registration, Repayment, Returns,
        };
        match self {
            Self::Income | Self::Debt | Self::OtherRepayments => calculation == LoanLimit,
            Self::Resale => matches!(calculation, CapitalGains | Returns),
            Self::Gain => calculation == CapitalGains,
            Self::OfficialPrice => matches!(calculation, PropertyTax | ComprehensiveTax | Registration),
            Self::Held | Self::Lived => matches!(calculation, CapitalGains | ComprehensiveTax),
            Self::HomesHeld => matches!(calculation, CapitalGains | PropertyTax | ComprehensiveTax),
            Self::OwnMoney => matches!(calculation, LoanLimit | Returns),
            Self::Rate | Self::Years => matches!(calculation, LoanLimit | Repayment | Returns),
            Self::Loan => calculation == Repayment,
            Self::Price => matches!(
                calculation,
                LoanLimit
                    | Returns
                    | AcquisitionTax
                    | Brokerage
                    | CapitalGains
                    | PropertyTax
                    | ComprehensiveTax
                    | Registration
            ),
            Self::Deposit | Self::MonthlyRent => {
                matches!(calculation, Returns | Brokerage | Increase | Conversion)
            }
            Self::Homes => matches!(calculation, AcquisitionTax | Registration),
            Self::Group => calculation == LoanLimit,
            _ => false,
        }
    }
}
