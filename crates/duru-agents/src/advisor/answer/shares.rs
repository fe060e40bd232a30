//! Shares and plain sums that people reckon with: a loan's share of a price, what is paid a year of what is earned, a down
//! payment, interest for some months.

use std::sync::LazyLock;

use regex::Regex;

use super::super::carry;
use super::super::lang::Lang;
use super::super::state::Advice;
use super::super::tools::{Constants, Parameters, monthly_payment, principal_for};
use super::super::wanted::percent_of;
use super::names::{money, percent};

#[allow(clippy::unwrap_used, reason = "patterns that are written here; tests use each")]
static MONTHS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:([0-9]{1,2})\s*(?:개월|달|months?)|(한|두|석|세|넉|네|여섯)\s*달)").unwrap()
});
#[allow(clippy::unwrap_used, reason = "see above")]
static SHARE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([0-9]{1,2}(?:\.[0-9]{1,3})?)\s*(?:%|퍼센트|프로|퍼|percent)").unwrap());

/// Sentences with what is asked for; empty where nothing of the kind is.
pub(super) fn shares(s: &Advice, constants: &Constants, lang: Lang) -> Vec<String> {
    let question = s.question();
    let text = question.text.to_lowercase();
    let said = carry::said(s, &question);
    let mut all = said.clone();
    if question.regions().is_empty() || question.regions() == s.ledger.parameters().regions {
        carry::fill(&mut all, &s.ledger.parameters());
    }
    let found = [
        by_ltv(&text, &all, lang),
        by_dsr(&text, &all, constants.dsr(), lang),
        down_payment(&text, &said, &all, lang),
        interest(&text, &said, &all, lang),
        converted(&text, &all, lang),
        plain_yield(&text, &all, lang),
        jeonse_ratio(&text, &all, lang),
    ];
    found.into_iter().flatten().collect()
}

