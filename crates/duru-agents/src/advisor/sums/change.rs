//! What changes hands and what stays: a sale once the loan is paid, a lease whose deposit changes, a rent of an income, a
//! year's interest.

use duru_language::figure::shares;

use super::Given;
use super::pay::{monthly, sum_meant};
use crate::advisor::answer::{money, percent};
use crate::advisor::tools::Parameters;

/// What is left of a sale once the loan and what it cost are paid.
pub(super) fn sale_left(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let (sold, debt) = (all.resale?, all.debt.or(all.loan)?);
    let costs = all.expenses.unwrap_or(0);
    let left = sold.checked_sub(debt)?.checked_sub(costs)?;
    let (ko, en) = if costs > 0 {
        (format!("과 비용 {}", money(costs, lang)), format!(" and costs of {}", money(costs, lang)))
    } else {
        (String::new(), String::new())
    };
    let (sold, debt, left) = (money(sold, lang), money(debt, lang), money(left, lang));
    Some(lang.pick(
        format!("{sold}에 팔아 대출 {debt}{ko}을 빼면 손에 남는 돈은 {left}입니다."),
        format!("Sold for {sold}, less the loan of {debt}{en}, {left} is left."),
    ))
}

/// The rent of a lease whose deposit becomes another: what the deposit falls by is rent, at the rate that was said.
pub(in crate::advisor) fn rent_after(all: &Parameters) -> Option<u64> {
    let (from, to, rent, rate) = (all.deposit?, all.keep?, all.paid_rent?, all.conversion_rate?);
    let moved = (from.abs_diff(to) as f64 * rate / 12.0).round() as u64;
    if to <= from { Some(rent.saturating_add(moved)) } else { rent.checked_sub(moved) }
}

pub(super) fn changed_lease(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let (from, to, rent, then) = (all.deposit?, all.keep?, all.paid_rent?, rent_after(all)?);
    let (apart, by) = (money(from.abs_diff(to), lang), money(rent.abs_diff(then), lang));
    let rate = percent(all.conversion_rate?);
    let (from, to, rent, then) = (money(from, lang), money(to, lang), money(rent, lang), money(then, lang));
    Some(lang.pick(
        format!(
            "보증금을 {from}에서 {to}으로 바꾸면 차이 {apart} × 연 {rate} ÷ 12 = 월 {by}이라, 월세는 {rent}에서 {then}이 됩니다."
        ),
        format!(
            "With the deposit going from {from} to {to}, {apart} × {rate} ÷ 12 = {by} a month, so the rent goes from {rent} to {then}."
        ),
    ))
}

/// What a rent, with what is paid beside it, is of an income.
pub(super) fn rent_share(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let income = g.all.income.filter(|income| *income > 0)?;
    let month = monthly(g.all)?;
    let share = percent(month as f64 * 12.0 / income as f64);
    let (year, income, month) = (money(month * 12, lang), money(income, lang), money(month, lang));
    Some(lang.pick(
        format!("집에 매달 {month}, 1년에 {year}을 내면 한 해 버는 {income}의 {share}입니다."),
        format!("{month} a month, {year} a year, is {share} of the {income} earned a year."),
    ))
}

/// 월세 세액공제: a share of a year's rent, by what is earned.
pub(super) fn rent_credit(g: &Given<'_>) -> Option<String> {
    let (lang, rules) = (g.lang, &g.constants.rent_credit);
    let (rent, income) = (g.all.monthly_rent?, g.all.income?);
    let rate = if income <= rules.low_income_up_to {
        rules.low_income_rate
    } else if income <= rules.income_up_to {
        rules.rate
    } else {
        return None;
    };
    let counts = (rent * 12).min(rules.rent_up_to);
    let back = money((counts as f64 * rate).round() as u64, lang);
    let (rent, counts, income, as_of) =
        (money(rent, lang), money(counts, lang), money(income, lang), g.constants.as_of);
    let rate = percent(rate);
    Some(lang.pick(
        format!(
            "월세 {rent}의 1년치 가운데 {counts}이 공제 대상이고, 총급여 {income}이면 그 {rate}인 {back}까지 세액공제를 받습니다(무주택 세대의 근로자, {as_of} 기준)."
        ),
        format!(
            "Of a year's rent at {rent} a month {counts} counts; with {income} earned, {rate} of it, {back}, comes off the tax (for employees without a home, as of {as_of})."
        ),
    ))
}

