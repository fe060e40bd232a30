//! What is paid by the month, late, first and last.

use super::Given;
use crate::advisor::answer::{money, percent};
use crate::advisor::tools::{Contracted, Estate, Parameters, brokerage_fee};
use crate::advisor::understand::Property;

/// The sum that is reckoned with: the one that the question says, else the one of the kind that it names, else the
/// only one that is known. Where it could be one or another, none: a figure of an earlier question must not take the
/// place of this one's.
pub(super) fn sum_meant(text: &str, said: &Parameters, all: &Parameters, loans: bool) -> Option<u64> {
    let named = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let of = |from: &Parameters| {
        let loan = from.loan.filter(|_| loans).map(|won| (won, named(&["대출", "빌", "loan", "borrow"])));
        let deposit =
            from.deposit.map(|won| (won, named(&["보증금", "전세금", "전세", "deposit", "jeonse"])));
        let price = from.price.map(|won| (won, named(&["집값", "매매", "매입", "분양", "price", "home"])));
        [loan, deposit, price].into_iter().flatten().collect::<Vec<_>>()
    };
    let only = |sums: &[(u64, bool)]| match sums {
        [(won, _)] => Some(*won),
        // The same sum under two names.
        [(won, _), rest @ ..] if rest.iter().all(|(other, _)| other == won) => Some(*won),
        sums => match sums.iter().filter(|(_, named)| *named).collect::<Vec<_>>()[..] {
            [(won, _)] => Some(*won),
            _ => None,
        },
    };
    match of(said) {
        own if !own.is_empty() => only(&own),
        _ => only(&of(all)),
    }
}

/// What was or is paid first of a whole.
fn first(whole: u64, all: &Parameters) -> Option<u64> {
    let share = || all.down_share.map(|share| (whole as f64 * share).round() as u64);
    all.paid_down.or_else(share)
}

/// 계약금 10%: and what is left to be paid.
pub(super) fn down_payment(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let whole = sum_meant(g.text, g.said, g.all, false)?;
    let down = first(whole, g.all)?;
    let rest = whole.saturating_sub(down);
    if let Some(middle) = g.all.middle.filter(|middle| *middle <= rest) {
        let left = money(rest - middle, lang);
        let (whole, down, middle) = (money(whole, lang), money(down, lang), money(middle, lang));
        return Some(lang.pick(
            format!("{whole}에서 계약금 {down}과 중도금 {middle}을 빼면 잔금은 {left}입니다."),
            format!(
                "{whole} less the down payment of {down} and {middle} in between leaves {left} to be paid."
            ),
        ));
    }
    Some(lang.pick(
        format!(
            "{} 가운데 계약금은 {}({})이고 잔금은 {}입니다.",
            money(whole, lang),
            money(down, lang),
            percent(down as f64 / whole.max(1) as f64),
            money(rest, lang)
        ),
        format!(
            "A down payment of {} ({}) on {} leaves {} to be paid.",
            money(down, lang),
            percent(down as f64 / whole.max(1) as f64),
            money(whole, lang),
            money(rest, lang)
        ),
    ))
}

/// What is left to pay out of one's own pocket when the loan comes.
pub(super) fn own_part(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let whole = all.deposit.or(all.price)?;
    let (down, loan) = (first(whole, all).unwrap_or(0), all.loan?);
    let own = whole.checked_sub(down)?.checked_sub(loan)?;
    if down == 0 {
        let (whole, loan, own) = (money(whole, lang), money(loan, lang), money(own, lang));
        return Some(lang.pick(
            format!("{whole}에서 대출 {loan}을 빼면 직접 낼 돈은 {own}입니다."),
            format!("{whole} less the loan of {loan} leaves {own} of your own cash to pay."),
        ));
    }
    Some(lang.pick(
        format!(
            "{}에서 이미 낸 {}과 대출 {}을 빼면 직접 낼 돈은 {}입니다.",
            money(whole, lang),
            money(down, lang),
            money(loan, lang),
            money(own, lang)
        ),
        format!(
            "{} less the {} paid and the loan of {} leaves {} of your own to pay.",
            money(whole, lang),
            money(down, lang),
            money(loan, lang),
            money(own, lang)
        ),
    ))
}

