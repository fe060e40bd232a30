//! What a home is worth beside what is paid, owed and earned for it.

use super::Given;
use crate::advisor::answer::{money, percent, risk};
use crate::advisor::tools::{Contracted, Estate, Parameters, brokerage_fee};

/// The deposit and the claims before it against the price.
pub(super) fn claims(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (price, deposit, prior) = (worth(g.all)?, g.all.deposit?, prior(g.all)?);
    let together = deposit.saturating_add(prior);
    let ratio = together as f64 / price as f64;
    let (ko, en) = risk(ratio);
    Some(lang.pick(
        format!(
            "보증금 {}에 먼저 잡힌 채권 {}을 더하면 {}으로 집값 {}의 {}라, {ko}",
            money(deposit, lang),
            money(prior, lang),
            money(together, lang),
            money(price, lang),
            percent(ratio)
        ),
        format!(
            "The deposit of {} and the prior claims of {} make {}, {} of the price of {}: {en}",
            money(deposit, lang),
            money(prior, lang),
            money(together, lang),
            percent(ratio),
            money(price, lang)
        ),
    ))
}

/// What a home is worth: its price, or what it would sell for.
fn worth(all: &Parameters) -> Option<u64> {
    all.price.or(all.resale).filter(|won| *won > 0)
}

/// What others may claim before: mortgages, and what other tenants paid in.
fn prior(all: &Parameters) -> Option<u64> {
    let others = all.other_deposits.unwrap_or(0);
    all.prior_claims.map(|prior| prior.saturating_add(others)).or(all.other_deposits)
}

/// The deposit's share of the price.
pub(super) fn jeonse_ratio(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (price, deposit) = (worth(g.all)?, g.all.deposit?);
    let share = deposit as f64 / price as f64;
    let (ko, en) = risk(share);
    Some(lang.pick(
        format!(
            "보증금 {}은 집값 {}의 {}(전세가율)라, {ko}",
            money(deposit, lang),
            money(price, lang),
            percent(share)
        ),
        format!(
            "The deposit of {} is {} of the price of {} (jeonse ratio): {en}",
            money(deposit, lang),
            percent(share),
            money(price, lang)
        ),
    ))
}

/// What comes back of a deposit where the home is sold off, behind whatever ranks before it.
pub(super) fn auction(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (deposit, prior) = (g.all.deposit?, prior(g.all).unwrap_or(0));
    // 시세의 80%에 팔리면.
    let share = duru_language::figure::shares(g.text).first().map(|share| share.value);
    let price = worth(g.all)?;
    let sold = match share.filter(|_| g.said.price.is_none()) {
        Some(share) => (price as f64 * share).round() as u64,
        None => price,
    };
    let gets = sold.saturating_sub(prior).min(deposit);
    let loses = deposit - gets;
    Some(lang.pick(
        format!(
            "{}에 팔려 앞선 권리가 {}을 가져가면 보증금 {} 가운데 {}을 받고 {}을 못 받습니다(비용과 최우선변제 제외).",
            money(sold, lang),
            money(prior, lang),
            money(deposit, lang),
            money(gets, lang),
            money(loses, lang)
        ),
        format!(
            "Sold for {}, with {} going to prior claims, {} of the deposit of {} comes back and {} is lost (costs apart).",
            money(sold, lang),
            money(prior, lang),
            money(gets, lang),
            money(deposit, lang),
            money(loses, lang)
        ),
    ))
}

/// The money of one's own that a home binds, with the tax and other costs that were said.
fn own(all: &Parameters) -> Option<u64> {
    let price = all.price?;
    let tax = all.tax_share.map_or(0, |share| (price as f64 * share).round() as u64);
    let costs = price.saturating_add(tax).saturating_add(all.extra_costs.unwrap_or(0));
    costs.checked_sub(all.deposit.unwrap_or(0))?.checked_sub(all.loan.unwrap_or(0)).filter(|own| *own > 0)
}

pub(super) fn invested(g: &Given<'_>) -> Option<String> {
    let (lang, own) = (g.lang, own(g.all)?);
    Some(lang.pick(
        format!(
            "집값 {}에 보증금과 대출을 빼고 말씀하신 비용을 더하면 들어가는 내 돈은 {}입니다.",
            money(g.all.price?, lang),
            money(own, lang)
        ),
        format!(
            "Of a price of {}, less deposit and loan and with the costs you said, {} of your own is bound.",
            money(g.all.price?, lang),
            money(own, lang)
        ),
    ))
}

