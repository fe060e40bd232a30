//! Facts and preferences: what remains of a conversation when its words are gone.

use std::collections::BTreeSet;

use duru_sql::guard::Lang;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::advisor::ledger::{Value, What};

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// The person asked to remember it, in these words.
    Said,
    Budget,
    OwnMoney,
    Income,
    Debt,
    /// What is paid back for other loans in a year.
    Repayments,
    /// How many homes the person has.
    Homes,
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
    /// Only the newest of its kind holds: it takes the place of the one before.
    pub(super) fn is_single(self) -> bool {
        self.is_figure() || matches!(self, Self::Deal | Self::Property | Self::Area)
    }

    /// A figure of the person's own.
    pub(super) fn is_figure(self) -> bool {
        self.is_sum() || self == Self::Homes
    }

    pub(super) fn is_sum(self) -> bool {
        matches!(self, Self::Budget | Self::OwnMoney | Self::Income | Self::Debt | Self::Repayments)
    }

    /// The fact that an entry of a ledger is, where it is one about the person.
    pub(super) fn of(what: What) -> Option<Self> {
        Some(match what {
            What::Income => Self::Income,
            What::OwnMoney => Self::OwnMoney,
            What::Debt => Self::Debt,
            What::OtherRepayments => Self::Repayments,
            What::HomesHeld => Self::Homes,
            _ => return None,
        })
    }

    /// The other way round.
    pub(super) fn what(self) -> Option<What> {
        Some(match self {
            Self::Income => What::Income,
            Self::OwnMoney => What::OwnMoney,
            Self::Budget => What::Budget,
            Self::Debt => What::Debt,
            Self::Repayments => What::OtherRepayments,
            Self::Homes => What::HomesHeld,
            Self::Group => What::Group,
            Self::Region => What::Place,
            _ => return None,
        })
    }

    pub fn name(self, lang: Lang) -> &'static str {
        let (ko, en) = match self {
            Self::Said => ("기억해 달라고 한 것", "asked to remember"),
            Self::Budget => ("예산", "budget"),
            Self::OwnMoney => ("자기 자금", "own money"),
            Self::Income => ("연소득", "yearly income"),
            Self::Debt => ("기존 대출", "debts"),
            Self::Repayments => ("다른 대출의 연 상환액", "yearly repayments of other loans"),
            Self::Homes => ("가진 집", "homes owned"),
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

/// Where a fact is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum FactSource {
    /// The person said it, in a question of a conversation, counted from 1.
    Said { thread: String, turn: usize },
    /// The person put it right where it is shown.
    Corrected,
}

/// One fact, and how often it was heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    pub kind: FactKind,
    /// In Korean and in English.
    pub value: (String, String),
    /// The same as calculations take it, where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<Value>,
    /// Where it was said last; of old ones nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<FactSource>,
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
        Self {
            kind,
            value,
            figure: None,
            source: None,
            seen: 1,
            first: at,
            last: at,
            from: BTreeSet::from([from.to_owned()]),
        }
    }

    /// Which facts are the same one.
    pub(super) fn key(&self) -> (FactKind, Option<&str>) {
        (self.kind, (!self.kind.is_single()).then_some(self.value.0.as_str()))
    }

    /// Hears the same fact again: what was said later holds.
    pub(super) fn hear(&mut self, other: Self) {
        if other.from.is_subset(&self.from) {
            return;
        }
        // Another value is another fact, which nobody has said before.
        if self.value != other.value {
            if other.last >= self.last {
                *self = other;
            }
            return;
        }
        if other.last >= self.last {
            (self.figure, self.source) = (other.figure, other.source);
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

    /// Where it is from, for a person.
    pub fn told(&self, lang: Lang) -> Option<String> {
        Some(match (self.source.as_ref()?, lang) {
            (FactSource::Said { thread, turn }, Lang::Ko) => format!("대화 {thread}의 {turn}번째 질문"),
            (FactSource::Said { thread, turn }, Lang::En) => format!("question {turn} of {thread}"),
            (FactSource::Corrected, Lang::Ko) => "직접 고침".to_owned(),
            (FactSource::Corrected, Lang::En) => "put right by hand".to_owned(),
        })
    }
}
