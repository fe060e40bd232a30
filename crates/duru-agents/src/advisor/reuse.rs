//! Of what is used again, what the question is about: a wider search holds more than that, and its figures are not those
//! of a part of it.

use super::state::Planning;
use super::tools::embedded::level;
use super::tools::{DealRecord, Item, Report, Used};
use super::understand::region::{Region, Relation};
use super::understand::{DataKind, Deal, Facility, Property, Question};

/// What earlier prices are narrowed down to.
pub(super) struct Wanted<'a> {
    regions: &'a [Region],
    deals: &'a [Deal],
    properties: &'a [Property],
    facilities: &'a [Facility],
}

impl<'a> Wanted<'a> {
    /// Of a question that works something out, deals are those of the calculation, not those that are wanted.
    pub(super) fn of(planning: &'a Planning, question: &'a Question) -> Self {
        let works_out = question.calculates || !planning.calculations.is_empty();
        Self {
            regions: &planning.regions,
            deals: if works_out { &[] } else { &question.terms.deals },
            properties: &question.terms.properties,
            facilities: &planning.terms.facilities,
        }
    }

    fn deal(&self, deal: Option<Deal>) -> bool {
        self.deals.is_empty() || deal.is_some_and(|deal| self.deals.contains(&deal))
    }

    fn property(&self, property: Option<Property>) -> bool {
        self.properties.is_empty() || property.is_some_and(|property| self.properties.contains(&property))
    }

    fn fits(&self, item: &Item) -> bool {
        let place = self.place(item.region.as_ref());
        match item.kind {
            DataKind::Market => place && self.deal(item.deal) && self.property(item.property),
            DataKind::Infrastructure => place,
            DataKind::Legal | DataKind::Loan | DataKind::Contract => true,
        }
    }

    fn place(&self, held: Option<&Region>) -> bool {
        self.regions.is_empty()
            || held.is_some_and(|held| self.regions.iter().any(|asked| inside(asked, held)))
    }

    /// The same with what fits only; figures of more than that are worked out anew from what is left.
    pub(super) fn narrow(&self, mut used: Used) -> Used {
        used.found.items.retain(|item| self.fits(item));
        let mut levels: Vec<(Option<Region>, Deal)> = Vec::new();
        let mut missing: Vec<(Option<Region>, Deal, Option<Property>)> = Vec::new();
        used.found.reports.retain(|report| {
            if let Report::Nearby(view) = report {
                let kind = self.facilities.is_empty() || self.facilities.contains(&view.facility);
                return kind && self.place(Some(&view.region));
            }
            let Report::Level(held) = report else { return true };
            if !self.deal(Some(held.deal)) {
                return false;
            }
            let asked: Vec<&Region> = self.regions.iter().collect();
            let own = asked.is_empty()
                || held.region.as_ref().is_some_and(|region| asked.iter().any(|asked| inside(asked, region)));
            if own && (self.property(held.property) || held.property.is_none()) {
                levels.push((held.region.clone(), held.deal));
                return true;
            }
            if asked.is_empty() {
                missing.push((held.region.clone(), held.deal, held.property));
            }
            for region in asked {
                missing.push((Some(region.clone()), held.deal, held.property));
            }
            false
        });
        for (region, deal, property) in missing {
            if levels.contains(&(region.clone(), deal)) {
                continue;
            }
            levels.push((region.clone(), deal));
            let records: Vec<&DealRecord> = used
                .found
                .items
                .iter()
                .filter_map(|item| item.record.as_ref())
                .filter(|record| record.deal == deal)
                .filter(|record| region.as_ref().is_none_or(|asked| inside(asked, &record.region)))
                .collect();
            let property = self.properties.first().copied().or(property);
            used.found.reports.extend(level(&records, property, region.as_ref(), deal).map(Report::Level));
        }
        used
    }
}

fn inside(asked: &Region, held: &Region) -> bool {
    matches!(asked.relation(held), Relation::Same | Relation::Narrower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::tools::{Found, Parameters, synthetic_deals};
    use crate::advisor::understand::{Context, understand};

    fn searched(property: Property) -> Used {
        let deals = synthetic_deals(7, 3_000, jiff::civil::date(2026, 5, 1));
        let deals: Vec<&DealRecord> = deals.iter().filter(|deal| deal.property == property).collect();
        let mut found = Found::default();
        for kind in [Deal::Sale, Deal::Jeonse] {
            let own: Vec<&DealRecord> = deals.iter().filter(|deal| deal.deal == kind).copied().collect();
            found.reports.extend(level(&own, Some(property), None, kind).map(Report::Level));
            found.items.extend(own.iter().map(|record| Item {
                id: record.id.clone(),
                kind: DataKind::Market,
                region: Some(record.region.clone()),
                deal: Some(record.deal),
                property: Some(record.property),
                at: None,
                source: record.source.clone(),
                title: String::new(),
                text: String::new(),
                fit: 1.0,
                record: Some((*record).clone()),
            }));
        }
        let (tool, parameters) = ("market_data".to_owned(), Parameters::default());
        Used { tool, parameters, found, quality: 0.9, seconds: 1.0, at: None }
    }

    #[test]
    fn figures_of_the_whole_are_not_told_for_a_part_of_it() {
        let question = understand("그럼 강남구 전세는?", &Context::default());
        let planning = Planning { regions: question.regions(), ..Planning::default() };
        let narrowed = Wanted::of(&planning, &question).narrow(searched(Property::Apartment));
        let levels: Vec<_> = narrowed.found.reports.iter().collect();
        let [Report::Level(level)] = levels[..] else { panic!("{levels:?}") };
        assert_eq!((level.region.as_ref(), level.deal), (planning.regions.first(), Deal::Jeonse));
        assert_eq!(level.count, narrowed.found.items.len());
        assert!(narrowed.found.items.iter().all(|item| item.deal == Some(Deal::Jeonse)));
    }

    #[test]
    fn what_is_asked_as_a_whole_stays_as_it_is() {
        let question = understand("그 결과로 수익률 계산해줘", &Context::default());
        let used = searched(Property::Villa);
        assert_eq!(Wanted::of(&Planning::default(), &question).narrow(used.clone()), used);
    }
}
