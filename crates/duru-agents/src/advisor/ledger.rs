//! The ledger of a conversation: every figure that was said or worked out, with where it is from and when it was said.
//! What is said again replaces one entry, and whatever rests on it is worked out anew.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sums::Sum;
use super::tools::{Calculation, Parameters};
use super::understand::region::Region;
use super::understand::{DataKind, Deal, Group, Intent, LoanKind, Property, Role, Subject};

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

/// What stands in an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Won(u64),
    /// What is to be spent, and on which deals; on any where nobody said.
    Budget {
        won: u64,
        deals: Vec<Deal>,
    },
    Share(f64),
    Years(u32),
    Months(u32),
    Homes(u32),
    SquareMetres(f64),
    Flag(bool),
    Places(Vec<Region>),
    Properties(Vec<Property>),
    Loans(Vec<LoanKind>),
    Groups(Vec<Group>),
    Subjects(Vec<Subject>),
}

/// Where an entry is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Said,
    WorkedOut,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    pub what: What,
    pub value: Value,
    pub source: Source,
    /// The number of the question that it is from.
    pub turn: usize,
    /// When that was asked.
    pub at: String,
}

/// The entries, and what was last worked out from them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Ledger {
    pub entries: Vec<Entry>,
    pub calculations: Vec<Calculation>,
    /// Only interest is paid until the loan ends.
    pub interest_only: bool,
    /// Plain sums that were reckoned last.
    pub sums: Vec<Sum>,
    /// What that question wanted, the data it rested on, and its number.
    pub intent: Option<Intent>,
    pub required: Vec<DataKind>,
    pub turn: usize,
}

impl What {
    /// What is a sum of money, a share, a number of something.
    const SUMS: [Self; 22] = [
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
        Self::MonthlyCosts,
        Self::ExtraCosts,
        Self::Expenses,
        Self::PartnerIncome,
    ];
    const SHARES: [Self; 7] = [
        Self::Rate,
        Self::DownShare,
        Self::ConversionRate,
        Self::TaxShare,
        Self::Vacancy,
        Self::SaidLtv,
        Self::SaidDsr,
    ];
    const COUNTS: [Self; 6] =
        [Self::Years, Self::Term, Self::Held, Self::Lived, Self::HomesHeld, Self::Homes];