/// 1억 8천에 연 5%로 석 달: interest on money that is paid late, by the month.
pub(super) fn interest(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let (months, share) = (all.months.filter(|months| *months > 0)?, all.rate?);
    let sum = sum_meant(g.text, g.said, all, true)?;
    let due = (sum as f64 * share * f64::from(months) / 12.0).round() as u64;
    Some(lang.pick(
        format!(
            "{}에 연 {}로 {months}개월이면 이자는 {}입니다.",
            money(sum, lang),
            percent(share),
            money(due, lang)
        ),
        format!(
            "{} at {} a year for {months} months is {} of interest.",
            money(sum, lang),
            percent(share),
            money(due, lang)
        ),
    ))
}

/// 환산보증금: what a shop's deposit and rent count for.
pub(super) fn converted(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (deposit, rent) = (g.all.deposit?, g.all.monthly_rent?);
    let sum = deposit.saturating_add(rent.saturating_mul(100));
    Some(lang.pick(
        format!(
            "환산보증금은 보증금 {} + 월세 {} × 100 = {}입니다.",
            money(deposit, lang),
            money(rent, lang),
            money(sum, lang)
        ),
        format!(
            "The converted deposit is {} + {} × 100 = {}.",
            money(deposit, lang),
            money(rent, lang),
            money(sum, lang)
        ),
    ))
}

/// What is paid each month: the rent and what comes with it.
pub(super) fn monthly(all: &Parameters) -> Option<u64> {
    Some(all.monthly_rent?.saturating_add(all.monthly_costs.unwrap_or(0)))
}

/// What is left of a deposit after unpaid rent.
pub(super) fn arrears(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (deposit, month, months) = (g.all.deposit?, monthly(g.all)?, g.all.months?);
    let owed = month * u64::from(months);
    let left = deposit.checked_sub(owed)?;
    Some(lang.pick(
        format!(
            "밀린 {months}개월치 {}(월 {})을 보증금 {}에서 빼면 {}이 남습니다.",
            money(owed, lang),
            money(month, lang),
            money(deposit, lang),
            money(left, lang)
        ),
        format!(
            "{months} months unpaid are {} ({} each); of the deposit of {}, {} is left.",
            money(owed, lang),
            money(month, lang),
            money(deposit, lang),
            money(left, lang)
        ),
    ))
}

/// Two months' rent of a home, three of a shop, let a landlord terminate.
pub(super) fn threshold(g: &Given<'_>) -> Option<String> {
    let (lang, rent) = (g.lang, g.all.monthly_rent?);
    let shop = g.all.properties.contains(&Property::Shop);
    let months: u64 = if shop { 3 } else { 2 };
    Some(lang.pick(
        format!("월세 {}이면 {months}기분은 {}입니다.", money(rent, lang), money(rent * months, lang)),
        format!(
            "With a rent of {}, {months} months unpaid are {}.",
            money(rent, lang),
            money(rent * months, lang)
        ),
    ))
}

/// Rents of some months, with what is paid beside them.
pub(super) fn rent_total(g: &Given<'_>) -> Option<String> {
    let (lang, month) = (g.lang, monthly(g.all)?);
    let months = g
        .said
        .months
        .or(g.said.years.map(|years| years * 12))
        .or(g.all.months)
        .or(g.all.years.map(|years| years * 12))?;
    let total = month * u64::from(months);
    Some(lang.pick(
        format!("월 {}씩 {months}개월이면 모두 {}입니다.", money(month, lang), money(total, lang)),
        format!("{} a month for {months} months is {} in all.", money(month, lang), money(total, lang)),
    ))
}

/// A month's interest alone.
fn month_of_interest(all: &Parameters) -> Option<u64> {
    Some((all.loan? as f64 * all.rate? / 12.0).round() as u64)
}

/// Interest against rent, by the month.
pub(super) fn rent_or_loan(g: &Given<'_>) -> Option<String> {
    let (lang, rent, interest) = (g.lang, g.all.monthly_rent?, month_of_interest(g.all)?);
    let apart = money(rent.abs_diff(interest), lang);
    let (ko, en) = if interest <= rent { ("전세(대출)", "the loan") } else { ("월세", "the rent") };
    Some(lang.pick(
        format!(
            "대출 이자 월 {}, 월세 {}이라 매달 나가는 돈은 {ko} 쪽이 {apart} 적습니다.",
            money(interest, lang),
            money(rent, lang)
        ),
        format!(
            "Interest of {} against rent of {} a month: {en} costs {apart} less.",
            money(interest, lang),
            money(rent, lang)
        ),
    ))
}

