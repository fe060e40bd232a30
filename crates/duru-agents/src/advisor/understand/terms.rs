//! What narrows down the data that are wanted, or that were found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::{self, Amount};
use super::area::{self, Area};
use super::complex;
use super::facility::{self, Facility};
use super::lexicon::{
    DataKind, Deal, Feature, Group, LoanKind, Mention, Property, Sense, Subject, normal, scan,
};
use super::measure::{self, Measure, Unit};
use super::period::{self, Period};
use super::person::{self, Person};

/// What narrows down the data that are wanted, or that were found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Terms {
    pub deals: Vec<Deal>,
    pub properties: Vec<Property>,
    pub amounts: Vec<Amount>,
    pub areas: Vec<Area>,
    pub features: Vec<Feature>,
    pub groups: Vec<Group>,
    pub loans: Vec<LoanKind>,
    pub subjects: Vec<Subject>,
    /// Whose income, name or contract.
    #[serde(default)]
    pub people: Vec<Person>,
    /// Of which time.
    #[serde(default)]
    pub periods: Vec<Period>,
    /// Other numbers that limit a search.
    #[serde(default)]
    pub measures: Vec<Measure>,
    /// Housing complexes and stations.
    #[serde(default)]
    pub complexes: Vec<String>,
    /// What is asked for that lies around a place; how far around is a measure.
    #[serde(default)]
    pub facilities: Vec<Facility>,
}

impl Terms {
    /// The terms in a text: a question, or the conditions of a search.
    pub fn read(text: &str) -> Self {
        let text = normal(text);
        Self::of(&text, &scan(&text))
    }

    /// These terms, and where they say nothing of something, what `other` says of it.
    pub fn or(mut self, other: &Self) -> Self {
        fn fill<T: Clone>(mine: &mut Vec<T>, theirs: &[T]) {
            if mine.is_empty() {
                mine.extend_from_slice(theirs);
            }
        }
        fill(&mut self.deals, &other.deals);
        fill(&mut self.properties, &other.properties);
        fill(&mut self.amounts, &other.amounts);
        fill(&mut self.areas, &other.areas);
        fill(&mut self.features, &other.features);
        fill(&mut self.groups, &other.groups);
        fill(&mut self.loans, &other.loans);
        fill(&mut self.subjects, &other.subjects);
        fill(&mut self.people, &other.people);
        fill(&mut self.periods, &other.periods);
        fill(&mut self.complexes, &other.complexes);
        fill(&mut self.measures, &other.measures);
        fill(&mut self.facilities, &other.facilities);
        self
    }

    /// How far around a place is asked about, in metres.
    pub(crate) fn radius(&self) -> Option<u64> {
        self.measures.iter().find(|measure| measure.unit == Unit::Metres).map(|measure| measure.value)
    }

    /// Takes note of what is asked for that lies around a place: it is then no wish for a home.
    pub(super) fn around(&mut self, text: &str, facilities: Vec<Facility>) {
        if facilities.is_empty() {
            return;
        }
        let school = |one: &Facility| matches!(one, Facility::Elementary | Facility::Middle | Facility::High);
        self.features.retain(|feature| match feature {
            Feature::NearStation => !facilities.contains(&Facility::Subway),
            Feature::School => !facilities.iter().any(school),
            _ => true,
        });
        if let Some((value, said)) = facility::radius(text) {
            self.measures.push(Measure { value, unit: Unit::Metres });
            // 500m is 500 metres here, and not 500 million won.
            self.amounts.retain(|amount| amount.span.1 <= said.start || said.end <= amount.span.0);
        }
        self.facilities = facilities;
    }

    /// Whether a text speaks of data that would have to be looked up.
    pub(crate) fn asks_for_data(text: &str) -> bool {
        let looked_up = |sense| {
            matches!(
                sense,
                Sense::Topic(DataKind::Market | DataKind::Loan) | Sense::PriceAsk | Sense::LawText
            )
        };
        scan(&normal(text)).iter().any(|mention| !mention.taken_back && looked_up(mention.sense))
    }

    pub(super) fn of(text: &str, mentions: &[Mention]) -> Self {
        let mut terms = Self {
            amounts: amount::find(text),
            areas: area::find(text),
            people: person::find(text),
            periods: period::find(text),
            complexes: complex::find(text),
            measures: measure::find(text),
            ..Self::default()
        };
        for mention in mentions.iter().filter(|mention| !mention.taken_back) {
            match mention.sense {
                Sense::Deal(deal) => add(&mut terms.deals, deal),
                Sense::Property(property) => add(&mut terms.properties, property),
                Sense::Feature(feature) => add(&mut terms.features, feature),
                Sense::Group(group) => add(&mut terms.groups, group),
                Sense::Loan(kind) => add(&mut terms.loans, kind),
                Sense::Subject(subject) => add(&mut terms.subjects, subject),
                _ => {}
            }
        }
        terms
    }
}

/// Once each.
pub(super) fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