    /// Where tools are asked with this sum.
    fn sum(self, asked: &mut Parameters) -> Option<&mut Option<u64>> {
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
            Self::OfficialPrice => &mut asked.official_price,
            Self::OtherRepayments => &mut asked.other_repayments,
            Self::OtherInterest => &mut asked.other_interest,
            Self::LoanPayments => &mut asked.loan_payments,
            Self::Keep => &mut asked.keep,
            Self::PaidRent => &mut asked.paid_rent,
            Self::PaidDown => &mut asked.paid_down,
            Self::MonthlyCosts => &mut asked.monthly_costs,
            Self::ExtraCosts => &mut asked.extra_costs,
            Self::Expenses => &mut asked.expenses,
            Self::PartnerRepayments => &mut asked.partner_repayments,
            Self::OtherDeposits => &mut asked.other_deposits,
            _ => return None,
        })
    }

    fn share(self, asked: &mut Parameters) -> Option<&mut Option<f64>> {
        Some(match self {
            Self::Rate => &mut asked.rate,
            Self::DownShare => &mut asked.down_share,
            Self::ConversionRate => &mut asked.conversion_rate,
            Self::TaxShare => &mut asked.tax_share,
            Self::Vacancy => &mut asked.vacancy,
            Self::SaidLtv => &mut asked.said_ltv,
            Self::SaidDsr => &mut asked.said_dsr,
            _ => return None,
        })
    }

    fn count(self, asked: &mut Parameters) -> Option<&mut Option<u32>> {
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
    fn counted(self, count: u32) -> Value {
        match self {
            Self::Term | Self::Held => Value::Months(count),
            Self::Homes | Self::HomesHeld => Value::Homes(count),
            _ => Value::Years(count),
        }
    }

    /// Has tools be asked with this.
    pub(super) fn set(self, asked: &mut Parameters, value: &Value) {
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
    pub(super) fn fill(asked: &mut Parameters, before: &Parameters) {
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
            Role::MonthlyCosts => Self::MonthlyCosts,
            Role::Extra => Self::ExtraCosts,
            Role::Expense => Self::Expenses,
            Role::Unsaid => return None,
        })
    }

    /// The other way round.
    fn role(self) -> Option<Role> {
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
            Role::MonthlyCosts,
            Role::Extra,
            Role::Expense,
        ];
        roles.into_iter().find(|role| Self::of(*role) == Some(self))
    }

    /// Does it belong to the home that was spoken of, rather than to the person?
    pub(super) fn is_of_home(self) -> bool {
        matches!(
            self,
            Self::Resale
                | Self::Keep
                | Self::PaidRent
                | Self::PaidDown
                | Self::DownShare
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
    pub(super) fn serves(self, calculation: Calculation) -> bool {
        use Calculation::{
            AcquisitionTax, Brokerage, CapitalGains, ComprehensiveTax, Conversion, Increase, LoanLimit,
            PropertyTax, Registration, Repayment, Returns,
        };
        match self {
            Self::Income | Self::Debt | Self::OtherRepayments => calculation == LoanLimit,
            Self::Resale => matches!(calculation, CapitalGains | Returns),
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

impl Ledger {
    /// Writes what was said; each thing takes the place of what was said of it before.
    pub(super) fn enter(&mut self, said: &Parameters, source: Source, turn: usize, at: &str) {
        for (what, value) in values(said) {
            let entry = Entry { what, value, source, turn, at: at.to_owned() };
            match self.entries.iter_mut().find(|known| known.what == what) {
                // What is as it was keeps its day.
                Some(known) if known.value == entry.value => {}
                Some(known) => *known = entry,
                None => self.entries.push(entry),
            }
        }
    }

    /// Another home is spoken of: what belonged to the last one is gone.
    pub(super) fn leave_home(&mut self) {
        self.entries.retain(|entry| !entry.what.is_of_home());
    }

    pub(super) fn remove(&mut self, what: What) {
        self.entries.retain(|entry| entry.what != what);
    }

    /// The entries as tools are asked with them.
    pub(super) fn parameters(&self) -> Parameters {
        let mut asked = Parameters::default();
        for entry in &self.entries {
            entry.what.set(&mut asked, &entry.value);
        }
        asked
    }

    /// Did somebody say it, rather than that it was worked out?
    pub(super) fn said(&self, what: What) -> bool {
        self.entries.iter().any(|entry| entry.what == what && entry.source == Source::Said)
    }

    /// What a sum most likely is that is said without a name: what was said that comes nearest to it, if anything does.
    pub(super) fn nearest(&self, won: u64) -> Option<Role> {
        const FAR: f64 = 3.0;
        let apart = |known: u64| {
            let (a, b) = (won.max(1) as f64, known.max(1) as f64);
            a.max(b) / a.min(b)
        };
        let sums = self.entries.iter().filter(|entry| entry.source == Source::Said);
        let sums = sums.filter_map(|entry| match entry.value {
            Value::Won(known) => Some((entry.what.role()?, apart(known))),
            _ => None,
        });
        let (role, apart) = sums.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (apart < FAR).then_some(role)
    }

    /// Does an entry hold this sum?
    pub(super) fn holds(&self, won: u64) -> bool {
        self.what_of(won).is_some()
    }

    /// What this sum is of; the newest where two are as high.
    pub(super) fn what_of(&self, won: u64) -> Option<What> {
        let held = self.entries.iter().filter(|entry| entry.value == Value::Won(won));
        held.max_by_key(|entry| entry.turn).map(|entry| entry.what)
    }

    /// What a sum is that takes the place of this one: "3억 말고 2억".
    pub(super) fn role_of(&self, won: u64) -> Option<Role> {
        self.what_of(won)?.role()
    }
}

/// Whatever is said in parameters.
pub(super) fn values(said: &Parameters) -> Vec<(What, Value)> {
    let mut said = said.clone();
    let mut values: Vec<(What, Value)> = Vec::new();
    for what in What::SUMS {
        values.extend(what.sum(&mut said).and_then(|slot| *slot).map(|won| (what, Value::Won(won))));
    }
    for what in What::SHARES {
        values.extend(what.share(&mut said).and_then(|slot| *slot).map(|share| (what, Value::Share(share))));
    }
    for what in What::COUNTS {
        values.extend(what.count(&mut said).and_then(|slot| *slot).map(|count| (what, what.counted(count))));
    }
    values.extend(said.regulated.map(|regulated| (What::Regulated, Value::Flag(regulated))));
    values.extend(said.area.map(|area| (What::Area, Value::SquareMetres(area))));
    let mut list = |what, value, empty: bool| {
        if !empty {
            values.push((what, value));
        }
    };
    list(What::Place, Value::Places(said.regions.clone()), said.regions.is_empty());
    list(What::Property, Value::Properties(said.properties.clone()), said.properties.is_empty());
    list(What::LoanKind, Value::Loans(said.loans.clone()), said.loans.is_empty());
    list(What::Group, Value::Groups(said.groups.clone()), said.groups.is_empty());
    list(What::Subject, Value::Subjects(said.subjects.clone()), said.subjects.is_empty());
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_takes_the_place_of_one_entry() {
        let mut ledger = Ledger::default();
        let said =
            Parameters { price: Some(600), income: Some(70), years: Some(30), ..Parameters::default() };
        ledger.enter(&said, Source::Said, 1, "then");
        let again = Parameters { price: Some(700), income: Some(70), ..Parameters::default() };
        ledger.enter(&again, Source::Said, 2, "now");
        let entry = |what| ledger.entries.iter().find(|entry| entry.what == what).unwrap();
        assert_eq!((entry(What::Price).value.clone(), entry(What::Price).turn), (Value::Won(700), 2));
        assert_eq!((entry(What::Income).turn, entry(What::Years).turn), (1, 1));
        let asked = ledger.parameters();
        assert_eq!((asked.price, asked.income, asked.years), (Some(700), Some(70), Some(30)));
        assert_eq!((ledger.role_of(700), ledger.role_of(70)), (Some(Role::Price), Some(Role::Income)));
        ledger.leave_home();
        assert_eq!((ledger.parameters().price, ledger.parameters().income), (None, Some(70)));
    }
}
