//! Loans against prices and incomes.

use super::Given;
use crate::advisor::answer::{money, percent};
use crate::advisor::tools::{Parameters, monthly_payment, principal_for};

/// The loan's share of the price, or what a share of the price is.
pub(super) fn ltv(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let price = all.price.filter(|price| *price > 0)?;
    if let Some(share) = all.said_ltv {
        let most = (price as f64 * share).round() as u64;
        return Some(lang.pick(
            format!("집값 {}의 LTV {}는 {}입니다.", money(price, lang), percent(share), money(most, lang)),
            format!("{} of {} (LTV) is {}.", percent(share), money(price, lang), money(most, lang)),
        ));
    }
    share_of_price(all.loan?, price, "LTV", g)
}

/// What is owed on a home, of its price.
pub(super) fn owed_share(g: &Given<'_>) -> Option<String> {
    let price = g.all.resale.or(g.all.price).filter(|price| *price > 0)?;
    share_of_price(g.all.debt.or(g.all.loan)?, price, "LTV", g)
}

fn share_of_price(loan: u64, price: u64, name: &str, g: &Given<'_>) -> Option<String> {
    let (lang, share) = (g.lang, loan as f64 / price as f64);
    Some(lang.pick(
        format!(
            "대출 {}은 집값 {}의 {}({name})입니다.",
            money(loan, lang),
            money(price, lang),
            percent(share)
        ),
        format!(
            "A loan of {} is {} of the price of {} ({name}).",
            money(loan, lang),
            percent(share),
            money(price, lang)
        ),
    ))
}

/// What is left of what a share of the price lends, when an older loan is paid back.
pub(super) fn left_of_loan(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let lent = match (all.said_ltv, all.price) {
        (Some(share), Some(price)) => (price as f64 * share).round() as u64,
        _ => all.loan.filter(|loan| Some(*loan) != all.debt)?,
    };
    let debt = all.debt?;
    let left = lent.checked_sub(debt)?;
    Some(lang.pick(
        format!(
            "{}에서 기존 대출 {}을 갚으면 {}이 남습니다.",
            money(lent, lang),
            money(debt, lang),
            money(left, lang)
        ),
        format!(
            "Of {}, {} is left once the {} are paid back.",
            money(lent, lang),
            money(left, lang),
            money(debt, lang)
        ),
    ))
}

/// What the loan that is spoken of costs a year, and what other loans do.
fn yearly(all: &Parameters) -> Option<(u64, u64)> {
    let others = all.other_repayments.unwrap_or(0);
    if let Some(paid) = all.loan_payments {
        return Some((paid, others.max(all.other_interest.unwrap_or(0))));
    }
    let (loan, rate, years) = (all.loan?, all.rate?, all.years?);
    let month = monthly_payment(loan, rate / 12.0, years * 12).round() as u64;
    Some((month * 12, others))
}

/// What is paid a year for all loans, of the income.
pub(super) fn dsr(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let income = g.all.income.filter(|income| *income > 0)?;
    let (own, others) = yearly(g.all)?;
    let share = (own + others) as f64 / income as f64;
    let (ko, en) = if others > 0 {
        (
            format!(" + 다른 대출 {}", money(others, lang)),
            format!(" + {} for other loans", money(others, lang)),
        )
    } else {
        (String::new(), String::new())
    };
    Some(lang.pick(
        format!(
            "1년 원리금 {}{ko}은 연소득 {}의 {}입니다(DSR, 스트레스 금리 제외).",
            money(own, lang),
            money(income, lang),
            percent(share)
        ),
        format!(
            "Repayments of {} a year{en} are {} of an income of {} (DSR, without the stress rate).",
            money(own, lang),
            percent(share),
            money(income, lang)
        ),
    ))
}

