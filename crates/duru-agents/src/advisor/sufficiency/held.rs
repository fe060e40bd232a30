//! What earlier searches found: every result with its kind, place, conditions,
//! time and source.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{DataKind, Deal, Property, Terms};

/// Where data were kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// This conversation.
    Conversation,
    ShortTerm,
    MidTerm,
    LongTerm,
}

/// One earlier search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    pub query: String,
    /// The places it covered. None: it was about no place.
    pub regions: Vec<Region>,
    /// The conditions it ran with, defaults of the tools among them.
    pub terms: Terms,
    /// The conditions that the question itself stated.
    pub stated: Terms,
    pub tier: Tier,
    pub found: Vec<Found>,
}

/// What a search found of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    pub kind: DataKind,
    pub count: usize,
    /// When it was found; none if nobody knows.
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
    /// Who said so: a tool, a law, a bank.
    pub source: String,
    /// The items, as far as they were kept.
    pub items: Vec<Item>,
}

/// One item of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    pub region: Option<Region>,
    pub deal: Option<Deal>,
    pub property: Option<Property>,
    /// When it was true: a transaction's day, a rate's date.
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
    pub source: String,
}

impl Search {
    pub fn found(&self, kind: DataKind) -> Option<&Found> {
        self.found.iter().find(|found| found.kind == kind)
    }

    /// The kinds it found something of, or looked for.
    pub fn kinds(&self) -> Vec<DataKind> {
        let mut kinds: Vec<DataKind> = self.found.iter().map(|found| found.kind).collect();
        kinds.sort_unstable();
        kinds
    }
}

impl Found {
    /// What of it fits: prices of the asked places (all, if none is asked) and
    /// terms. Where no items were kept, nothing can be told apart, and all count.
    pub fn fitting(&self, regions: &[Region], terms: &Terms) -> Self {
        if self.items.is_empty() || self.kind != DataKind::Market {
            return self.clone();
        }
        let items: Vec<Item> = self.items.iter().filter(|item| item.fits(regions, terms)).cloned().collect();
        Self { count: items.len(), items, ..self.clone() }
    }
}

impl Item {
    fn fits(&self, regions: &[Region], terms: &Terms) -> bool {
        let inside = |asked: &Region| {
            let relation = self.region.as_ref().map(|region| asked.relation(region));
            matches!(relation, Some(Relation::Same | Relation::Narrower))
        };
        let deal = || self.deal.is_some_and(|deal| terms.deals.contains(&deal));
        let property = || self.property.is_some_and(|property| terms.properties.contains(&property));
        (regions.is_empty() || regions.iter().any(inside))
            && (terms.deals.is_empty() || deal())
            && (terms.properties.is_empty() || property())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::region;

    #[test]
    fn only_items_of_the_asked_place_and_terms_count() {
        let place = |name: &str| region::find(name, &[]).remove(0).region;
        let item = |name: &str, deal| Item {
            region: Some(place(name)),
            deal: Some(deal),
            property: None,
            at: None,
            source: "x".to_owned(),
        };
        let items = vec![
            item("역삼동", Deal::Sale),
            item("대치동", Deal::Sale),
            item("역삼동", Deal::Jeonse),
            item("마포구", Deal::Sale),
        ];
        let found = Found { kind: DataKind::Market, count: 4, at: None, source: "x".to_owned(), items };
        let count = |regions: &[Region], terms: &str| found.fitting(regions, &Terms::read(terms)).count;
        assert_eq!(count(&[place("강남구")], ""), 3);
        assert_eq!(count(&[place("역삼동")], "매매"), 1);
        assert_eq!(count(&[], "매매"), 3);
        assert_eq!(count(&[], ""), 4);
        // What an item does not say, it does not fit.
        assert_eq!(count(&[], "빌라"), 0);
        let bare = Found { items: vec![], ..found.clone() };
        assert_eq!(bare.fitting(&[place("마포구")], &Terms::default()).count, 4);
    }
}
