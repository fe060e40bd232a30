//! Loans on offer, from the table of the constants.

use std::sync::Arc;

use async_trait::async_trait;

use super::{instant, quality_of};
use crate::advisor::tools::constants::{Constants, LoanProduct};
use crate::advisor::tools::tool::{Error, Found, Item, Parameters, Tool, Used};
use crate::advisor::understand::DataKind;
use crate::advisor::won;

pub(super) struct LoanData {
    constants: Arc<Constants>,
}

impl LoanData {
    pub(super) fn new(constants: Arc<Constants>) -> Self {
        Self { constants }
    }
}

#[async_trait]
impl Tool for LoanData {
    fn name(&self) -> &str {
        "loan_data"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let mut fitting: Vec<(f64, &LoanProduct)> = self
            .constants
            .products()
            .iter()
            .filter_map(|product| Some((fit(product, parameters)?, product)))
            .collect();
        fitting.sort_by(|a, b| b.0.total_cmp(&a.0));
        let at = instant(self.constants.as_of);
        let source = format!("{} ({})", self.constants.loans.source, self.constants.as_of);
        let limit = parameters.limit.unwrap_or(6);
        let items: Vec<Item> = fitting
            .into_iter()
            .take(limit)
            .map(|(fit, product)| Item {
                id: product.name.clone(),
                kind: DataKind::Loan,
                region: None,
                deal: None,
                property: None,
                at,
                source: source.clone(),
                title: format!("{} ({})", product.name, product.by),
                text: described(product),
                fit,
                record: None,
            })
            .collect();
        Ok(Found { quality: quality_of(items.len()).min(0.85), items, ..Found::default() })
    }
}

/// None if it is not for who asks.
fn fit(product: &LoanProduct, asked: &Parameters) -> Option<f64> {
    let wrong_kind = !asked.loans.is_empty() && !asked.loans.contains(&product.kind);
    let other_group = !product.groups.is_empty()
        && !asked.groups.is_empty()
        && !product.groups.iter().any(|group| asked.groups.contains(group));
    let over =
        |most: Option<u64>, sum: Option<u64>| matches!((most, sum), (Some(most), Some(sum)) if sum > most);
    if wrong_kind || other_group || over(product.income_up_to, asked.income) {
        return None;
    }
    let home = asked.price.or(asked.deposit);
    if over(product.home_up_to, home) {
        return None;
    }
    let own_group = product.groups.iter().any(|group| asked.groups.contains(group));
    // What is only for somebody comes after what is for all, unless it is for who asks.
    let general = if product.groups.is_empty() { 0.2 } else { 0.0 };
    Some(0.6 + if own_group { 0.4 } else { general })
}

fn described(product: &LoanProduct) -> String {
    let percent = |rate: f64| format!("{:.2}%", rate * 100.0);
    let mut parts = vec![format!("금리 연 {}~{}", percent(product.rate.0), percent(product.rate.1))];
    parts.extend(product.most.map(|most| format!("한도 {}", won::ko(most))));
    parts.extend(product.income_up_to.map(|most| format!("소득 {} 이하", won::ko(most))));
    parts.extend(product.home_up_to.map(|most| format!("집값·보증금 {} 이하", won::ko(most))));
    parts.push(product.note.clone());
    parts.join(", ")
}
