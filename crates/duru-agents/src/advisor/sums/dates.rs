//! By when something is done: a notice, a renewal, a tax that is filed.

use jiff::ToSpan;
use jiff::civil::Date;

use super::Given;
use crate::advisor::answer::percent;
use crate::advisor::lang::Lang;
use crate::advisor::understand::{Day, Property, days};

/// Of a day without its year, the year is not told.
fn shown(date: Date, of: Day, lang: Lang) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (year, month, day) = (date.year(), date.month(), date.day());
    let name = usize::try_from(month - 1).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or_default();
    match of.year {
        Some(_) => lang.pick(format!("{year}년 {month}월 {day}일"), format!("{day} {name} {year}")),
        None => lang.pick(format!("{month}월 {day}일"), format!("{day} {name}")),
    }
}

/// The last day that a text says.
fn last_day(text: &str) -> Option<(Day, Date)> {
    let day = days(text).pop()?;
    Some((day, day.date()?))
}

/// Three months after the landlord heard of it, where a lease was renewed.
pub(super) fn notice_ends(g: &Given<'_>) -> Option<String> {
    const MONTHS: i32 = 3;
    let (day, heard) = last_day(g.text)?;
    let ends = shown(heard.checked_add(MONTHS.months()).ok()?, day, g.lang);
    let heard = shown(heard, day, g.lang);
    Some(g.lang.pick(
        format!("{heard}에 알았다면 {MONTHS}개월 뒤인 {ends}에 해지의 효력이 생기고, 그때 보증금을 돌려받습니다(갱신된 계약)."),
        format!(
            "Heard of on {heard}, the notice takes effect {MONTHS} months later, on {ends}, and the deposit is due then (a renewed lease)."
        ),
    ))
}

/// Between which days a tenant asks for renewal, where the last day of the lease is said.
pub(super) fn renewal_window(g: &Given<'_>) -> Option<String> {
    let (day, end) = last_day(g.text)?;
    let last = if g.all.properties.contains(&Property::Shop) { 1 } else { 2 };
    let from = shown(end.checked_sub(6.months()).ok()?, day, g.lang);
    let to = shown(end.checked_sub(last.months()).ok()?, day, g.lang);
    let end = shown(end, day, g.lang);
    Some(g.lang.pick(
        format!("{end}에 끝나는 계약은 {from}부터 {to}까지 갱신을 요구하거나 거절을 알려야 합니다."),
        format!("For a lease that ends on {end}, renewal is asked for or refused between {from} and {to}."),
    ))
}

/// So many months after the end of the month that a day lies in.
fn after_month(date: Date, months: i32) -> Option<Date> {
    date.last_of_month().checked_add(months.months()).ok().map(Date::last_of_month)
}

/// 양도소득세 예정신고.
pub(super) fn filing_gains(g: &Given<'_>) -> Option<String> {
    let (day, sold) = last_day(g.text)?;
    let months = g.constants.filing.gains_months;
    let due = shown(after_month(sold, months)?, day, g.lang);
    let sold = shown(sold, day, g.lang);
    Some(g.lang.pick(
        format!(
            "{sold}에 잔금을 받으면(양도일) 그 달 말일부터 {months}개월인 {due}까지 양도소득세를 예정신고하고 냅니다(소득세법 제105조; 휴일이면 다음 영업일)."
        ),
        format!(
            "With the balance paid on {sold}, the capital gains tax is filed by {due}, {months} months after the end of that month (Income Tax Act, article 105; the next working day if that is a holiday)."
        ),
    ))
}

/// 증여세 신고.
pub(super) fn filing_gift(g: &Given<'_>) -> Option<String> {
    let (day, given) = last_day(g.text)?;
    let (months, rules) = (g.constants.filing.gift_months, &g.constants.gift_tax);
    let due = shown(after_month(given, months)?, day, g.lang);
    let (given, off, on) = (shown(given, day, g.lang), percent(rules.in_time), percent(rules.unfiled));
    Some(g.lang.pick(
        format!(
            "{given}에 받으면 그 달 말일부터 {months}개월인 {due}까지 증여세를 신고합니다(휴일이면 다음 영업일). 기한 안에 신고하면 세액의 {off}를 빼 주고, 신고하지 않으면 무신고가산세 {on}와 납부지연가산세가 붙습니다."
        ),
        format!(
            "For a gift on {given} the gift tax is filed by {due}, {months} months after the end of that month (the next working day if that is a holiday). Filing in time takes {off} off the tax; not filing adds a penalty of {on} and interest for late payment."
        ),
    ))
}

/// 취득세 신고.
pub(super) fn filing_acquisition(g: &Given<'_>) -> Option<String> {
    let (day, bought) = last_day(g.text)?;
    let within = g.constants.filing.acquisition_days;
    let due = shown(bought.checked_add(within.days()).ok()?, day, g.lang);
    let bought = shown(bought, day, g.lang);
    Some(g.lang.pick(
        format!("{bought}에 잔금을 치르면 {within}일 안인 {due}까지 취득세를 신고하고 냅니다(지방세법 제20조)."),
        format!(
            "With the balance paid on {bought}, the acquisition tax is filed and paid within {within} days, by {due} (Local Tax Act, article 20)."
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::tools::{Constants, Parameters};

    fn given<'a>(all: &'a Parameters, text: &'a str, lang: Lang) -> Given<'a> {
        Given { said: all, all, text, tally: None, constants: Constants::built_in(), lang }
    }

    /// 11 March: the end of March and two months is 31 May, three months 30 June; 60 days are 10 May.
    #[test]
    fn by_when_a_tax_is_filed_by_hand() {
        let all = Parameters::default();
        let of = |text, lang| given(&all, text, lang);
        let ko = "2027년 3월 11일에 잔금";
        assert!(filing_gains(&of(ko, Lang::Ko)).unwrap().contains("2027년 5월 31일"));
        assert!(filing_gift(&of("i send it on 11 march 2027", Lang::En)).unwrap().contains("30 June 2027"));
        assert!(filing_acquisition(&of(ko, Lang::Ko)).unwrap().contains("2027년 5월 10일"));
    }

    #[test]
    fn a_renewal_is_asked_for_two_months_before_by_hand() {
        let all = Parameters::default();
        let line = renewal_window(&given(&all, "the lease ends 12 november", Lang::En)).unwrap();
        assert!(line.contains("between 12 May and 12 September"), "{line}");
    }
}
