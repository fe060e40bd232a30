//! How far a deposit or a rent may rise, and what the one is worth as the other.

use crate::advisor::answer::names::{money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{ConversionView, IncreaseView, LeaseCost};

pub(super) fn increase_line(view: &IncreaseView, lang: Lang) -> String {
    let what = if view.monthly { ("월세", "A rent") } else { ("보증금", "A deposit") };
    lang.pick(
        format!(
            "{} {}은 갱신할 때 {}까지 올릴 수 있습니다 (상한 {}, 최대 {} 인상).",
            what.0,
            money(view.current, lang),
            money(view.most, lang),
            percent(view.cap),
            money(view.most.saturating_sub(view.current), lang)
        ),
        format!(
            "{} of {} may rise to {} on renewal (cap {}, {} at most).",
            what.1,
            money(view.current, lang),
            money(view.most, lang),
            percent(view.cap),
            money(view.most.saturating_sub(view.current), lang)
        ),
    )
}

pub(super) fn conversion_line(view: &ConversionView, lang: Lang) -> String {
    let cost = &view.cost;
    if let Some(paid) = view.paid {
        return lang.pick(
            format!(
                "보증금 {} / 월세 {}에서 보증금을 {}으로 바꾸면 월세는 매달 {} (차액 × 연 {} ÷ 12).",
                money(view.from_deposit, lang),
                money(paid, lang),
                money(cost.deposit, lang),
                money(cost.monthly_rent, lang),
                percent(cost.rate)
            ),
            format!(
                "From {} and {} a month to a deposit of {}, the rent is {} a month (the difference × {} a year ÷ 12).",
                money(view.from_deposit, lang),
                money(paid, lang),
                money(cost.deposit, lang),
                money(cost.monthly_rent, lang),
                percent(cost.rate)
            ),
        );
    }
    if view.from_rent > 0 {
        return lang.pick(
            format!(
                "보증금 {} / 월세 {}은 전세 {}에 해당합니다 (연 {}).",
                money(view.from_deposit, lang),
                money(view.from_rent, lang),
                money(cost.deposit, lang),
                percent(cost.rate)
            ),
            format!(
                "A deposit of {} with {} a month is worth a jeonse of {} (at {} a year).",
                money(view.from_deposit, lang),
                money(view.from_rent, lang),
                money(cost.deposit, lang),
                percent(cost.rate)
            ),
        );
    }
    if cost.deposit > 0 {
        return lang.pick(
            format!(
                "보증금을 {}에서 {}으로 줄이면 월세는 매달 {} 이하여야 합니다 (줄인 금액 × {} ÷ 12).",
                money(view.from_deposit, lang),
                money(cost.deposit, lang),
                money(cost.monthly_rent, lang),
                rate_used(cost, lang)
            ),
            format!(
                "With the deposit cut from {} to {}, the rent may be at most {} a month (the difference × {} ÷ 12).",
                money(view.from_deposit, lang),
                money(cost.deposit, lang),
                money(cost.monthly_rent, lang),
                rate_used(cost, lang)
            ),
        );
    }
    lang.pick(
        format!(
            "보증금 {}을 모두 월세로 바꾸면 매달 {} 이하여야 합니다 ({}).",
            money(view.from_deposit, lang),
            money(cost.monthly_rent, lang),
            rate_used(cost, lang)
        ),
        format!(
            "A deposit of {} turned into rent may cost at most {} a month ({}).",
            money(view.from_deposit, lang),
            money(cost.monthly_rent, lang),
            rate_used(cost, lang)
        ),
    )
}

/// The rate that was reckoned with: the legal cap, or a lower one that somebody said.
pub(in crate::advisor::answer) fn rate_used(cost: &LeaseCost, lang: Lang) -> String {
    let rate = percent(cost.rate);
    if cost.rate < cost.legal_cap {
        lang.pick(format!("전환율 연 {rate}"), format!("{rate} a year"))
    } else {
        lang.pick(format!("전환율 상한 연 {rate}"), format!("the cap of {rate} a year"))
    }
}
