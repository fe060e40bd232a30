//! Prices are about a place and a kind of deal: what speaks against a search
//! for one of them.

use super::held::Search;
use super::issue::Issue;
use super::standing::{Standing, amounts};
use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{Question, Role};

/// Does the search cover this place?
pub(super) fn of_region(question: &Question, search: &Search, asked: &Region) -> Option<Issue> {
    if search.regions.is_empty() {
        return Some(Issue::RegionUnknown);
    }
    let relation = |wanted| search.regions.iter().any(|held| asked.relation(held) == wanted);
    if relation(Relation::Same) {
        None
    } else if relation(Relation::Wider) {
        Some(Issue::RegionSuperset)
    } else if relation(Relation::Narrower) && !question.widens {
        Some(Issue::RegionSubset)
    } else {
        Some(Issue::RegionMismatch)
    }
}

/// Do its conditions fit?
pub(super) fn of_terms(question: &Question, search: &Search) -> Standing {
    let (asked, held) = (&question.terms, &search.terms);
    let mut standing = Standing::default();
    // "방금 찾은 매매가로 월세 수익률 계산": the deal is the calculation's, not the data's.
    let points = question.reference.is_explicit() && !question.takes_back;
    let input_only = points && question.calculates;
    let picked = points && (question.picks || question.calculates) || question.reference.keep;
    if !input_only && !asked.deals.is_empty() {
        if held.deals.is_empty() {
            standing.add(Issue::ConditionUnchecked);
        } else if asked.deals.iter().any(|deal| !held.deals.contains(deal)) {
            standing.add(Issue::ConditionMismatch);
        }
    }
    let other = |property| !held.properties.contains(property);
    if !held.properties.is_empty() && asked.properties.iter().any(other) {
        // What the question never asked for was a default: its items may hold others too.
        let stated = !search.stated.properties.is_empty();
        standing.add(if stated { Issue::ConditionMismatch } else { Issue::ConditionUnchecked });
    }
    for area in &asked.areas {
        match (held.areas.is_empty(), held.areas.iter().any(|held| area.is_like(held))) {
            (_, true) => {}
            (false, false) => standing.add(Issue::ConditionMismatch),
            (true, false) if picked => {}
            (true, false) => standing.add(Issue::ConditionPartial),
        }
    }
    if !picked && asked.features.iter().any(|feature| !held.features.contains(feature)) {
        standing.add(Issue::ConditionPartial);
    }
    let roles = [Role::Price, Role::Unsaid, Role::Deposit, Role::MonthlyRent, Role::Budget];
    if !input_only && let Some(issue) = amounts(question, search, &roles) {
        standing.add(issue);
    }
    let limit = asked.amounts.iter().any(|amount| amount.is_limit() && roles.contains(&amount.role));
    if limit && held.amounts.is_empty() && !picked {
        standing.add(Issue::ConditionPartial);
    }
    standing
}
