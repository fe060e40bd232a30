//! What a home that is let brings in.

use crate::advisor::answer::names::{assumed, money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{ReturnsView, YieldsView};

pub(super) fn returns_lines(view: &ReturnsView, lang: Lang) -> Vec<String> {
    // Without a tenant there is no yield of letting.
    let lets = view.resale.is_none() || view.investment.monthly_rent > 0;
    let mut lines: Vec<String> = sold_line(view, lang).into_iter().collect();
    lines.extend(lets.then(|| yield_line(view, lang)));
    lines.push(bought_line(view, lang));
    lines.push(money_line(view, lang));
    lines.extend(vacancy_line(view, lang));
    lines.extend(on_cash_line(view, lang).filter(|_| lets));
    lines.extend(assumed(&view.assumed, lang));
    lines
}

/// A sum that may be a loss.
fn flow(won: i64, lang: Lang) -> String {
    let sum = money(won.unsigned_abs(), lang);
    if won < 0 { format!("-{sum}") } else { sum }
}

/// What selling it again brings, where that was asked.
fn sold_line(view: &ReturnsView, lang: Lang) -> Option<String> {
    let (resale, years) = (money(view.resale?, lang), view.investment.years);
    let gained = flow(view.returns.total_gain, lang);
    Some(lang.pick(
        format!(
            "되파는 값 {resale}, {years}년 동안의 손익 {gained} (취득세·중개보수·관리·보유세를 뺀 값)"
        ),
        format!(
            "Sold for {resale}; {gained} over {years} years (less taxes and fees of buying, upkeep and holding tax)"
        ),
    ))
}

/// What letting it brings in a year, as shares of the price.
fn yield_line(view: &ReturnsView, lang: Lang) -> String {
    let (gross, net) = (percent(view.returns.gross_yield), percent(view.returns.net_yield));
    let vacancy = percent(view.vacancy);
    lang.pick(
        format!("총수익률 연 {gross}, 순수익률 연 {net} (공실 {vacancy}·관리·보유세를 뺀 값)"),
        format!(
            "Gross yield {gross} a year, net yield {net} (less {vacancy} vacancy, upkeep and holding tax)"
        ),
    )
}

/// What it was worked out with.
fn bought_line(view: &ReturnsView, lang: Lang) -> String {
    let with = &view.investment;
    let rent = match with.monthly_rent {
        0 => String::new(),
        rent => lang.pick(format!(", 월세 {}", money(rent, lang)), format!(", rent {}", money(rent, lang))),
    };
    let (price, deposit, costs) =
        (money(with.price, lang), money(with.deposit, lang), money(with.buying_costs, lang));
    lang.pick(
        format!("매입가 {price}, 보증금 {deposit}{rent}, 취득세·중개보수 {costs}"),
        format!("Price {price}, deposit {deposit}{rent}, taxes and fees {costs}"),
    )
}

/// What the buyer puts in, and what is left each year.
fn money_line(view: &ReturnsView, lang: Lang) -> String {
    let (own, left) = (money(view.returns.own_money, lang), flow(view.returns.cash_flow, lang));
    lang.pick(
        format!("필요한 자기 자금 {own}, 해마다 남는 돈 {left}"),
        format!("Own money {own}, left over each year {left}"),
    )
}

/// What the vacancy that was asked about costs against the usual one.
fn vacancy_line(view: &ReturnsView, lang: Lang) -> Option<String> {
    let usual = view.usual_net?;
    let less = usual - view.returns.net_yield;
    let (ko, en) = if less >= 0.0 { ("낮습니다", "less") } else { ("높습니다", "more") };
    let (less, usual) = (percent(less.abs()), percent(usual));
    Some(lang.pick(
        format!("보통의 공실일 때 순수익률 연 {usual}보다 {less}p {ko}."),
        format!("That is {less} points {en} than the {usual} with the usual vacancy."),
    ))
}

/// What a year brings on the buyer's own money.
fn on_cash_line(view: &ReturnsView, lang: Lang) -> Option<String> {
    let on_cash = view.returns.cash_on_cash?;
    let share = format!("{}{}", if on_cash < 0.0 { "-" } else { "" }, percent(on_cash.abs()));
    Some(
        lang.pick(format!("자기 자금 대비 수익률 연 {share}"), format!("Return on own money {share} a year")),
    )
}

pub(super) fn yields_lines(view: &YieldsView, lang: Lang) -> Vec<String> {
    let mut lines = vec![lang.pick(
        format!("임대료 자료가 없어 매입가 {}에서 월세별로 계산했습니다.", money(view.price, lang)),
        format!(
            "No rents are known, so this is worked out for several, at a price of {}.",
            money(view.price, lang)
        ),
    )];
    lines.extend(view.rents.iter().map(|(rent, gross, net)| {
        lang.pick(
            format!(
                "월세 {}: 총수익률 연 {}, 순수익률 연 {} (공실 {}·관리·보유세를 뺀 값)",
                money(*rent, lang),
                percent(*gross),
                percent(*net),
                percent(view.vacancy)
            ),
            format!(
                "{} a month: gross yield {}, net yield {} (less {} vacancy, upkeep and holding tax)",
                money(*rent, lang),
                percent(*gross),
                percent(*net),
                percent(view.vacancy)
            ),
        )
    }));
    lines.extend(assumed(&view.assumed, lang));
    lines
}