/// The sum that is reckoned with: the one that the question says, else the one of the kind that it names, else the
/// only one that is known. Where it could be one or another, none: a figure of an earlier question must not take the
/// place of this one's.
fn sum_meant(text: &str, said: &Parameters, all: &Parameters, loans: bool) -> Option<u64> {
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

fn by_ltv(text: &str, all: &Parameters, lang: Lang) -> Option<String> {
    if !text.contains("ltv") && !text.contains("담보인정") {
        return None;
    }
    let price = all.price.filter(|price| *price > 0)?;
    if let Some(share) = percent_of(text, &["ltv"]) {
        let most = (price as f64 * share).round() as u64;
        return Some(lang.pick(
            format!("집값 {}의 LTV {}는 {}입니다.", money(price, lang), percent(share), money(most, lang)),
            format!("{} of {} (LTV) is {}.", percent(share), money(price, lang), money(most, lang)),
        ));
    }
    let loan = all.loan?;
    let share = loan as f64 / price as f64;
    Some(lang.pick(
        format!("대출 {}은 집값 {}의 {}(LTV)입니다.", money(loan, lang), money(price, lang), percent(share)),
        format!(
            "A loan of {} is {} of the price of {} (LTV).",
            money(loan, lang),
            percent(share),
            money(price, lang)
        ),
    ))
}

fn by_dsr(text: &str, all: &Parameters, usual: f64, lang: Lang) -> Option<String> {
    if !text.contains("dsr") {
        return None;
    }
    let income = all.income.filter(|income| *income > 0)?;
    let how_much = ["얼마까지", "총 얼마", "얼마나 빌", "how much"].iter().any(|word| text.contains(word));
    if let (true, Some(rate), Some(years)) = (how_much, all.rate, all.years) {
        let share = percent_of(text, &["dsr"]).unwrap_or(usual);
        let month = income as f64 * share / 12.0;
        let most = principal_for(month.max(0.0), rate / 12.0, years * 12).round() as u64;
        return Some(lang.pick(
            format!(
                "연소득 {}의 DSR {}만 보면 연 {}, {years}년에 약 {}까지 빌릴 수 있습니다(스트레스 금리 제외).",
                money(income, lang),
                percent(share),
                percent(rate),
                money(most, lang)
            ),
            format!(
                "By a DSR of {} on {} alone, about {} at {} over {years} years (without the stress rate).",
                percent(share),
                money(income, lang),
                money(most, lang),
                percent(rate)
            ),
        ));
    }
    if let Some(share) = percent_of(text, &["dsr"]) {
        let year = (income as f64 * share).round() as u64;
        return Some(lang.pick(
            format!(
                "연소득 {}의 DSR {}는 1년에 {}, 한 달에 {}입니다.",
                money(income, lang),
                percent(share),
                money(year, lang),
                money(year / 12, lang)
            ),
            format!(
                "A DSR of {} on {} a year is {} a year, {} a month.",
                percent(share),
                money(income, lang),
                money(year, lang),
                money(year / 12, lang)
            ),
        ));
    }
    let (loan, rate, years) = (all.loan?, all.rate?, all.years?);
    let month = monthly_payment(loan, rate / 12.0, years * 12).round() as u64;
    let share = month as f64 * 12.0 / income as f64;
    Some(lang.pick(
        format!(
            "{}을 연 {}로 {years}년 갚으면 1년에 {}으로 연소득 {}의 {}입니다(DSR, 스트레스 금리와 다른 대출 제외).",
            money(loan, lang),
            percent(rate),
            money(month * 12, lang),
            money(income, lang),
            percent(share)
        ),
        format!(
            "{} at {} over {years} years takes {} a year, {} of {} (DSR, without stress rate and other loans).",
            money(loan, lang),
            percent(rate),
            money(month * 12, lang),
            percent(share),
            money(income, lang)
        ),
    ))
}

/// 계약금 10%: and what is left to be paid.
fn down_payment(text: &str, said: &Parameters, all: &Parameters, lang: Lang) -> Option<String> {
    let share = percent_of(text, &["계약금", "down payment"]).or_else(|| {
        let says = text.contains("계약금") || text.contains("down payment");
        says.then(|| SHARE.captures(text)?.get(1)?.as_str().parse::<f64>().ok().map(|share| share / 100.0))?
    })?;
    let whole = sum_meant(text, said, all, false)?;
    let down = (whole as f64 * share).round() as u64;
    let rest = whole.saturating_sub(down);
    Some(lang.pick(
        format!(
            "{}의 계약금 {}는 {}이고 잔금은 {}입니다.",
            money(whole, lang),
            percent(share),
            money(down, lang),
            money(rest, lang)
        ),
        format!(
            "A down payment of {} on {} is {}; {} remains to be paid.",
            percent(share),
            money(whole, lang),
            money(down, lang),
            money(rest, lang)
        ),
    ))
}

/// 1억 8천에 연 5%로 석 달: interest on money that is paid late, by the month.
fn interest(text: &str, said: &Parameters, all: &Parameters, lang: Lang) -> Option<String> {
    let late = ["늦게", "지연", "연체", "이자", "late", "interest"].iter().any(|word| text.contains(word));
    let found = MONTHS.captures_iter(text).last()?;
    let months: u32 = match (found.get(1), found.get(2).map(|word| word.as_str())) {
        (Some(digits), _) => digits.as_str().parse().ok()?,
        (_, Some("한")) => 1,
        (_, Some("두")) => 2,
        (_, Some("석" | "세")) => 3,
        (_, Some("넉" | "네")) => 4,
        _ => 6,
    };
    let share = SHARE.captures(text)?.get(1)?.as_str().parse::<f64>().ok()? / 100.0;
    let sum = sum_meant(text, said, all, true).filter(|_| late && months > 0)?;
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
fn converted(text: &str, all: &Parameters, lang: Lang) -> Option<String> {
    let asks = ["환산보증금", "환산 보증금", "converted deposit"].iter().any(|word| text.contains(word));
    let (deposit, rent) = (all.deposit?, all.monthly_rent.filter(|_| asks)?);
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

/// What a home brings of the money that is one's own, without taxes, fees and times without a tenant.
fn plain_yield(text: &str, all: &Parameters, lang: Lang) -> Option<String> {
    if !["수익률", "yield", "내 돈", "내돈", "own cash", "own money"].iter().any(|word| text.contains(word))
    {
        return None;
    }
    let (price, rent) = (all.price?, all.monthly_rent.filter(|rent| *rent > 0)?);
    let loan = all.loan.unwrap_or(0);
    let own = price.checked_sub(all.deposit.unwrap_or(0))?.checked_sub(loan).filter(|own| *own > 0)?;
    let interest = loan as f64 * all.rate.unwrap_or(0.0);
    let share = (rent as f64 * 12.0 - interest) / own as f64;
    Some(lang.pick(
        format!(
            "세금·비용·공실을 빼지 않은 단순 수익률은 들어간 돈 {} 대비 연 {}입니다.",
            money(own, lang),
            percent(share)
        ),
        format!(
            "Without taxes, fees and vacancies that is {} a year of the {} of your own.",
            percent(share),
            money(own, lang)
        ),
    ))
}

/// The deposit's share of the price.
fn jeonse_ratio(text: &str, all: &Parameters, lang: Lang) -> Option<String> {
    let asks = ["전세가율", "jeonse ratio"].iter().any(|word| text.contains(word));
    let (price, deposit) = (all.price.filter(|price| *price > 0 && asks)?, all.deposit?);
    let share = deposit as f64 / price as f64;
    Some(lang.pick(
        format!(
            "보증금 {}은 집값 {}의 {}(전세가율)입니다.",
            money(deposit, lang),
            money(price, lang),
            percent(share)
        ),
        format!(
            "The deposit of {} is {} of the price of {}.",
            money(deposit, lang),
            percent(share),
            money(price, lang)
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(price: Option<u64>, deposit: Option<u64>, loan: Option<u64>) -> Parameters {
        Parameters { price, deposit, loan, ..Parameters::default() }
    }

    #[test]
    fn what_a_question_says_is_reckoned_with_and_not_what_was_said_before() {
        let known = sums(Some(900_000_000), None, Some(300_000_000));
        let said = sums(None, None, Some(300_000_000));
        let text = "대출 3억을 연 4%로 6개월 쓰면 이자가 얼마예요?";
        let answer = interest(text, &said, &known, Lang::Ko).unwrap();
        assert!(answer.starts_with("3억원") && answer.contains("600만원"), "{answer}");
        let known = sums(Some(900_000_000), Some(200_000_000), None);
        let said = sums(None, Some(200_000_000), None);
        let answer = down_payment("보증금 2억의 계약금 10%", &said, &known, Lang::Ko).unwrap();
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
