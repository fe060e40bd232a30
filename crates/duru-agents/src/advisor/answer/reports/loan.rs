//! How much can be borrowed, and how it is paid back.

use crate::advisor::answer::names::{assumed, money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{LimitView, LimitedBy, RepaymentView};

pub(super) fn limit_lines(view: &LimitView, lang: Lang) -> Vec<String> {
    let (limit, borrower) = (&view.limit, &view.borrower);
    let (ko, en) = match limit.limited_by {
        LimitedBy::Ltv => ("집값(LTV)", "the home's price (LTV)"),
        LimitedBy::Dti => ("소득(DTI)", "income (DTI)"),
        LimitedBy::Dsr => ("소득(DSR)", "income (DSR)"),
        LimitedBy::PriceCap => ("집값 구간별 상한", "the cap for homes of this price"),
    };
    let area = match (borrower.regulated, borrower.capital) {
        (true, _) => ("규제지역", "regulated area"),
        (false, true) => ("수도권 비규제지역", "around Seoul, not regulated"),
        (false, false) => ("비규제지역", "area without regulation"),
    };
    let income_known = borrower.annual_income < 1_000_000_000_000;
    let mut lines = vec![
        lang.pick(
            format!("대출 한도: 약 {} — {ko} 때문에 이만큼입니다.", money(limit.limit, lang)),
            format!("Highest loan: about {}, set by {en}.", money(limit.limit, lang)),
        ),
        lang.pick(
            format!(
                "집값 {} ({}), 금리 연 {}, {}년",
                money(borrower.price, lang),
                area.0,
                percent(borrower.annual_rate),
                borrower.years
            ),
            format!(
                "Price {} ({}), {} a year, {} years",
                money(borrower.price, lang),
                area.1,
                percent(borrower.annual_rate),
                borrower.years
            ),
        ),
    ];
    let mut parts =
        vec![lang.pick(
            format!("LTV {}", money(limit.by_ltv, lang)),
            format!("LTV {}", money(limit.by_ltv, lang)),
        )];
    if income_known {
        parts.push(format!("DTI {}", money(limit.by_dti / 10_000 * 10_000, lang)));
        parts.push(format!("DSR {}", money(limit.by_dsr / 10_000 * 10_000, lang)));
    }
    if let Some(cap) = limit.by_price {
        parts.push(
            lang.pick(
                format!("집값 구간 상한 {}", money(cap, lang)),
                format!("price cap {}", money(cap, lang)),
            ),
        );
    }
    lines.push(
        lang.pick(format!("기준별 한도: {}", parts.join(", ")), format!("By rule: {}", parts.join(", "))),
    );
    lines.push(lang.pick(
        format!(
            "월 상환액(원리금균등) 약 {}, 필요한 자기 자금 {} (세금·수수료 별도)",
            money(limit.monthly_payment, lang),
            money(limit.own_money, lang)
        ),
        format!(
            "About {} a month (level payments); own money {} (without taxes and fees)",
            money(limit.monthly_payment, lang),
            money(limit.own_money, lang)
        ),
    ));
    if borrower.other_repayments > 0 {
        lines.push(lang.pick(
            format!("다른 대출의 연 상환액 {}을 뺀 한도입니다.", money(borrower.other_repayments, lang)),
            format!("Less {} a year for other loans.", money(borrower.other_repayments, lang)),
        ));
    }
    lines.extend(assumed(&view.assumed, lang));
    lines
}

pub(super) fn repayment_lines(view: &RepaymentView, lang: Lang) -> Vec<String> {
    if view.interest_only {
        let mut lines = vec![lang.pick(
            format!(
                "{} 대출, 연 {}: 이자만 내면(만기일시상환) 매달 약 {}, 1년 {}",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang),
                money(view.interest * 12, lang)
            ),
            format!(
                "A loan of {} at {} a year: interest only, about {} a month, {} a year",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang),
                money(view.interest * 12, lang)
            ),
        )];
        lines.extend(assumed(&view.assumed, lang));
        return lines;
    }
    let mut lines = vec![
        lang.pick(
            format!("{} 대출, 연 {}, {}년", money(view.principal, lang), percent(view.rate), view.years),
            format!(
                "A loan of {}, {} a year, {} years",
                money(view.principal, lang),
                percent(view.rate),
                view.years
            ),
        ),
        lang.pick(
            format!(
                "원리금균등: 매달 {}, 총이자 {}",
                money(view.monthly, lang),
                money(view.total_interest, lang)
            ),
            format!(
                "Level payments: {} a month, {} interest in all",
                money(view.monthly, lang),
                money(view.total_interest, lang)
            ),
        ),
        lang.pick(
            format!(
                "원금균등: 첫 달 {}, 마지막 달 {}, 총이자 {}",
                money(view.first_month, lang),
                money(view.last_month, lang),
                money(view.principal_interest, lang)
            ),
            format!(
                "Level principal: {} in the first month, {} in the last, {} interest in all",
                money(view.first_month, lang),
                money(view.last_month, lang),
                money(view.principal_interest, lang)
            ),
        ),
    ];
    if view.level_principal {
        lines.remove(1);
    }
    lines.extend(assumed(&view.assumed, lang));
    lines
}
