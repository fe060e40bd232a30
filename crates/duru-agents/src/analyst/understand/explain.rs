//! One line that says how a question was understood.

use jiff::tz::TimeZone;

use super::query::{
    Field, Filter, Group, Having, Keep, Length, Measure, Op, Period, Query, Stat, Test, Than, Unit,
};
use duru_sql::guard::Lang;

pub(super) fn explain(query: &Query, lang: Lang, zone: &TimeZone) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(time) = &query.time {
        parts.push(period(time, lang, zone));
    }
    if let Some(compare) = &query.compare {
        let with = period(&compare.with, lang, zone);
        parts.push(lang.pick(format!("{with}와 비교"), format!("compared with {with}")));
        parts.extend(match compare.keep {
            Keep::All => None,
            Keep::More => Some(lang.pick("늘어난 것만", "only what grew").to_owned()),
            Keep::Fewer => Some(lang.pick("줄어든 것만", "only what shrank").to_owned()),
            Keep::New => Some(lang.pick("새로 나타난 것만", "only what is new").to_owned()),
            Keep::Both => Some(lang.pick("두 기간 모두 있는 것만", "only what is in both").to_owned()),
            Keep::Gone => Some(lang.pick("사라진 것만", "only what is gone").to_owned()),
            Keep::Times(op, factor) => Some(lang.pick(
                format!("{} {factor}배인 것만", sign(op)),
                format!("only what is {} {factor} times as many", sign(op)),
            )),
        });
    }
    parts.extend(query.filters.iter().map(|one| filter(one, lang)));
    let groups: Vec<String> = query.groups.iter().map(|one| group(one, lang)).collect();
    if !groups.is_empty() {
        parts.push(lang.pick(format!("{}별", groups.join("·")), format!("by {}", groups.join(" and "))));
    }
    let what: Vec<String> = query.measures.iter().map(|one| measure(one, lang)).collect();
    if query.count_groups {
        parts.push(lang.pick("묶음의 수".into(), "how many groups".into()));
    } else if what.is_empty() {
        parts.push(lang.pick("로그 목록".into(), "the lines themselves".into()));
    } else {
        parts.push(what.join(lang.pick("·", " and ")));
    }
    parts.extend(query.having.iter().map(|one| having(one, lang)));
    if query.cumulative {
        parts.push(lang.pick("누적".into(), "cumulative".into()));
    }
    if let Some(best) = query.best_each {
        parts.push(lang.pick(format!("묶음마다 상위 {best}개"), format!("the first {best} of each")));
    }
    if let Some(limit) = query.limit {
        parts.push(lang.pick(format!("{limit}개까지"), format!("at most {limit}")));
    }
    lang.pick(
        format!("이렇게 이해했습니다: {}", parts.join(", ")),
        format!("Understood as: {}", parts.join(", ")),
    )
}

fn length(length: Length, lang: Lang) -> String {
    let (ko, en) = match length.unit {
        Unit::Second => ("초", "second"),
        Unit::Minute => ("분", "minute"),
        Unit::Hour => ("시간", "hour"),
        Unit::Day => ("일", "day"),
        Unit::Week => ("주", "week"),
        Unit::Month => ("개월", "month"),
        Unit::Year => ("년", "year"),
    };
    let plural = if length.amount == 1 { "" } else { "s" };
    lang.pick(format!("{}{ko}", length.amount), format!("{} {en}{plural}", length.amount))
}

pub(super) fn period(period: &Period, lang: Lang, zone: &TimeZone) -> String {
    let at = |at: &jiff::Timestamp| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
    match period {
        Period::Last(one) => {
            lang.pick(format!("최근 {}", length(*one, lang)), format!("the last {}", length(*one, lang)))
        }
        Period::BeforeLast(one) => lang.pick(
            format!("그 직전 {}", length(*one, lang)),
            format!("the {} before that", length(*one, lang)),
        ),
        Period::Until(one) => {
            lang.pick(format!("{} 전까지", length(*one, lang)), format!("until {} ago", length(*one, lang)))
        }
        Period::Between { from, until } => {
            let from = from.as_ref().map(at).unwrap_or_default();
            let until = until.as_ref().map_or_else(|| lang.pick("지금", "now").into(), at);
            format!("{from} ~ {until}")
        }
    }
}

