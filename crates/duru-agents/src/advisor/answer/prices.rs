//! What homes cost, in a sentence: of a place, of several, district by district, and against a deposit.

use super::names::{deal, money, percent, place, property};
use super::reports::risk;
use crate::advisor::lang::Lang;
use crate::advisor::state::Advice;
use crate::advisor::tools::{Level, Report};
use crate::advisor::turn;
use crate::advisor::understand::{Deal, Role};

/// Fewer deals than this say little of a district.
const FEW: usize = 3;
/// So many districts are named.
const PLACES: usize = 5;

pub(super) fn levels(s: &Advice, reports: &[&Report], lang: Lang) -> Vec<String> {
    let levels: Vec<&Level> = reports
        .iter()
        .filter_map(|report| match report {
            Report::Level(level) => Some(level),
            _ => None,
        })
        .collect();
    let mut regions: Vec<_> = levels.iter().map(|level| level.region.clone()).collect();
    regions.dedup();
    let mut sentences = Vec::new();
    for region in regions {
        let own: Vec<&&Level> = levels.iter().filter(|level| level.region == region).collect();
        let Some(first) = own.first() else { continue };
        let mut parts: Vec<String> = Vec::new();
        for level in &own {
            let rent = if level.deal == Deal::MonthlyRent {
                format!("/{}", money(level.rent, lang))
            } else {
                String::new()
            };
            let part = format!("{} {}{rent}", deal(level.deal, lang), money(level.median, lang));
            // Two searches may have found the same; of a second one with fewer conditions, the lines below tell.
            let told = parts.iter().any(|known| known.starts_with(&format!("{} ", deal(level.deal, lang))));
            if !told {
                parts.push(part);
            }
        }
        let what = format!("{} {}", place(region.as_ref(), lang), property(first.property, lang));
        sentences.push(lang.pick(
            format!("{what} 시세(중앙값)는 {}입니다.", parts.join(", ")),
            format!("Median prices of {what}: {}.", parts.join(", ")),
        ));
    }
    sentences.truncate(3);
    if sentences.is_empty() && !s.planning.regions.is_empty() {
        return Vec::new();
    }
    sentences
}

/// What the dearest and the cheapest of several places differ by, for each kind of deal.
pub(super) fn compared(reports: &[&Report], lang: Lang) -> Vec<String> {
    let mut sentences = Vec::new();
    for kind in [Deal::Sale, Deal::Jeonse, Deal::MonthlyRent] {
        let mut levels: Vec<&Level> = Vec::new();
        for report in reports {
            if let Report::Level(level) = report
                && level.deal == kind
                && !levels.iter().any(|known| known.region == level.region)
            {
                levels.push(level);
            }
        }
        let (Some(dear), Some(cheap)) =
            (levels.iter().max_by_key(|level| level.mean), levels.iter().min_by_key(|level| level.mean))
        else {
            continue;
        };
        if levels.len() < 2 || dear.mean == cheap.mean {
            continue;
        }
        let round = |won: u64| money(won / 10_000 * 10_000, lang);
        let share = (dear.mean - cheap.mean) as f64 / cheap.mean.max(1) as f64;
        sentences.push(lang.pick(
            format!(
                "{} 평균은 {} {} {}({})보다 {}({}) 높습니다.",
                deal(kind, lang),
                place(dear.region.as_ref(), lang),
                Lang::with(&round(dear.mean), ("으로", "로")),
                place(cheap.region.as_ref(), lang),
                round(cheap.mean),
                round(dear.mean - cheap.mean),
                percent((share * 1000.0).round() / 1000.0)
            ),
            format!(
                "Average {}: {} ({}) is {} ({}) above {} ({}).",
                deal(kind, lang),
                place(dear.region.as_ref(), lang),
                round(dear.mean),
                round(dear.mean - cheap.mean),
                percent((share * 1000.0).round() / 1000.0),
                place(cheap.region.as_ref(), lang),
                round(cheap.mean)
            ),
        ));
    }
    sentences.truncate(1);
    sentences
}