/// What a rent brings of the money that is one's own, without what was not said.
pub(super) fn rent_yield(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let rent = all.monthly_rent.filter(|rent| *rent > 0)?;
    let own = own(all)?;
    let interest = all.loan.unwrap_or(0) as f64 * all.rate.unwrap_or(0.0);
    let earned = rent as f64 * 12.0 * (1.0 - all.vacancy.unwrap_or(0.0))
        - all.monthly_costs.unwrap_or(0) as f64 * 12.0
        - interest;
    let share = earned / own as f64;
    let sign = if share < 0.0 { "-" } else { "" };
    let mut less: Vec<String> = Vec::new();
    if interest > 0.0 {
        less.push(lang.pick(
            format!("이자 연 {}", money(interest.round() as u64, lang)),
            format!("interest of {} a year", money(interest.round() as u64, lang)),
        ));
    }
    if let Some(costs) = all.monthly_costs {
        less.push(lang.pick(
            format!("비용 월 {}", money(costs, lang)),
            format!("costs of {} a month", money(costs, lang)),
        ));
    }
    if let Some(vacancy) = all.vacancy {
        less.push(lang.pick(format!("공실 {}", percent(vacancy)), format!("{} vacancy", percent(vacancy))));
    }
    let less = if less.is_empty() {
        lang.pick("세금·비용·공실을 빼지 않은", "without taxes, costs and vacancies")
    } else {
        lang.pick(format!("{}을 뺀", less.join(", ")), format!("less {}", less.join(", ")))
    };
    Some(lang.pick(
        format!(
            "{less} 단순 수익률은 들어간 내 돈 {} 대비 연 {sign}{}입니다.",
            money(own, lang),
            percent(share.abs())
        ),
        format!(
            "The yield {less} is {sign}{} a year of the {} of your own.",
            percent(share.abs()),
            money(own, lang)
        ),
    ))
}

/// A tax that somebody says as a share.
pub(super) fn tax_of_price(g: &Given<'_>) -> Option<String> {
    let (lang, price, share) = (g.lang, g.all.price?, g.all.tax_share?);
    let tax = (price as f64 * share).round() as u64;
    Some(lang.pick(
        format!("{}의 {}를 취득세로 잡으면 {}입니다.", money(price, lang), percent(share), money(tax, lang)),
        format!(
            "An acquisition tax of {} on {} is {}.",
            percent(share),
            money(price, lang),
            money(tax, lang)
        ),
    ))
}

/// A rent by the year, and of the price.
pub(super) fn year_of_rent(g: &Given<'_>) -> Option<String> {
    let (lang, rent) = (g.lang, g.all.monthly_rent?);
    let year = rent * 12;
    let of = g.all.price.filter(|price| *price > 0).map(|price| {
        let (share, price) = (percent(year as f64 / price as f64), money(price, lang));
        lang.pick(format!(", 집값 {price}의 {share}"), format!(", {share} of the price of {price}"))
    });
    let of = of.unwrap_or_default();
    let (rent, year) = (money(rent, lang), money(year, lang));
    Some(lang.pick(
        format!("월 {rent}이면 1년에 {year}{of}입니다."),
        format!("{rent} a month is {year} a year{of}."),
    ))
}

/// What a sale gained, of what was paid or of the money that was one's own.
fn gained(all: &Parameters) -> Option<(i64, u64)> {
    let (bought, sold) = (all.price.filter(|won| *won > 0)?, all.resale?);
    let gain = sold as i64 - bought as i64 - all.expenses.unwrap_or(0) as i64;
    let own =
        all.own_money.or_else(|| bought.checked_sub(all.loan?)).filter(|won| *won > 0).unwrap_or(bought);
    Some((gain, own))
}

pub(super) fn gain(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (gain, own) = gained(g.all)?;
    let share = gain as f64 / own as f64;
    let (sum, sign) = (money(gain.unsigned_abs(), lang), if gain < 0 { "-" } else { "" });
    Some(lang.pick(
        format!("차익은 {sign}{sum}으로 {}의 {sign}{}입니다.", money(own, lang), percent(share.abs())),
        format!("The gain is {sign}{sum}, {sign}{} of {}.", percent(share.abs()), money(own, lang)),
    ))
}

pub(super) fn gain_by_year(g: &Given<'_>) -> Option<String> {
    let lang = g.lang;
    let (gain, own) = gained(g.all)?;
    let years = g.all.held_months.map(|months| months / 12).or(g.all.years).filter(|years| *years > 0)?;
    let share = gain as f64 / own as f64 / f64::from(years);
    let sign = if share < 0.0 { "-" } else { "" };
    Some(lang.pick(
        format!("{years}년으로 나누면 연평균 {sign}{}입니다.", percent(share.abs())),
        format!("Over {years} years that is {sign}{} a year.", percent(share.abs())),
    ))
}

/// What is left of a sale for each of two, once the loan and the broker are paid.
pub(super) fn halves(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let price = all.resale.or(all.price)?;
    let debt = all.debt.or(all.loan).unwrap_or(0);
    let says_fee = ["복비", "중개", "수수료", "fee", "commission"].iter().any(|word| g.text.contains(word))
        || all.expenses.is_none();
    let fee =
        if says_fee { brokerage_fee(Estate::Home, Contracted::Sale { price }, g.constants).most } else { 0 };
    let left = price.checked_sub(debt)?.checked_sub(fee)?;
    Some(lang.pick(
        format!(
            "{}에서 대출 {}과 중개보수 {}을 빼면 {}, 반씩 나누면 한 사람에 {}입니다.",
            money(price, lang),
            money(debt, lang),
            money(fee, lang),
            money(left, lang),
            money(left / 2, lang)
        ),
        format!(
            "{} less the loan of {} and a fee of {} leaves {}, {} for each of two.",
            money(price, lang),
            money(debt, lang),
            money(fee, lang),
            money(left, lang),
            money(left / 2, lang)
        ),
    ))
}