/// The rate at which a loan's interest is as much as the rent.
pub(super) fn break_even(g: &Given<'_>) -> Option<String> {
    let (lang, rent, loan) = (g.lang, g.all.monthly_rent?, g.all.loan.filter(|loan| *loan > 0)?);
    let rate = rent as f64 * 12.0 / loan as f64;
    Some(lang.pick(
        format!(
            "대출 {}의 이자가 월세 {}과 같아지는 금리는 연 {}입니다.",
            money(loan, lang),
            money(rent, lang),
            percent(rate)
        ),
        format!(
            "A loan of {} costs as much as a rent of {} at {} a year.",
            money(loan, lang),
            money(rent, lang),
            percent(rate)
        ),
    ))
}

/// What of a deposit costs as rent instead, at the rate that was said.
pub(super) fn as_rent(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let spoken = || duru_language::figure::shares(g.text).first().map(|share| share.value);
    let rate = g.said.conversion_rate.or(g.said.rate).or_else(spoken).or(g.all.conversion_rate)?;
    let part = g.said.deposit.or(g.said.price).or(g.said.loan).or(g.all.deposit)?;
    let month = (part as f64 * rate / 12.0).round() as u64;
    let cap = g.constants.conversion_cap();
    let (ko, en) = if rate > cap {
        let cap = percent(cap);
        (format!(" 법정 전환율 상한은 연 {cap}입니다."), format!(" The law allows {cap} a year at most."))
    } else {
        (String::new(), String::new())
    };
    Some(lang.pick(
        format!(
            "{}을 연 {}로 월세로 돌리면 매달 {}입니다.{ko}",
            money(part, lang),
            percent(rate),
            money(month, lang)
        ),
        format!(
            "{} turned into rent at {} a year is {} a month.{en}",
            money(part, lang),
            percent(rate),
            money(month, lang)
        ),
    ))
}

/// The highest fee of a sale or lease with value-added tax.
pub(super) fn with_tax(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let contracted = match (g.all.price, g.all.deposit) {
        (_, Some(deposit)) if g.said.deposit.is_some() || g.all.price.is_none() => {
            Contracted::Lease { deposit, monthly_rent: g.all.monthly_rent.unwrap_or(0) }
        }
        (Some(price), _) => Contracted::Sale { price },
        _ => return None,
    };
    let estate = match g.all.properties.first() {
        Some(Property::Officetel) => Estate::Officetel,
        Some(Property::Shop | Property::Land) => Estate::Other,
        _ => Estate::Home,
    };
    let fee = brokerage_fee(estate, contracted, g.constants).most;
    Some(lang.pick(
        format!(
            "중개보수 {}에 부가가치세 10%를 더하면 {}입니다.",
            money(fee, lang),
            money(fee + fee / 10, lang)
        ),
        format!("The fee of {} with 10% VAT is {}.", money(fee, lang), money(fee + fee / 10, lang)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::lang::Lang;
    use crate::advisor::tools::Constants;

    fn sums(price: Option<u64>, deposit: Option<u64>, loan: Option<u64>) -> Parameters {
        Parameters { price, deposit, loan, ..Parameters::default() }
    }

    #[test]
    fn what_a_question_says_is_reckoned_with_and_not_what_was_said_before() {
        let known = sums(Some(900_000_000), None, Some(300_000_000));
        let all = Parameters { rate: Some(0.04), months: Some(6), ..known };
        let said = sums(None, None, Some(300_000_000));
        let constants = Constants::built_in();
        let given = |text, said, all| Given { said, all, text, tally: None, constants, lang: Lang::Ko };
        let answer = interest(&given("대출 3억을 연 4%로 6개월 쓰면 이자가 얼마예요?", &said, &all)).unwrap();
        assert!(answer.starts_with("3억원") && answer.contains("600만원"), "{answer}");
        let all = Parameters { down_share: Some(0.1), ..sums(Some(900_000_000), Some(200_000_000), None) };
        let said = sums(None, Some(200_000_000), None);
        let answer = down_payment(&given("보증금 2억의 계약금 10%", &said, &all)).unwrap();
        assert!(answer.contains("2,000만원"), "{answer}");
    }

    #[test]
    fn of_two_sums_that_were_said_before_the_named_one_is_meant_or_none() {
        let known = sums(Some(900_000_000), Some(200_000_000), None);
        let none = Parameters::default();
        assert_eq!(sum_meant("보증금을 석 달 늦게 주면 이자는?", &none, &known, true), Some(200_000_000));
        assert_eq!(sum_meant("석 달 늦게 주면 이자는?", &none, &known, true), None);
        let only = sums(None, None, Some(300_000_000));
        assert_eq!(sum_meant("6개월 이자는?", &none, &only, true), Some(300_000_000));
    }
}
