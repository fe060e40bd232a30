//! What a home that is let brings in.

use crate::advisor::answer::names::{assumed, money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{ReturnsView, YieldsView};

pub(super) fn returns_lines(view: &ReturnsView, lang: Lang) -> Vec<String> {
    let (with, got) = (&view.investment, &view.returns);
    let flow = |won: i64| {
        let sum = money(won.unsigned_abs(), lang);
        if won < 0 { format!("-{sum}") } else { sum }
    };
    let rent = if with.monthly_rent > 0 {
        lang.pick(
            format!(", 월세 {}", money(with.monthly_rent, lang)),
            format!(", rent {}", money(with.monthly_rent, lang)),
        )
    } else {
        String::new()
    };
    let gained = flow(got.total_gain);
    let sold = view.resale.map(|resale| {
        lang.pick(
            format!(
                "되파는 값 {}, {}년 동안의 손익 {gained} (취득세·중개보수·관리·보유세를 뺀 값)",
                money(resale, lang),
                with.years
            ),
            format!(
                "Sold for {}; {gained} over {} years (less taxes and fees of buying, upkeep and holding tax)",
                money(resale, lang),
                with.years
            ),
        )
    });
    let mut lines: Vec<String> = sold.into_iter().collect();
    // Without a tenant there is no yield of letting.
    let lets = view.resale.is_none() || with.monthly_rent > 0;
    lines.extend(lets.then(|| {
        lang.pick(
            format!(
                "총수익률 연 {}, 순수익률 연 {} (공실 {}·관리·보유세를 뺀 값)",
                percent(got.gross_yield),
                percent(got.net_yield),
                percent(view.vacancy)
            ),
            format!(
                "Gross yield {} a year, net yield {} (less {} vacancy, upkeep and holding tax)",
                percent(got.gross_yield),
                percent(got.net_yield),
                percent(view.vacancy)
            ),
        )
    }));
    lines.extend([
        lang.pick(
            format!(
                "매입가 {}, 보증금 {}{rent}, 취득세·중개보수 {}",
                money(with.price, lang),
                money(with.deposit, lang),
                money(with.buying_costs, lang)
            ),
            format!(
                "Price {}, deposit {}{rent}, taxes and fees {}",
                money(with.price, lang),
                money(with.deposit, lang),
                money(with.buying_costs, lang)
            ),
        ),
        lang.pick(
            format!(
                "필요한 자기 자금 {}, 해마다 남는 돈 {}",
                money(got.own_money, lang),
                flow(got.cash_flow)
            ),
            format!("Own money {}, left over each year {}", money(got.own_money, lang), flow(got.cash_flow)),
        ),
    ]);
    if let Some(usual) = view.usual_net {
        let less = usual - got.net_yield;
        let (ko, en) = if less >= 0.0 { ("낮습니다", "less") } else { ("높습니다", "more") };
        lines.push(lang.pick(
            format!("보통의 공실일 때 순수익률 연 {}보다 {}p {ko}.", percent(usual), percent(less.abs())),
            format!(
                "That is {} points {en} than the {} with the usual vacancy.",
                percent(less.abs()),
                percent(usual)
            ),
        ));
    }
    if let Some(on_cash) = got.cash_on_cash.filter(|_| lets) {
        lines.push(lang.pick(
            format!(
                "자기 자금 대비 수익률 연 {}{}",
                if on_cash < 0.0 { "-" } else { "" },
                percent(on_cash.abs())
            ),
            format!(
                "Return on own money {}{} a year",
                if on_cash < 0.0 { "-" } else { "" },
                percent(on_cash.abs())
            ),
        ));
    }
    lines.extend(assumed(&view.assumed, lang));
    lines
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
