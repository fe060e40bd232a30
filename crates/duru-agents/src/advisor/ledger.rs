//! The ledger of a conversation: every figure that was said or worked out, with where it is from and when it was said.
//! What is said again replaces one entry, and whatever rests on it is worked out anew.

mod what;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::offers::Offer;
use super::sums::Sum;
use super::tally::Tally;
use super::tools::{Calculation, GiftTerms, Parameters};
use super::understand::region::Region;
use super::understand::{DataKind, Deal, Group, Intent, LoanKind, Property, Role, Subject};
pub use what::What;

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
    GiftTerms(GiftTerms),
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
    /// What is weighed against each other.
    pub offers: Vec<Offer>,
    /// Amounts that were only named, and what was asked of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// Plain sums that were reckoned last.
    pub sums: Vec<Sum>,
    /// What that question wanted, the data it rested on, and its number.
    pub intent: Option<Intent>,
    pub required: Vec<DataKind>,
    pub turn: usize,
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
    values.extend(said.gift_terms.map(|terms| (What::GiftTerms, Value::GiftTerms(terms))));
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
