//! What homes cost somewhere, whether a price is fair, and how risky a deposit is.

use crate::advisor::answer::names::{deal, money, percent, place, property};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{FairnessVerdict, Level, MarketView};
use crate::advisor::understand::Deal;

pub(super) fn level_line(level: &Level, lang: Lang) -> String {
    let rent = match (level.deal, lang) {
        (Deal::MonthlyRent, Lang::Ko) => format!(" / 월 {}", money(level.rent, lang)),
        (Deal::MonthlyRent, Lang::En) => format!(" plus {} a month", money(level.rent, lang)),
        _ => String::new(),
    };
    let what = format!("{} {}", place(level.region.as_ref(), lang), property(level.property, lang));
    // One or two deals say little of a place.
    let few = if level.count < 3 {
        lang.pick(" — 거래가 적어 참고만 하세요", "; too few to lean on")
    } else {
        String::new()
    };
    lang.pick(
        format!(
            "{what} {}: 중앙값 {}{rent} (전용 {:.0}㎡ 안팎), 평균 {}, 최저 {} ~ 최고 {}, {}건 ({} ~ {}){few}",
            deal(level.deal, lang),
            money(level.median, lang),
            level.median_area,
            money(level.mean / 10_000 * 10_000, lang),
            money(level.lowest, lang),
            money(level.highest, lang),
            level.count,
            level.first,
            level.last
        ),
        format!(
            "{what}, {}: median {}{rent} (about {:.0} m²), average {}, from {} to {}, {} deals ({} to {}){few}",
            deal(level.deal, lang),
            money(level.median, lang),
            level.median_area,
            money(level.mean / 10_000 * 10_000, lang),
            money(level.lowest, lang),
            money(level.highest, lang),
            level.count,
            level.first,
            level.last
        ),
    )
}

pub(super) fn market_lines(view: &MarketView, lang: Lang) -> Vec<String> {
    let what = format!("{} {}", place(view.region.as_ref(), lang), deal(view.deal, lang));
    let report = &view.report;
    let metre = |won: f64| money((won.max(0.0) / 10_000.0).round() as u64 * 10_000, lang);
    let mut lines = vec![lang.pick(
        format!(
            "{what}: ㎡당 중앙값 {}, 가운데 절반은 {} ~ {} ({}건)",
            metre(report.median),
            metre(report.quartiles.0),
            metre(report.quartiles.1),
            report.count
        ),
        format!(
            "{what}: median {} per m², the middle half from {} to {} ({} deals)",
            metre(report.median),
            metre(report.quartiles.0),
            metre(report.quartiles.1),
            report.count
        ),
    )];
    let days = report.first.until(report.last).map_or(0, |span| span.get_days());
    // A few weeks say nothing of a year.
    if let Some(trend) = report.trend.filter(|_| days >= 180) {
        // A line that explains next to nothing is no trend.
        let weak = trend.fit < 0.25;
        lines.push(match (weak, trend.yearly >= 0.0) {
            (true, _) => {
                lang.pick(format!("{what}: 뚜렷한 추세가 없습니다."), format!("{what}: no clear trend."))
            }
            (false, up) => lang.pick(
                format!(
                    "{what}: 한 해에 {} {} 추세입니다.",
                    percent(trend.yearly.abs()),
                    if up { "오르는" } else { "내리는" }
                ),
                format!(
                    "{what}: {} by {} a year.",
                    if up { "rising" } else { "falling" },
                    percent(trend.yearly.abs())
                ),
            ),
        });
    }
    lines.extend(fairness_line(view, lang));
    if let Some(ratio) = view.jeonse_ratio {
        let (ko, en) = risk(ratio);
        lines.push(lang.pick(
            format!("전세가율(㎡당): {} — {ko}", percent(ratio)),
            format!("Jeonse as a share of the price (by m²): {} — {en}", percent(ratio)),
        ));
    }
    lines
}

/// Whether the price that was named is fair, among how many deals.
pub(in crate::advisor::answer) fn fairness_line(view: &MarketView, lang: Lang) -> Option<String> {
    let (fairness, price) = (view.fairness?, view.price?);
    // Against homes of the whole country no price is cheap or dear.
    view.region.as_ref()?;
    let (ko, en) = match fairness.verdict {
        FairnessVerdict::Cheap => ("싼 편입니다", "cheap"),
        FairnessVerdict::Fair => ("적정한 범위입니다", "fair"),
        FairnessVerdict::Dear => ("비싼 편입니다", "dear"),
        FairnessVerdict::Unknown => {
            return Some(lang.pick(
                format!(
                    "{}: 비교할 거래가 {}건뿐이라 판단하기 어렵습니다.",
                    money(price, lang),
                    fairness.compared
                ),
                format!(
                    "{}: only {} deals to compare with, too few to tell.",
                    money(price, lang),
                    fairness.compared
                ),
            ));
        }
    };
    let off = (fairness.off_median * 1000.0).round() / 1000.0;
    let side = if off >= 0.0 { ("높습니다", "above") } else { ("낮습니다", "below") };
    let what = Lang::with(&format!("{} {}", deal(view.deal, lang), money(price, lang)), ("은", "는"));
    let compared = fairness.compared;
    Some(lang.pick(
        format!("{what} {ko}. 최근 {compared}건의 중앙값보다 {} {}.", percent(off.abs()), side.0),
        format!(
            "{} ({}) is {en}: {} {} the median of {compared} deals.",
            money(price, lang),
            deal(view.deal, lang),
            percent(off.abs()),
            side.1
        ),
    ))
}

/// How risky a deposit is, as a share of the price.
pub(in crate::advisor) fn risk(ratio: f64) -> (&'static str, &'static str) {
    match ratio {
        r if r < 0.6 => ("보증금을 떼일 위험이 낮은 편입니다.", "the risk for the deposit is rather low."),
        r if r < 0.7 => (
            "보통 수준입니다. 선순위 채권을 꼭 확인하세요.",
            "the risk is middling: check what ranks before the deposit.",
        ),
        r if r < 0.8 => {
            ("높은 편입니다. 반환보증 가입을 권합니다.", "the risk is rather high: insure the deposit.")
        }
        _ => (
            "매우 높습니다. 깡통전세가 될 위험이 있습니다.",
            "the risk is very high: the home may not cover the deposit.",
        ),
    }
}