/// What a sum bears by the year and by the month.
pub(super) fn year_of_interest(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let spoken = || shares(g.text).first().map(|share| share.value);
    let rate = g.said.rate.or_else(spoken).or(g.all.rate)?;
    let sum = sum_meant(g.text, g.said, g.all, true)?;
    let year = sum as f64 * rate;
    let month = money((year / 12.0).round() as u64, lang);
    let (year, sum, rate) = (money(year.round() as u64, lang), money(sum, lang), percent(rate));
    Some(lang.pick(
        format!("{sum}의 연 {rate} 이자는 세금을 떼기 전 1년에 {year}, 한 달에 {month}입니다."),
        format!("{sum} at {rate} bears {year} a year, {month} a month, before tax."),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::lang::Lang;
    use crate::advisor::tools::Constants;

    fn given<'a>(all: &'a Parameters, text: &'a str, lang: Lang) -> Given<'a> {
        Given { said: all, all, text, tally: None, constants: Constants::built_in(), lang }
    }

    /// 7.5억 less 2.1억 and 300만 is 5억 3,700만.
    #[test]
    fn what_a_sale_leaves_by_hand() {
        let all = Parameters {
            resale: Some(750_000_000),
            debt: Some(210_000_000),
            expenses: Some(3_000_000),
            ..Parameters::default()
        };
        assert!(sale_left(&given(&all, "", Lang::Ko)).unwrap().contains("5억 3,700만원"));
    }

    /// 3천만 at 5 % are 125,000 a month: of 70만 the deposit's rise takes 125,000 away, its fall adds as much.
    #[test]
    fn a_lease_whose_deposit_changes_by_hand() {
        let up = Parameters {
            deposit: Some(20_000_000),
            keep: Some(50_000_000),
            paid_rent: Some(700_000),
            conversion_rate: Some(0.05),
            ..Parameters::default()
        };
        assert_eq!(rent_after(&up), Some(575_000));
        let down = Parameters { deposit: Some(50_000_000), keep: Some(20_000_000), ..up };
        assert_eq!(rent_after(&down), Some(825_000));
    }

    /// 700만 of a year's rent: 17 % are 119만, 15 % 105만; above 8천만 there is none.
    #[test]
    fn what_comes_back_of_a_rent_by_hand() {
        let of = |income| {
            let rent = Some(7_000_000 / 12 + 1);
            let all = Parameters { monthly_rent: rent, income: Some(income), ..Parameters::default() };
            rent_credit(&given(&all, "", Lang::Ko)).unwrap_or_default()
        };
        assert!(
            of(50_000_000).contains("1,190,00") || of(50_000_000).contains("119만"),
            "{}",
            of(50_000_000)
        );
        assert!(of(60_000_000).contains("105만"), "{}", of(60_000_000));
        assert_eq!(of(90_000_000), "");
    }

    /// 60만 and 10만 a month are 840만 a year, 21 % of 4천만; 1.5억 at 4 % bear 600만 a year and 50만 a month.
    #[test]
    fn shares_and_interest_by_hand() {
        let all = Parameters {
            monthly_rent: Some(600_000),
            monthly_costs: Some(100_000),
            income: Some(40_000_000),
            ..Parameters::default()
        };
        assert!(rent_share(&given(&all, "", Lang::En)).unwrap().contains("21%"));
        let lent = Parameters { loan: Some(150_000_000), rate: Some(0.04), ..Parameters::default() };
        let line = year_of_interest(&given(&lent, "", Lang::Ko)).unwrap();
        assert!(line.contains("1년에 600만원, 한 달에 50만원"), "{line}");
    }
}
