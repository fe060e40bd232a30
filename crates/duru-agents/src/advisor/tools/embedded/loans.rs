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
        // What was named and is not for who asks is told with the reason.
        let unfit: Vec<(&LoanProduct, Vec<Unfit>)> = self
            .constants
            .products()
            .iter()
            .filter(|product| {
                parameters.keywords.iter().any(|name| product.name.replace(' ', "").contains(name.as_str()))
            })
            .map(|product| (product, against(product, parameters)))
            .filter(|(_, why)| !why.is_empty())
            .collect();
        let at = instant(self.constants.as_of);
        let source = format!("{} ({})", self.constants.loans.source, self.constants.as_of);
        let limit = parameters.limit.unwrap_or(6);
        let mut items: Vec<Item> = fitting
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
        items.extend(unfit.into_iter().map(|(product, why)| Item {
            id: product.name.clone(),
            kind: DataKind::Loan,
            region: None,
            deal: None,
            property: None,
            at,
            source: source.clone(),
            title: format!("{} ({})", product.name, product.by),
            text: format!(
                "조건에 맞지 않음 — {}",
                why.iter().map(Unfit::said).collect::<Vec<_>>().join(", ")
            ),
            fit: 0.0,
            record: None,
        }));
        Ok(Found { quality: quality_of(items.len()).min(0.85), items, ..Found::default() })
    }
}

/// None if it is not for who asks.
fn fit(product: &LoanProduct, asked: &Parameters) -> Option<f64> {
    let wrong_kind = !asked.loans.is_empty() && !asked.loans.contains(&product.kind);
    let other_group = !product.groups.is_empty()
        && !asked.groups.is_empty()
        && !product.groups.iter().any(|group| asked.groups.contains(group));
    if wrong_kind || other_group || !against(product, asked).is_empty() {
        return None;
    }
    let own_group = product.groups.iter().any(|group| asked.groups.contains(group));
    // What is only for somebody comes after what is for all, unless it is for who asks.
    let general = if product.groups.is_empty() { 0.2 } else { 0.0 };
    Some(0.6 + if own_group { 0.4 } else { general })
}

/// Why a loan is not for somebody.
enum Unfit {
    Income(u64),
    Home(u64),
    Age(u32, u32),
}

impl Unfit {
    fn said(&self) -> String {
        match self {
            Self::Income(most) => format!("소득이 {}을 넘음", won::ko(*most)),
            Self::Home(most) => format!("집값·보증금이 {}을 넘음", won::ko(*most)),
            Self::Age(from, to) => format!("만 {from}~{to}세가 아님"),
        }
    }
}

/// What speaks against a loan for who asks, of what is known of them.
fn against(product: &LoanProduct, asked: &Parameters) -> Vec<Unfit> {
    let over = |most: Option<u64>, sum: Option<u64>| most.filter(|most| sum.is_some_and(|sum| sum > *most));
    let home = asked.price.or(asked.deposit);
    let other_age = |(from, to): &(u32, u32)| asked.age.is_some_and(|age| age < *from || age > *to);
    let mut why = Vec::new();
    why.extend(over(product.income_up_to, asked.income).map(Unfit::Income));
    why.extend(over(product.home_up_to, home).map(Unfit::Home));
    why.extend(product.ages.filter(other_age).map(|(from, to)| Unfit::Age(from, to)));
    why
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

#[cfg(test)]
mod tests {
    use super::*;

    async fn found(asked: Parameters) -> Vec<Item> {
        let tool = LoanData::new(Arc::new(Constants::built_in().clone()));
        tool.call(&asked, &[]).await.unwrap().items
    }

    /// 디딤돌 asks for at most 6천만 won of income; who earns 6.5천만 is told so, and a loan for the young has an age.
    #[tokio::test]
    async fn a_loan_that_was_named_and_does_not_fit_says_why() {
        let asked = Parameters {
            keywords: vec!["디딤돌".into()],
            income: Some(65_000_000),
            age: Some(45),
            ..Parameters::default()
        };
        let items = found(asked).await;
        let why = |name: &str| {
            let item = items.iter().find(|item| item.id == name && item.fit < 0.5);
            item.map(|item| item.text.clone()).unwrap_or_default()
        };
        assert!(why("내집마련 디딤돌대출").contains("소득이 6,000만원을 넘음"), "{items:#?}");
        assert!(why("청년 주택드림 디딤돌대출").contains("만 20~39세가 아님"), "{items:#?}");
        let young = found(Parameters { age: Some(30), ..Parameters::default() }).await;
        assert!(young.iter().all(|item| item.fit >= 0.5));
    }
}
