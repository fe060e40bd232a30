//! What is lost and left: down payments, rents after interest, guarantees, the rate behind a rent.

use super::Given;
use crate::advisor::answer::{money, percent};
use crate::advisor::tools::{Plan, Repayment, monthly_payment, schedule};

/// Whoever paid the down payment gives it up; whoever took it pays twice as much, until the next part is paid.
pub(super) fn forfeit(g: &Given<'_>) -> Option<String> {
    let (lang, paid) = (g.lang, g.all.paid_down?);
    let (paid, twice) = (money(paid, lang), money(paid * 2, lang));
    Some(lang.pick(
        format!(
            "계약금 {paid}: 낸 쪽이 깨면 {paid}을 포기하고, 받은 쪽이 깨면 배액인 {twice}(받은 {paid} + 같은 금액)을 돌려줍니다(중도금을 내기 전까지; 그 뒤에는 어느 쪽도 이렇게 해제할 수 없습니다)."
        ),
        format!(
            "Of a contract deposit of {paid}: a buyer who pulls out loses {paid}, a seller who pulls out hands over {twice} in total (the {paid} and as much again), until the next part is paid; after that neither can withdraw that way."
        ),
    ))
}

/// A month's rent less the interest of the loan.
pub(super) fn net_rent(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let (rent, loan, rate) = (all.monthly_rent?, all.loan?, all.rate?);
    let interest = (loan as f64 * rate / 12.0).round() as u64;
    let costs = all.monthly_costs.unwrap_or(0);
    let left = rent as i64 - interest as i64 - costs as i64;
    let sign = if left < 0 { "-" } else { "" };
    let left = money(left.unsigned_abs(), lang);
    let (rent, loan, interest) = (money(rent, lang), money(loan, lang), money(interest, lang));
    let (ko, en) = if costs > 0 {
        let costs = money(costs, lang);
        (format!("과 비용 {costs}"), format!(" and costs of {costs}"))
    } else {
        (String::new(), String::new())
    };
    let rate = percent(rate);
    Some(lang.pick(
        format!("월세 {rent}에서 대출 {loan}의 이자(연 {rate}) 월 {interest}{ko}을 빼면 매달 {sign}{left}이 남습니다."),
        format!(
            "Of the rent of {rent}, {interest} of interest a month ({loan} at {rate}){en} leaves {sign}{left} each month."
        ),
    ))
}

/// The highest deposit that a guarantee is given for, by the official price.
pub(super) fn insurable(g: &Given<'_>) -> Option<String> {
    let (lang, official) = (g.lang, g.all.official_price?);
    let share = g.constants.guarantee.official_share;
    let most = (official as f64 * share).round() as u64;
    let beside = prior(g, most);
    let (official, most, as_of) = (money(official, lang), money(most, lang), g.constants.as_of);
    let share = percent(share);
    Some(lang.pick(
        format!("공시가격 {official}의 {share}인 {most}까지 보증보험(HUG)에 들 수 있습니다({as_of} 기준, 선순위 채권 포함).{beside}"),
        format!(
            "HUG insures up to {share} of the official price of {official}, that is {most} (as of {as_of}, prior claims included).{beside}"
        ),
    ))
}

/// Whether the deposit that is spoken of lies within that.
fn prior(g: &Given<'_>, most: u64) -> String {
    let Some(deposit) = g.all.deposit else { return String::new() };
    let claimed = deposit.saturating_add(g.all.prior_claims.unwrap_or(0));
    let sum = money(claimed, g.lang);
    if claimed <= most {
        g.lang.pick(
            format!(" 보증금과 선순위의 합 {sum}은 그 안입니다."),
            format!(" {sum} of deposit and prior claims lies within that."),
        )
    } else {
        g.lang.pick(
            format!(" 보증금과 선순위의 합 {sum}은 그보다 많습니다."),
            format!(" {sum} of deposit and prior claims lies above that."),
        )
    }
}

/// What two leases differ by in rent a year, of what they differ by in deposit; one of them may have no rent.
pub(super) fn implied_rate(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let (from, to, rent) = (all.deposit?, all.keep?, all.monthly_rent?);
    let part = Some(from.abs_diff(to)).filter(|part| *part > 0)?;
    let apart = all.paid_rent.unwrap_or(0).abs_diff(rent);
    let rate = percent(apart as f64 * 12.0 / part as f64);
    let (from, to, part) = (money(from, lang), money(to, lang), money(part, lang));
    if let Some(paid) = all.paid_rent {
        let (paid, rent, apart) = (money(paid, lang), money(rent, lang), money(apart, lang));
        return Some(lang.pick(
            format!(
                "보증금 {from}에 월 {paid}과 보증금 {to}에 월 {rent}은 보증금 {part}과 월세 {apart}이 다르니, {apart} × 12 ÷ {part} = 연 {rate}로 쳐준 셈입니다(전환율)."
            ),
            format!(
                "{from} with {paid} a month against {to} with {rent}: {apart} × 12 ÷ {part} is a rate of {rate} a year."
            ),
        ));
    }
    let rent = money(rent, lang);
    Some(lang.pick(
        format!("전세 {from}과 보증금 {to}의 차이 {part}을 월세 {rent}으로 낸다면 연 {rate}로 돌린 셈입니다(전환율)."),
        format!("A rent of {rent} for the {part} between {from} and {to} is a conversion at {rate} a year."),
    ))
}

/// Level payments of a loan, or its interest alone.
pub(super) fn payment(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let (principal, annual_rate) = (all.loan?, all.rate?);
    let (loan, rate) = (money(principal, lang), percent(annual_rate));
    if all.interest_only {
        let month = money((principal as f64 * annual_rate / 12.0).round() as u64, lang);
        return Some(lang.pick(
            format!("{loan}을 연 {rate}로 이자만 내면 매달 {month}입니다."),
            format!("{loan} at {rate}, interest only, costs {month} a month."),
        ));
    }
    let years = all.years?;
    let month = money(monthly_payment(principal, annual_rate / 12.0, years * 12).round() as u64, lang);
    let loan_of = Repayment { principal, annual_rate, months: years * 12, plan: Plan::EqualPayment };
    let interest = money(schedule(&loan_of).total_interest, lang);
    Some(lang.pick(
        format!("{loan}을 연 {rate}로 {years}년이면 매달 {month}, 총이자 {interest}입니다."),
        format!("{loan} at {rate} over {years} years costs {month} a month, {interest} of interest in all."),
    ))
}
