//! What lies around a place is of what was looked for, and how far around.

use super::dimension::{Fit, Need};
use super::held::Search;
use crate::advisor::understand::Facility;

impl Need<'_> {
    /// What was not looked for is not known to be missing; what lies farther away is not known either.
    pub(super) fn by_facility(&self, held: &Search) -> Fit {
        let usual = Facility::USUAL;
        let known = if held.terms.facilities.is_empty() { &usual[..] } else { &held.terms.facilities };
        let asked = &self.question.terms;
        let same_radius = asked.radius().is_none_or(|radius| held.terms.radius() == Some(radius));
        if same_radius && asked.facilities.iter().all(|one| known.contains(one)) {
            Fit::Equal
        } else {
            Fit::Different
        }
    }
}
