//! Rents, deposits and fees in a sentence, with the verdict where something is asked of somebody.

use crate::advisor::answer::names::{money, percent};
use crate::advisor::answer::reports::rate_used;
use crate::advisor::lang::Lang;
use crate::advisor::tools::{Contracted, ConversionView, Report};

/// A fee, and how far a rent may rise.
pub(super) fn let_out(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Brokerage(fee) => {
            let (ko, en) = match fee.contracted {
                Some(Contracted::Sale { .. }) => ("매매 ", " for the sale"),
                Some(Contracted::Lease { monthly_rent: 0, .. }) => ("전세 ", " for the jeonse lease"),
                Some(Contracted::Lease { .. }) => ("월세 ", " for the lease with a rent"),
                None => ("", ""),
            };
            lang.pick(
                format!("{ko}중개보수는 {}까지입니다.", money(fee.most, lang)),
                format!("The brokerage fee{en} is at most {}.", money(fee.most, lang)),
            )
        }
        Report::Increase(view) => {
            let what =
                if view.monthly { ("월세는 ", "The rent") } else { ("보증금은 ", "The deposit") };
            let said = view.wished.map(|wished| verdict(wished, view.most, lang));
            let said = said.map(|said| format!(" {said}")).unwrap_or_default();
            lang.pick(
                format!(
                    "{}{}에서 {}까지만 올릴 수 있습니다(상한 {}).{said}",
                    what.0,
                    money(view.current, lang),
                    money(view.most, lang),
                    percent(view.cap)
                ),
                format!(
                    "{} may rise from {} to {} at most (cap {}).{said}",
                    what.1,
                    money(view.current, lang),
                    money(view.most, lang),
                    percent(view.cap)
                ),
            )
        }
        _ => return None,
    })
}

/// A deposit for a rent.
pub(super) fn converted(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Conversion(view) if view.paid.is_some() => lang.pick(
            format!(
                "보증금을 {}에서 {}으로 바꾸면 월세는 매달 약 {}이 됩니다({} 기준).{}",
                money(view.from_deposit, lang),
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
            format!(
                "With the deposit changed from {} to {} the rent is about {} a month (at {}).{}",
                money(view.from_deposit, lang),
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
        ),
        Report::Conversion(view) if view.from_rent > 0 => lang.pick(
            format!("전세로 치면 약 {}입니다.", money(view.cost.deposit, lang)),
            format!("As a jeonse it is worth about {}.", money(view.cost.deposit, lang)),
        ),
        Report::Conversion(view) if view.offered.is_some() => {
            let offered = view.offered.unwrap_or_default();
            let said = verdict(offered, view.cost.monthly_rent, lang);
            lang.pick(
                format!(
                    "보증금을 {}으로 줄이면 월세는 매달 {}까지입니다({}). {said}",
                    money(view.cost.deposit, lang),
                    money(view.cost.monthly_rent, lang),
                    rate_used(&view.cost, lang)
                ),
                format!(
                    "With a deposit of {} the rent is at most {} a month ({}). {said}",
                    money(view.cost.deposit, lang),
                    money(view.cost.monthly_rent, lang),
                    rate_used(&view.cost, lang)
                ),
            )
        }
        Report::Conversion(view) if view.cost.deposit > 0 => lang.pick(
            format!(
                "보증금을 {}으로 줄이면 월세는 매달 {}까지입니다({}).{}",
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
            format!(
                "With a deposit of {} the rent is at most {} a month ({}).{}",
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
        ),
        Report::Conversion(view) => lang.pick(
            format!(
                "월세로 모두 바꾸면 매달 {}까지입니다.{}",
                money(view.cost.monthly_rent, lang),
                beyond(view, lang)
            ),
            format!(
                "Turned into rent it is at most {} a month.{}",
                money(view.cost.monthly_rent, lang),
                beyond(view, lang)
            ),
        ),
        _ => return None,
    })
}

/// That a rate which somebody said is above the legal one.
fn beyond(view: &ConversionView, lang: Lang) -> String {
    view.over_cap.map_or_else(String::new, |said| {
        lang.pick(
            format!(" 말씀하신 연 {}는 법정 상한을 넘어 상한으로 계산했습니다.", percent(said)),
            format!(" The {} you said is above the legal cap, which was used instead.", percent(said)),
        )
    })
}

/// Whether what is asked keeps within what is allowed.
fn verdict(asked: u64, most: u64, lang: Lang) -> String {
    let sum = |won| money(won, lang);
    if asked > most {
        lang.pick(
            format!(
                "요구한 {}은 한도보다 {} 많으므로 넘는 만큼은 따르지 않아도 됩니다.",
                sum(asked),
                sum(asked - most)
            ),
            format!(
                "The {} that is asked exceeds that by {}: you need not agree to the excess.",
                sum(asked),
                sum(asked - most)
            ),
        )
    } else {
        lang.pick(
            format!("요구한 {}은 한도 안입니다.", sum(asked)),
            format!("The {} that is asked is within it.", sum(asked)),
        )
    }
}
