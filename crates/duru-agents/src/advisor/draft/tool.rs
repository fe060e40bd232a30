//! The draft as a tool of the document team.

use async_trait::async_trait;

use super::form::{LeaseForm, LeaseKind};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{DraftView, Error, Found, Parameters, Report, Tool, Used};
use crate::advisor::understand::Deal;

/// Drafts a lease from what the question says, or goes on with an earlier
/// draft; the person looks through it before it becomes a document.
pub struct LeaseDraft;

#[async_trait]
impl Tool for LeaseDraft {
    fn name(&self) -> &str {
        "lease_draft"
    }

    async fn call(&self, asked: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let form = match &asked.form {
            Some(before) => before.changed(&asked.query),
            None => LeaseForm::read(&asked.query).or(known(asked)),
        };
        let wanting = form.missing().into_iter().map(|field| {
            let (ko, en) = field.name();
            Lang::of(&asked.query).pick(ko, en)
        });
        let wanting = wanting.collect();
        let view = DraftView { form, ..DraftView::default() };
        Ok(Found { reports: vec![Report::Draft(view)], quality: 0.9, wanting, ..Found::default() })
    }
}

/// What is known beside the question's own words.
fn known(asked: &Parameters) -> LeaseForm {
    let kind = match asked.deals.first() {
        Some(Deal::MonthlyRent) => Some(LeaseKind::MonthlyRent),
        Some(Deal::Jeonse) => Some(LeaseKind::Jeonse),
        _ => None,
    };
    LeaseForm {
        kind,
        address: asked.regions.first().map(ToString::to_string),
        area: asked.area,
        deposit: asked.deposit.or(asked.price),
        monthly_rent: asked.monthly_rent,
        ..LeaseForm::default()
    }
}
