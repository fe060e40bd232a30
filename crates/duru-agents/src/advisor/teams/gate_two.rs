//! Gate 2: just before a search, what the data that are there are worth.

use std::sync::Arc;

use duru::{Cx, Result};

use super::state::{TeamRun, TeamRunUpdate};
use crate::advisor::gate::searchable;
use crate::advisor::state::PastSearch;
use crate::advisor::sufficiency::{Check, Found, Tier, verify};
use crate::advisor::tools::Used;
use crate::advisor::understand::DataKind;
use crate::advisor::understand::region::{Region, Relation};

pub(super) async fn gate_two(s: Arc<TeamRun>, _: Cx) -> Result<TeamRunUpdate> {
    let order = &s.order;
    if !order.verify || order.earlier.is_empty() {
        return Ok(TeamRunUpdate::new());
    }
    let Some(now) = order.at() else { return Ok(TeamRunUpdate::new()) };
    let search = PastSearch {
        id: String::new(),
        query: String::new(),
        regions: Vec::new(),
        terms: order.planning.terms.clone(),
        stated: order.stated.clone(),
        tier: Tier::Conversation,
        results: order.earlier.clone(),
    };
    let required: Vec<DataKind> = searchable(&order.planning.required);
    let found: Vec<Found> = search
        .held()
        .found
        .iter()
        .map(|found| found.fitting(&order.planning.regions, &order.stated))
        .collect();
    // Items of another place do not count; if none is left, the place is another. Nor do some neighbourhoods stand
    // for the whole that was asked about.
    let prices = |used: &&Used| used.found.items.iter().any(|item| item.kind == DataKind::Market);
    let covers = |used: &Used, asked: &Region| {
        let searched = &used.parameters.regions;
        searched.is_empty()
            || searched.iter().any(|held| matches!(asked.relation(held), Relation::Same | Relation::Wider))
    };
    let covered = |asked: &Region| order.earlier.iter().filter(prices).any(|used| covers(used, asked));
    let region_differs = required.contains(&DataKind::Market)
        && !order.planning.regions.is_empty()
        && (found.iter().any(|found| found.kind == DataKind::Market && found.count == 0)
            || !order.planning.regions.iter().all(covered));
    let checked = verify(&Check {
        required: &required,
        found: &found,
        region_differs,
        subject_unknown: order.subject_unknown,
        now,
    });
    Ok(TeamRunUpdate::new().checked(Some(checked)))
}
