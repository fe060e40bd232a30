//! Answers about the answer before: why it is so, and one of the things it listed.

use super::compose::{listed, loan_line, loans, text};
use super::names::{deal, full, money, percent, property};
use super::{law, reasons, tail};
use crate::advisor::lang::Lang;
use crate::advisor::state::{Advice, Answer, Echo, Section, Told};
use crate::advisor::tools::{Constants, DealRecord, Item, Level, Report};
use crate::advisor::understand::region::Relation;
use crate::advisor::understand::{DataKind, PYEONG};

/// So much less or more than others is worth telling.
const SAME: f64 = 0.03;

/// What this answer tells, for questions about it.
pub(in crate::advisor) fn told(s: &Advice, constants: &Constants) -> Told {
    let data = s.data();
    let shown: Vec<Item> = match listed(s, &data) {
        (homes, _) if !homes.is_empty() => homes.into_iter().cloned().collect(),
        _ if s.planning.required.contains(&DataKind::Loan) => loans(&data).into_iter().cloned().collect(),
        _ => law::shown(&data).into_iter().cloned().collect(),
    };
    let (ko, en) = (reasons::of(s, &data, constants, Lang::Ko), reasons::of(s, &data, constants, Lang::En));
    Told { turn: s.turn(), intent: s.planning.intent, shown, reasons: ko.into_iter().zip(en).collect() }
}

/// The answer to a question about the answer before.
pub(in crate::advisor) fn echo(s: &Advice, constants: &Constants, asked: Echo) -> Answer {
    let lang = s.lang();
    let Some(told) = &s.told else { return Answer::default() };
    let mut answer = match asked {
        Echo::Why => why(told, lang),
        Echo::Item(at) => one(s, told, told.shown.get(at), constants, lang),
        Echo::Last => one(s, told, told.shown.last(), constants, lang),
    };
    answer.caution = tail::general(lang);
    answer.text = text(&answer, None, lang);
    answer
}

fn why(told: &Told, lang: Lang) -> Answer {
    let mut reasons = told.reasons.iter().map(|(ko, en)| lang.pick(ko.as_str(), en.as_str()));
    let summary = reasons.next().unwrap_or_default();
    let lines: Vec<String> = reasons.collect();
    let heading = lang.pick("근거", "The grounds");
    let sections = if lines.is_empty() { vec![] } else { vec![Section { heading, lines }] };
    Answer { summary, sections, ..Answer::default() }
}

fn one(s: &Advice, told: &Told, item: Option<&Item>, constants: &Constants, lang: Lang) -> Answer {
    let Some(item) = item else {
        let summary = match told.shown.len() {
            0 => lang.pick(
                "방금 답에는 번호로 고를 목록이 없습니다. 매물을 보시려면 지역과 함께 \"매물 보여줘\"라고 말씀해 주세요.",
                "The last answer listed nothing to choose from. For homes, say \"show me listings\" with an area.",
            ),
            count => lang.pick(
                format!("방금 보여 드린 것은 {count}개뿐입니다. 그 가운데에서 골라 주세요."),
                format!("Only {count} were listed; please choose among them."),
            ),
        };
        return Answer { summary, ..Answer::default() };
    };
    let (summary, lines) = match (&item.record, item.kind) {
        (Some(record), _) => (headline(record, lang), home(s, record, lang)),
        (None, DataKind::Loan) => (loan_line(item, constants, lang), Vec::new()),
        (None, _) => (law::whole(item, lang), Vec::new()),
    };
    let heading = lang.pick("자세히", "In detail");
    Answer {
        summary,
        sections: if lines.is_empty() { vec![] } else { vec![Section { heading, lines }] },
        sources: vec![tail::source(item, constants, lang)],
        ..Answer::default()
    }
}

fn headline(record: &DealRecord, lang: Lang) -> String {
    let rent = if record.monthly_rent > 0 {
        lang.pick(
            format!(" / 월 {}", money(record.monthly_rent, lang)),
            format!(" plus {} a month", money(record.monthly_rent, lang)),
        )
    } else {
        String::new()
    };
    let (place, what) = (full(&record.region, lang), property(Some(record.property), lang));
    let (how, price) = (deal(record.deal, lang), money(record.price, lang));
    lang.pick(
        format!("{place} {what}, {how} {price}{rent}입니다."),
        format!("{place}: {what}, {how} {price}{rent}."),
    )
}

fn home(s: &Advice, record: &DealRecord, lang: Lang) -> Vec<String> {
    let DealRecord { area, floor, built, date, .. } = record;
    let years = i64::from(date.year()) - i64::from(*built);
    let mut lines = vec![lang.pick(
        format!("전용 {area:.1}㎡ (약 {:.1}평), {floor}층, {built}년 준공({years}년 됨)", area / PYEONG),
        format!("{area:.1} m², floor {floor}, built {built} ({years} years old)"),
    )];
    if record.monthly_rent == 0 && *area > 0.0 {
        let metre = (record.price as f64 / area / 10_000.0).round() as u64 * 10_000;
        let pyeong = (record.price as f64 / area * PYEONG / 10_000.0).round() as u64 * 10_000;
        lines.push(lang.pick(
            format!("㎡당 {}, 전용 평당 {}", money(metre, lang), money(pyeong, lang)),
            format!("{} per m²", money(metre, lang)),
        ));
    }
    lines.extend(against(s, record, lang));
    lines.push(lang.pick(format!("거래일 {date}"), format!("Dealt on {date}")));
    lines
}

/// How its price lies to what such homes cost around it, by the square metre.
fn against(s: &Advice, record: &DealRecord, lang: Lang) -> Option<String> {
    let reports = s.previous_search_results.iter().rev().flat_map(|search| &search.results);
    let levels = reports.flat_map(|used| &used.found.reports).filter_map(|report| match report {
        Report::Level(level) => Some(level),
        _ => None,
    });
    let around = |level: &&Level| {
        let held = level.region.as_ref().map(|region| record.region.relation(region));
        level.deal == record.deal
            && level.property.is_none_or(|property| property == record.property)
            && matches!(held, Some(Relation::Same | Relation::Wider))
            && level.count > 2
    };
    let level = levels.filter(around).max_by_key(|level| level.count)?;
    if record.monthly_rent > 0 || level.by_metre == 0 || record.area <= 0.0 {
        return None;
    }
    let off = record.price as f64 / record.area / level.by_metre as f64 - 1.0;
    let place = level.region.as_ref().map(|region| full(region, lang)).unwrap_or_default();
    let count = level.count;
    let share = percent((off.abs() * 1000.0).round() / 1000.0);
    Some(match off {
        off if off.abs() < SAME => lang.pick(
            format!("{place} {count}건의 ㎡당 중앙값과 비슷합니다."),
            format!("By the m² about the median of {count} deals in {place}."),
        ),
        off => {
            let (ko, en) = if off > 0.0 { ("높습니다", "above") } else { ("낮습니다", "below") };
            lang.pick(
                format!("{place} {count}건의 ㎡당 중앙값보다 {share} {ko}."),
                format!("By the m² {share} {en} the median of {count} deals in {place}."),
            )
        }
    })
}
