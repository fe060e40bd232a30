//! Facts and preferences: what remains of exchanges that are long past.

use std::collections::BTreeSet;

use duru_sql::guard::Lang;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// The person asked to remember it, in these words.
    Said,
    Budget,
    Income,
    /// Who the person is, as far as loans and rules depend on it.
    Group,
    Region,
    Deal,
    Property,
    Area,
    Loan,
    Feature,
    Subject,
}

impl FactKind {
    /// Only the newest of its kind holds.
    pub(super) fn is_single(self) -> bool {
        matches!(self, Self::Budget | Self::Income)
    }

    fn name(self, lang: Lang) -> &'static str {
        let (ko, en) = match self {
            Self::Said => ("기억해 달라고 한 것", "asked to remember"),
            Self::Budget => ("예산", "budget"),
            Self::Income => ("소득", "income"),
            Self::Group => ("해당하는 조건", "is"),
            Self::Region => ("관심 지역", "interested in the area"),
            Self::Deal => ("관심 거래", "interested in"),
            Self::Property => ("관심 주택", "interested in"),
            Self::Area => ("관심 면적", "interested in the size"),
            Self::Loan => ("관심 대출", "interested in the loan"),
            Self::Feature => ("바라는 조건", "wants"),
            Self::Subject => ("물어본 법률 주제", "asked about the law of"),
        };
        lang.pick(ko, en)
    }
}

/// One fact, and how often it was heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    pub kind: FactKind,
    /// In Korean and in English.
    pub value: (String, String),
    pub seen: u32,
    pub first: Timestamp,
    pub last: Timestamp,
    /// The exchanges it was heard in, as far as they are kept: heard from the
    /// same one twice, it counts once.
    pub from: BTreeSet<String>,
}

/// So many of the exchanges that a fact is from are kept.
const MOST_FROM: usize = 32;

impl Fact {
    pub(super) fn new(kind: FactKind, value: (String, String), at: Timestamp, from: &str) -> Self {
        Self { kind, value, seen: 1, first: at, last: at, from: BTreeSet::from([from.to_owned()]) }
    }

    /// Which facts are the same one.
    pub(super) fn key(&self) -> (FactKind, Option<&str>) {
        (self.kind, (!self.kind.is_single()).then_some(self.value.0.as_str()))
    }

    /// Hears the same fact again.
    pub(super) fn hear(&mut self, other: Self) {
        if other.from.is_subset(&self.from) {
            return;
        }
        if other.last >= self.last {
            self.value = other.value;
        }
        self.seen = self.seen.saturating_add(other.seen);
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.from.extend(other.from);
        while self.from.len() > MOST_FROM {
            self.from.pop_first();
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        let value = lang.pick(&self.value.0, &self.value.1);
        let times = match (self.seen, lang) {
            (1, _) => String::new(),
            (seen, Lang::Ko) => format!(" ({seen}번)"),
            (seen, Lang::En) => format!(" ({seen} times)"),
        };
        format!("{}: {value}{times}", self.kind.name(lang))
    }
}
