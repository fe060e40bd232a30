//! The ledger of a conversation: every figure that was said or worked out, with where it is from and when it was said.
//! What is said again replaces one entry, and whatever rests on it is worked out anew.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tools::{Calculation, Parameters};
use super::understand::region::Region;
use super::understand::{DataKind, Group, Intent, LoanKind, Property, Role, Subject};

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
    Debt,
    OwnMoney,
    /// What a home is or was sold for.
    Resale,
    /// 공시가격.
    OfficialPrice,
    /// What is paid back in a year for other loans.
    OtherRepayments,
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
    Share(f64),
    Years(u32),
    Months(u32),
    Homes(u32),
    SquareMetres(f64),
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
    /// What that question wanted, the data it rested on, and its number.
    pub intent: Option<Intent>,
    pub required: Vec<DataKind>,
    pub turn: usize,
}

impl What {
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
        ];
        roles.into_iter().find(|role| Self::of(*role) == Some(self))
    }

    /// Does it belong to the home that was spoken of, rather than to the person?
    pub(super) fn is_of_home(self) -> bool {
        matches!(
            self,
            Self::Resale
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
            AcquisitionTax, Brokerage, CapitalGains, ComprehensiveTax, Conversion, Increase, LoanLimit, PropertyTax,
            Registration, Repayment, Returns,
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
            match (entry.what, &entry.value) {
                (What::Price, Value::Won(won)) => asked.price = Some(*won),
                (What::Deposit, Value::Won(won)) => asked.deposit = Some(*won),
                (What::MonthlyRent, Value::Won(won)) => asked.monthly_rent = Some(*won),
                (What::PriorClaims, Value::Won(won)) => asked.prior_claims = Some(*won),
                (What::Loan, Value::Won(won)) => asked.loan = Some(*won),
                (What::Income, Value::Won(won)) => asked.income = Some(*won),
                (What::Debt, Value::Won(won)) => asked.debt = Some(*won),
                (What::OwnMoney, Value::Won(won)) => asked.own_money = Some(*won),
                (What::Resale, Value::Won(won)) => asked.resale = Some(*won),
                (What::OfficialPrice, Value::Won(won)) => asked.official_price = Some(*won),
                (What::OtherRepayments, Value::Won(won)) => asked.other_repayments = Some(*won),
                (What::Held, Value::Months(months)) => asked.held_months = Some(*months),
                (What::Lived, Value::Years(years)) => asked.lived_years = Some(*years),
                (What::HomesHeld, Value::Homes(homes)) => asked.homes = Some(*homes),
                (_, Value::Share(share)) => asked.rate = Some(*share),
                (_, Value::Years(years)) => asked.years = Some(*years),
                (_, Value::Homes(homes)) => asked.homes_after = Some(*homes),
                (_, Value::SquareMetres(area)) => asked.area = Some(*area),
                (_, Value::Places(places)) => asked.regions.clone_from(places),
                (_, Value::Properties(properties)) => asked.properties.clone_from(properties),
                (_, Value::Loans(loans)) => asked.loans.clone_from(loans),
                (_, Value::Groups(groups)) => asked.groups.clone_from(groups),
                (_, Value::Subjects(subjects)) => asked.subjects.clone_from(subjects),
                (_, Value::Won(_) | Value::Months(_)) => {}
            }
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

    /// What a sum is that takes the place of this one: "3억 말고 2억".
    pub(super) fn role_of(&self, won: u64) -> Option<Role> {
        let entry = self.entries.iter().rev().find(|entry| entry.value == Value::Won(won))?;
        entry.what.role()
    }
}

/// Whatever is said in parameters.
pub(super) fn values(said: &Parameters) -> Vec<(What, Value)> {
    let sums = [
        (What::Price, said.price),
        (What::Deposit, said.deposit),
        (What::MonthlyRent, said.monthly_rent),
        (What::PriorClaims, said.prior_claims),
        (What::Loan, said.loan),
        (What::Income, said.income),
        (What::Debt, said.debt),
        (What::OwnMoney, said.own_money),
        (What::Resale, said.resale),
        (What::OfficialPrice, said.official_price),
        (What::OtherRepayments, said.other_repayments),
    ];
    let mut values: Vec<(What, Value)> =
        sums.into_iter().filter_map(|(what, won)| Some((what, Value::Won(won?)))).collect();
    values.extend(said.rate.map(|rate| (What::Rate, Value::Share(rate))));
    values.extend(said.years.map(|years| (What::Years, Value::Years(years))));
    values.extend(said.held_months.map(|months| (What::Held, Value::Months(months))));
    values.extend(said.lived_years.map(|years| (What::Lived, Value::Years(years))));
    values.extend(said.homes.map(|homes| (What::HomesHeld, Value::Homes(homes))));
    values.extend(said.homes_after.map(|homes| (What::Homes, Value::Homes(homes))));
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
