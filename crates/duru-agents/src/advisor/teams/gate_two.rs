//! Gate 2: just before a search, what the data that are there are worth.

use std::sync::Arc;

use duru::{Cx, Result};

use super::super::gate::searchable;
use super::super::state::PastSearch;
use super::super::sufficiency::{Check, Found, Tier, verify};
use super::super::understand::DataKind;
use super::state::{TeamRun, TeamRunUpdate};

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
    // Items of another place do not count; if none is left, the place is another.
    let region_differs = !order.planning.regions.is_empty()
        && found.iter().any(|found| found.kind == DataKind::Market && found.count == 0);
    let checked = verify(&Check { required: &required, found: &found, region_differs, now });
    Ok(TeamRunUpdate::new().checked(Some(checked)))
}
