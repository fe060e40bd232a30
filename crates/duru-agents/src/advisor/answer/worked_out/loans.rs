//! A loan in a sentence, and whether what somebody has is enough with it.

use crate::advisor::answer::names::{money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{LimitView, Report};

/// A loan.
pub(super) fn lent(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::LoanLimit(view) => lang.pick(
            format!(
                "{} 집을 살 때 대출 한도는 약 {}입니다.",
                money(view.borrower.price, lang),
                money(view.limit.limit, lang)
            ),
            format!(
                "For a home of {} the highest loan is about {}.",
                money(view.borrower.price, lang),
                money(view.limit.limit, lang)
            ),
        ),
        Report::Repayment(view) if view.interest_only => lang.pick(
            format!(
                "{}을 연 {}로 빌리면 매달 이자가 약 {}입니다.",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang)
            ),
            format!(
                "{} at {} costs about {} of interest a month.",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang)
            ),
        ),
        Report::Repayment(view) if view.level_principal => lang.pick(
            format!(
                "{}을 연 {}로 {}년 원금균등으로 갚으면 첫 달 {}, 마지막 달 {}입니다.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.first_month, lang),
                money(view.last_month, lang)
            ),
            format!(
                "{} at {} over {} years in level principal costs {} in the first month, {} in the last.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.first_month, lang),
                money(view.last_month, lang)
            ),
        ),
        Report::Repayment(view) => lang.pick(
            format!(
                "{}을 연 {}로 {}년 빌리면 매달 약 {}을 갚습니다.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.monthly, lang)
            ),
            format!(
                "{} at {} over {} years costs about {} a month.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.monthly, lang)
            ),
        ),
        _ => return None,
    })
}

/// Whether what somebody has and what they can borrow are enough.
pub(in crate::advisor::answer) fn affordable(view: &LimitView, lang: Lang) -> Option<String> {
    let (has, needed) = (view.has?, view.limit.own_money);
    let sum = |won| money(won, lang);
    if let Some(reach) = view.reach.filter(|reach| *reach == view.borrower.price) {
        return Some(lang.pick(
            format!(
                "가진 돈 {}에 대출을 더하면 약 {} 집까지 살 수 있습니다(세금과 수수료는 따로입니다).",
                sum(has),
                sum(reach)
            ),
            format!(
                "With your {} and a loan you can afford a home of up to about {} (taxes and fees apart).",
                sum(has),
                sum(reach)
            ),
        ));
    }
    Some(if has >= needed {
        lang.pick(
            format!(
                "가진 돈 {}에 대출을 더하면 살 수 있습니다(대출을 한도까지 받으면 자기 자금 {}이 필요하고, 세금과 수수료는 따로입니다).",
                sum(has),
                sum(needed)
            ),
            format!(
                "With your {} and the loan you can buy it (own money needed with the full loan: {}, taxes and fees apart).",
                sum(has),
                sum(needed)
            ),
        )
    } else {
        lang.pick(
            format!(
                "가진 돈 {}으로는 {}이 모자랍니다(대출을 한도까지 받아도 자기 자금 {}이 필요하고, 세금과 수수료는 따로입니다).{}",
                sum(has),
                sum(needed - has),
                sum(needed),
                view.reach.map_or_else(String::new, |reach| format!(" 살 수 있는 집값은 약 {}까지입니다.", sum(reach)))
            ),
            format!(
                "Your {} falls {} short: even with the full loan {} of your own is needed, taxes and fees apart.{}",
                sum(has),
                sum(needed - has),
                sum(needed),
                view.reach.map_or_else(String::new, |reach| format!(" A home of up to about {} is within reach.", sum(reach)))
            ),
        )
    })
}