/// The loan's repayments and other loans' interest, of the income.
pub(super) fn dti(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let income = g.all.income.filter(|income| *income > 0)?;
    let own = match g.all.loan_payments {
        Some(paid) => paid,
        None => yearly(g.all)?.0,
    };
    let others = g.all.other_interest.unwrap_or(0);
    let share = (own + others) as f64 / income as f64;
    Some(lang.pick(
        format!(
            "주택담보대출 원리금 {} + 다른 대출 이자 {}은 연소득 {}의 {}입니다(DTI).",
            money(own, lang),
            money(others, lang),
            money(income, lang),
            percent(share)
        ),
        format!(
            "Repayments of {} and {} of other loans' interest are {} of an income of {} (DTI).",
            money(own, lang),
            money(others, lang),
            percent(share),
            money(income, lang)
        ),
    ))
}

/// What a share of the income is, a year and a month.
pub(super) fn dsr_year(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let income = g.all.income.filter(|income| *income > 0)?;
    let share = g.all.said_dsr.unwrap_or_else(|| g.constants.dsr());
    let year = ((income as f64 * share).round() as u64).saturating_sub(g.all.other_repayments.unwrap_or(0));
    Some(lang.pick(
        format!(
            "연소득 {}의 DSR {}로 낼 수 있는 원리금은 1년에 {}, 한 달에 {}입니다.",
            money(income, lang),
            percent(share),
            money(year, lang),
            money(year / 12, lang)
        ),
        format!(
            "A DSR of {} on {} a year allows repayments of {} a year, {} a month.",
            percent(share),
            money(income, lang),
            money(year, lang),
            money(year / 12, lang)
        ),
    ))
}

/// How much may be lent by a share of the income alone.
pub(super) fn dsr_limit(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let income = g.all.income.filter(|income| *income > 0)?;
    let (rate, years) = (g.all.rate?, g.all.years?);
    let share = g.all.said_dsr.unwrap_or_else(|| g.constants.dsr());
    let others = g.all.other_repayments.unwrap_or(0);
    let month = (income as f64 * share - others as f64).max(0.0) / 12.0;
    let most = principal_for(month, rate / 12.0, years * 12).round() as u64;
    let (ko, en) = if others > 0 {
        (
            format!(", 다른 대출 연 {}을 빼고", money(others, lang)),
            format!(", less {} a year for other loans,", money(others, lang)),
        )
    } else {
        (String::new(), String::new())
    };
    Some(lang.pick(
        format!(
            "연소득 {}의 DSR {}만 보면{ko} 연 {}, {years}년에 약 {}까지 빌릴 수 있습니다(스트레스 금리 제외).",
            money(income, lang),
            percent(share),
            percent(rate),
            money(most, lang)
        ),
        format!(
            "By a DSR of {} on {} alone{en} about {} can be borrowed at {} over {years} years (without the stress rate).",
            percent(share),
            money(income, lang),
            money(most, lang),
            percent(rate)
        ),
    ))
}

/// How much more may be paid a year.
pub(super) fn dsr_room(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let income = g.all.income.filter(|income| *income > 0)?;
    let share = g.all.said_dsr.or(g.all.rate.filter(|rate| *rate > 0.2)).unwrap_or_else(|| g.constants.dsr());
    let (own, others) = yearly(g.all)?;
    let room = (income as f64 * share).round() as i64 - (own + others) as i64;
    let sum = money(room.unsigned_abs(), lang);
    Some(if room >= 0 {
        lang.pick(
            format!(
                "DSR {}까지 1년에 {}, 한 달에 {} 더 낼 수 있습니다.",
                percent(share),
                sum,
                money(room as u64 / 12, lang)
            ),
            format!(
                "Up to a DSR of {}, {} more a year can be paid, {} a month.",
                percent(share),
                sum,
                money(room as u64 / 12, lang)
            ),
        )
    } else {
        lang.pick(
            format!("DSR {}를 이미 1년에 {} 넘었습니다.", percent(share), sum),
            format!("A DSR of {} is exceeded by {} a year already.", percent(share), sum),
        )
    })
}