/// The district by district that was asked for: the cheapest, or where most is to be had.
pub(super) fn ranked(s: &Advice, reports: &[&Report], lang: Lang) -> Option<String> {
    let question = s.question();
    if !turn::ranks(&question) {
        return None;
    }
    let wanted = s.planning.terms.deals.first().copied();
    let mut levels: Vec<&Level> = reports
        .iter()
        .filter_map(|report| match report {
            Report::Level(level) if level.region.as_ref().is_some_and(|region| region.district.is_some()) => {
                Some(level)
            }
            _ => None,
        })
        .filter(|level| level.count >= FEW)
        .collect();
    let kind = wanted.or(levels.first().map(|level| level.deal))?;
    levels.retain(|level| level.deal == kind);
    let limit =
        s.planning.terms.amounts.iter().any(|amount| amount.is_limit() && amount.role != Role::Income);
    let dear = turn::ranks_dearest(&s.query);
    match (limit, dear) {
        (true, _) => levels.sort_by_key(|level| std::cmp::Reverse(level.count)),
        (false, true) => levels.sort_by_key(|level| std::cmp::Reverse(level.median)),
        (false, false) => levels.sort_by_key(|level| level.median),
    }
    let line = |level: &&Level| {
        let place = level.region.as_ref().map(|region| lang.pick(region.name(), region.name_in_english()));
        let (place, median, count) = (place.unwrap_or_default(), money(level.median, lang), level.count);
        lang.pick(
            format!("{place}(중앙값 {median}, {count}건)"),
            format!("{place} (median {median}, {count} deals)"),
        )
    };
    let places: Vec<String> = levels.iter().take(PLACES).map(line).collect();
    let (ko, en) = match (limit, dear) {
        (true, _) => ("조건에 맞는 거래가 많은 곳은", "Most deals within that are in"),
        (false, true) => ("가장 비싼 곳은", "The dearest are"),
        (false, false) => ("가장 싼 곳은", "The cheapest are"),
    };
    let kind = deal(kind, lang);
    (!places.is_empty()).then(|| {
        lang.pick(
            format!("{kind} 기준으로 {ko} {}입니다.", places.join(", ")),
            format!("{en} {} ({kind}).", places.join(", ")),
        )
    })
}

/// The deposit against the price: what was said of this home, or what homes there cost.
pub(super) fn risk_of(s: &Advice, reports: &[&Report], lang: Lang) -> Option<String> {
    let terms = &s.planning.terms;
    let sum = |role| terms.amounts.iter().find(|amount| amount.role == role).map(|amount| amount.won);
    let own = match (sum(Role::Deposit), sum(Role::Price)) {
        (Some(deposit), Some(price)) if price > 0 => Some(deposit as f64 / price as f64),
        _ => None,
    };
    let found = reports.iter().find_map(|report| match report {
        Report::Market(view) => view.jeonse_ratio,
        _ => None,
    });
    let sale = reports.iter().find_map(|report| match report {
        Report::Level(level) if level.deal == Deal::Sale => Some(level.median),
        _ => None,
    });
    // Where no place was named, there is no "there".
    let nowhere = s.planning.regions.is_empty();
    let sale = sale.filter(|sale| *sale > 0 && !nowhere);
    let found = found.filter(|_| !nowhere);
    if let (None, Some(deposit), Some(sale)) = (own, sum(Role::Deposit), sale) {
        let ratio = deposit as f64 / sale as f64;
        let (ko, en) = risk(ratio);
        return Some(lang.pick(
            format!(
                "보증금 {}은 이 지역 매매 중앙값 {}의 {}로, {ko}",
                money(deposit, lang),
                money(sale, lang),
                percent(ratio)
            ),
            format!(
                "{} is {} of the median price there, {}: {en}",
                money(deposit, lang),
                percent(ratio),
                money(sale, lang)
            ),
        ));
    }
    let ratio = own.or(found)?;
    let (ko, en) = risk(ratio);
    Some(if own.is_some() {
        lang.pick(
            format!("말씀하신 보증금은 집값의 {}로, {ko}", percent(ratio)),
            format!("The deposit is {} of the price: {en}", percent(ratio)),
        )
    } else {
        lang.pick(
            format!("이 지역의 전세가율은 {}로, {ko}", percent(ratio)),
            format!("Jeonse there is {} of the price: {en}", percent(ratio)),
        )
    })
}