fn filter(filter: &Filter, lang: Lang) -> String {
    let name = filter.field.name();
    match &filter.test {
        Test::OneOf(values) => format!("{name} = {}", values.join(", ")),
        Test::NoneOf(values) => format!("{name} ≠ {}", values.join(", ")),
        Test::Number(op, number) => format!("{name} {} {number}", sign(*op)),
        Test::Rank(op, word) => format!("{name} {} {word}", sign(*op)),
        Test::Contains(texts) => format!("{name} ∋ {}", quoted(texts)),
        Test::ContainsAll(texts) => format!("{name} ∋ {}", quoted(texts)),
        Test::Lacks(text) => format!("{name} ∌ \"{text}\""),
        Test::StartsWith(text) => format!("{name} = {text}…"),
        Test::Present => lang.pick(format!("{name} 있음"), format!("with {name}")),
        Test::Absent => lang.pick(format!("{name} 없음"), format!("without {name}")),
        Test::FirstOf(_) => {
            lang.pick(format!("앞 결과의 첫 {name}"), format!("the first {name} of the answer before"))
        }
        Test::Hours(from, until) => {
            lang.pick(format!("{from}~{until}시"), format!("{from}:00 to {until}:00"))
        }
        Test::Weekdays(days) => {
            let days: Vec<String> = days.iter().map(ToString::to_string).collect();
            lang.pick(format!("요일 {}", days.join(", ")), format!("weekdays {}", days.join(", ")))
        }
    }
}

fn quoted(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", ")
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::More => ">",
        Op::AtLeast => "≥",
        Op::Less => "<",
        Op::AtMost => "≤",
        Op::Equal => "=",
    }
}

fn group(group: &Group, lang: Lang) -> String {
    match group {
        Group::Field(field) => field.name().into(),
        Group::Every(one) => length(*one, lang),
        Group::HourOfDay => lang.pick("하루 중 시각", "hour of the day").into(),
        Group::Weekday => lang.pick("요일", "weekday").into(),
    }
}

fn measure(measure: &Measure, lang: Lang) -> String {
    let of = |ko: &str, en: &str, field: &Field| {
        lang.pick(format!("{} {ko}", field.name()), format!("{en} {}", field.name()))
    };
    match measure {
        Measure::Count => lang.pick("건수", "how many").into(),
        Measure::Distinct(field) => of("종류 수", "distinct", field),
        Measure::CountOf(filters) => {
            let all: Vec<String> = filters.iter().map(|one| filter(one, lang)).collect();
            lang.pick(format!("{} 건수", all.join(", ")), format!("how many with {}", all.join(", ")))
        }
        Measure::Rate(filters) => {
            let all: Vec<String> = filters.iter().map(|one| filter(one, lang)).collect();
            lang.pick(format!("{} 비율(%)", all.join(", ")), format!("percent with {}", all.join(", ")))
        }
        Measure::RateOf(field, filters) => {
            let all: Vec<String> = filters.iter().map(|one| filter(one, lang)).collect();
            let (name, all) = (field.name(), all.join(", "));
            lang.pick(format!("{all}인 {name} 비율(%)"), format!("percent of {name} with {all}"))
        }
        Measure::Share => lang.pick("비중(%)", "share in percent").into(),
        Measure::Stat(stat, field) => match stat {
            Stat::Average => of("평균", "average", field),
            Stat::Minimum => of("최소", "least", field),
            Stat::Maximum => of("최대", "greatest", field),
            Stat::Sum => of("합계", "sum of", field),
            Stat::Deviation => of("표준편차", "standard deviation of", field),
            Stat::Percentile(part) => {
                let name = format!("p{}", (part * 1000.0).round() / 10.0);
                of(&name, &format!("{name} of"), field)
            }
        },
        Measure::First => lang.pick("처음 시각", "when first").into(),
        Measure::Last => lang.pick("마지막 시각", "when last").into(),
        Measure::Span => lang.pick("처음부터 끝까지 걸린 초", "seconds from first to last").into(),
        Measure::Age => lang.pick("마지막 이후 지난 분", "minutes since the last").into(),
        Measure::PerValue(each) => {
            let each = group(each, lang);
            lang.pick(format!("{each}당 평균 건수"), format!("lines on average for each {each}"))
        }
    }
}

fn having(having: &Having, lang: Lang) -> String {
    let than = match having.than {
        Than::Number(number) => number.to_string(),
        Than::Ago(one) => {
            lang.pick(format!("{} 전", length(one, lang)), format!("{} ago", length(one, lang)))
        }
    };
    format!("{} {} {than}", measure(&having.measure, lang), sign(having.op))
}
