//! The draft of a lease, as far as it is known.

use std::sync::Arc;

use async_trait::async_trait;

use crate::advisor::answer::lease_markdown;
use crate::advisor::tools::constants::Constants;
use crate::advisor::tools::report::{DraftView, Report};
use crate::advisor::tools::tool::{Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::Deal;
use crate::advisor::won;

pub(super) struct LeaseDraft {
    constants: Arc<Constants>,
}

impl LeaseDraft {
    pub(super) fn new(constants: Arc<Constants>) -> Self {
        Self { constants }
    }
}

/// What every lease must say; nobody's question says all of it.
const ASKED: [&str; 5] = ["임대인", "임차인", "소재지", "임대차 기간", "계약일"];

#[async_trait]
impl Tool for LeaseDraft {
    fn name(&self) -> &str {
        "lease_draft"
    }

    async fn call(&self, asked: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let monthly = asked.deals.contains(&Deal::MonthlyRent) || asked.monthly_rent.is_some();
        let mut fields = vec![("계약 종류".to_owned(), if monthly { "월세" } else { "전세" }.to_owned())];
        let mut missing: Vec<String> = ASKED.iter().map(|name| (*name).to_owned()).collect();
        if let Some(region) = asked.regions.first() {
            fields.push(("소재지".to_owned(), format!("{region} (상세 주소 필요)")));
        }
        match asked.deposit.or(asked.price) {
            Some(deposit) => fields
                .push(("보증금".to_owned(), format!("금 {} (₩{})", won::ko(deposit), won::digits(deposit)))),
            None => missing.push("보증금".to_owned()),
        }
        if monthly {
            match asked.monthly_rent {
                Some(rent) => fields
                    .push(("차임(월)".to_owned(), format!("금 {} (₩{})", won::ko(rent), won::digits(rent)))),
                None => missing.push("차임(월)".to_owned()),
            }
        }
        if let Some(years) = asked.years {
            fields.push(("임대차 기간".to_owned(), format!("{years}년 (시작일 필요)")));
        }
        let cap = self.constants.increase.cap * 100.0;
        let special_terms = vec![
            "임대인은 잔금 지급일 다음 날까지 근저당권 등 담보권을 새로 설정하지 않는다.".to_owned(),
            "임차인은 입주 즉시 전입신고를 하고 확정일자를 받으며, 임대인은 이에 협조한다.".to_owned(),
            "임대인은 임대차가 끝나는 날 임차인이 집을 비워 주는 것과 동시에 보증금을 전액 반환한다."
                .to_owned(),
            format!("계약을 갱신할 때 차임과 보증금의 증액은 {cap}%를 넘지 않는다."),
            "주요 설비의 수선은 임대인이, 소모품의 교체는 임차인이 부담한다.".to_owned(),
        ];
        let mut view = DraftView { fields, missing, special_terms, ..DraftView::default() };
        view.markdown = lease_markdown(&view);
        Ok(Found { reports: vec![Report::Draft(view)], quality: 0.9, ..Found::default() })
    }
}
