//! A deposit stands behind whatever others may claim from the home before.

use super::super::carry;
use super::super::lang::Lang;
use super::super::state::Advice;
use super::names::{money, percent};
use super::reports::risk;

/// The deposit and the claims before it against the price; none where one of the three is not known.
pub(super) fn claims(s: &Advice, lang: Lang) -> Option<String> {
    let question = s.question();
    let said = carry::said(s, &question);
    let mut all = said.clone();
    if question.regions().is_empty() || s.planning.regions == s.ledger.parameters().regions {
        carry::fill(&mut all, &s.ledger.parameters());
    }
    super::super::restated::restate(&question.text, &s.ledger, &mut all);
    let (price, deposit, prior) = (all.price.filter(|won| *won > 0)?, all.deposit?, all.prior_claims?);
    let about = said.prior_claims.is_some() || said.deposit.is_some() || said.price.is_some();
    let asks = matches!(s.planning.intent, Some(super::super::understand::Intent::RiskAnalysis));
    if !about && !asks {
        return None;
    }
    let together = deposit.saturating_add(prior);
    let ratio = together as f64 / price as f64;
    let (ko, en) = risk(ratio);
    Some(lang.pick(
        format!(
            "보증금 {}에 먼저 잡힌 채권 {}을 더하면 {}으로 집값 {}의 {}라, {ko}",
            money(deposit, lang),
            money(prior, lang),
            money(together, lang),
            money(price, lang),
            percent(ratio)
        ),
        format!(
            "The deposit of {} and the prior claims of {} make {}, {} of the price of {}: {en}",
            money(deposit, lang),
            money(prior, lang),
            money(together, lang),
            percent(ratio),
            money(price, lang)
        ),
    ))
}
