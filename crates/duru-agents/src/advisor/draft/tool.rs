//! The draft as a tool of the document team.

use async_trait::async_trait;

use super::blocks::preview;
use super::form::{LeaseForm, LeaseKind};
use crate::advisor::tools::{DraftView, Error, Found, Parameters, Report, Tool, Used};
use crate::advisor::understand::Deal;

/// Drafts a lease from what the question says; the person looks through it
/// before it becomes a document.
pub struct LeaseDraft;

#[async_trait]
impl Tool for LeaseDraft {
    fn name(&self) -> &str {
        "lease_draft"
    }

    async fn call(&self, asked: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let kind = match asked.deals.first() {
            Some(Deal::MonthlyRent) => Some(LeaseKind::MonthlyRent),
            Some(Deal::Jeonse) => Some(LeaseKind::Jeonse),
            _ => None,
        };
        let known = LeaseForm {
            kind,
            address: asked.regions.first().map(ToString::to_string),
            area: asked.area,
            deposit: asked.deposit.or(asked.price),
            monthly_rent: asked.monthly_rent,
            ..LeaseForm::default()
        };
        let form = LeaseForm::read(&asked.query).or(known);
        let flaws = form.flaws();
        if let Some(flaw) = flaws.iter().find(|flaw| flaw.is_grave()) {
            return Err(Error::Unfit(flaw.text().0));
        }
        let view = view(&form);
        let wanting = view.missing.clone();
        Ok(Found { reports: vec![Report::Draft(view)], quality: 0.9, wanting, ..Found::default() })
    }
}

fn view(form: &LeaseForm) -> DraftView {
    let mut fields =
        vec![("계약 종류".to_owned(), if form.is_monthly() { "월세" } else { "전세" }.to_owned())];
    let date = |date: jiff::civil::Date| format!("{}년 {}월 {}일", date.year(), date.month(), date.day());
    let said = [
        ("임대인", form.landlord.name.clone()),
        ("임차인", form.tenant.name.clone()),
        ("소재지", form.address.clone()),
        ("보증금", form.deposit.map(super::blocks::won)),
        ("차임(월)", form.monthly_rent.filter(|_| form.is_monthly()).map(super::blocks::won)),
        ("시작일", form.start.map(date)),
        ("종료일", form.end.map(date)),
    ];
    fields.extend(said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    DraftView {
        fields,
        missing: form.missing().into_iter().map(|field| field.name().0.to_owned()).collect(),
        special_terms: form.special_terms.clone(),
        markdown: preview(form),
        ..DraftView::default()
    }
}
