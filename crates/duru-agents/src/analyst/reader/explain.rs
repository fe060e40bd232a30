//! One sentence that says how a question was understood, so that a person can object.

use duru_language::time::{Length, Period};
use duru_language::{Lang, Unit};
use duru_sql::domain::Domain;
use jiff::tz::TimeZone;

use crate::analyst::frame::{
    By, Column, Compare, Dimension, Filter, Frame, Having, Keep, Measure, Stat, Test, Than, Window,
};

/// A frame in words, with the zone that its times are in.
pub(crate) fn explain(frame: &Frame, domain: &Domain, lang: Lang, zone: &TimeZone) -> String {
    let words = Words { domain, lang, zone };
    let mut parts: Vec<String> = Vec::new();
    if let Some(time) = &frame.time {
        parts.push(words.period(time));
    }
    if let Some(compare) = &frame.compare {
        let with = words.period(&compare.with);
        parts.push(lang.pick(format!("{with}와(과) 비교"), format!("compared with {with}")));
        parts.extend(words.kept(compare.keep));
    }
    parts.extend(frame.filters.iter().map(|one| words.filter(one)));
    parts.extend(frame.some_of.iter().map(|one| words.filter(one)));
    for none in &frame.none_of {
        let condition = words.filter(none);
        parts.push(
            lang.pick(format!("{condition}인 행이 없는 것"), format!("without any row of {condition}")),
        );
    }
    if let Some(silent) = &frame.silent {
        let when = words.period(silent);
        parts.push(lang.pick(format!("{when}에 아무 행도 없는 것"), format!("without any row in {when}")));
    }
    let groups: Vec<String> = frame.dimensions.iter().map(|one| words.dimension(one)).collect();
    if !groups.is_empty() {
        parts.push(lang.pick(format!("{}별", groups.join("·")), format!("by {}", groups.join(" and "))));
    }
    let what: Vec<String> = frame.measures.iter().map(|one| words.measure(one)).collect();
    parts.push(match () {
        () if frame.count_groups => lang.pick("몇 가지인지".into(), "how many of them".into()),
        () if what.is_empty() && groups.is_empty() => words.rows(frame),
        () => what.join(lang.pick("·", " and ")),
    });
    parts.extend(frame.having.iter().map(|one| words.having(one)));
    parts.extend(words.rest(frame));
    parts.retain(|part| !part.is_empty());
    lang.pick(
        format!("이렇게 이해했습니다: {}", parts.join(", ")),
        format!("Understood as: {}", parts.join(", ")),
    )
}

/// What was said besides the question.
pub(crate) fn not_used(unused: &[String], lang: Lang) -> String {
    if unused.is_empty() {
        return String::new();
    }
    let words = unused.join(" ");
    lang.pick(format!(" (조건으로 쓰지 않은 말: {words})"), format!(" (not used as a condition: {words})"))
}

struct Words<'a> {
    domain: &'a Domain,
    lang: Lang,
    zone: &'a TimeZone,
}

impl Words<'_> {
    fn column(&self, column: &Column) -> String {
        let nouns = self
            .domain
            .table(&column.table)
            .and_then(|table| table.column(&column.name))
            .map(|known| known.nouns.as_slice());
        let fits = |noun: &&String| Lang::of(noun) == self.lang;
        nouns.unwrap_or_default().iter().find(fits).cloned().unwrap_or_else(|| column.short().to_owned())
    }

    fn table(&self, name: &str) -> String {
        let nouns = self.domain.table(name).map(|known| known.nouns.as_slice());
        let fits = |noun: &&String| Lang::of(noun) == self.lang;
        nouns.unwrap_or_default().iter().find(fits).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// Which rows are shown, and what of them, where not everything is.
    fn rows(&self, frame: &Frame) -> String {
        if frame.show.is_empty() {
            return self.lang.pick("행 목록".into(), "the rows themselves".into());
        }
        let shown: Vec<String> = frame.show.iter().map(|column| self.column(column)).collect();
        let (table, shown) = (self.table(&frame.table), shown.join(", "));
        self.lang.pick(format!("{table} 목록({shown})"), format!("the rows of {table} ({shown})"))
    }

    fn length(&self, length: Length) -> String {
        let (ko, en) = match length.unit {
            Unit::Millisecond => ("밀리초", "millisecond"),
            Unit::Second => ("초", "second"),
            Unit::Minute => ("분", "minute"),
            Unit::Hour => ("시간", "hour"),
            Unit::Week => ("주", "week"),
            Unit::Month => ("개월", "month"),
            Unit::Quarter => ("분기", "quarter"),
            Unit::Year => ("년", "year"),
            _ => ("일", "day"),
        };
        let plural = if length.amount == 1 { "" } else { "s" };
        self.lang.pick(format!("{}{ko}", length.amount), format!("{} {en}{plural}", length.amount))
    }

    fn period(&self, period: &Period) -> String {
        let at = |at: &jiff::Timestamp| at.to_zoned(self.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        match period {
            Period::Last(length) => {
                let length = self.length(*length);
                self.lang.pick(format!("최근 {length}"), format!("the last {length}"))
            }
            Period::Range { from, until, .. } => {
                let zone = self.zone.iana_name().unwrap_or("UTC");
                let from = from.as_ref().map(at).unwrap_or_default();
                let until = until.as_ref().map_or_else(|| self.lang.pick("지금", "now").into(), at);
                format!("{from} ~ {until} ({zone})")
            }
        }
    }

    fn kept(&self, keep: Keep) -> Option<String> {
        Some(match keep {
            Keep::All => return None,
            Keep::More => self.lang.pick("늘어난 것만", "only what grew").to_owned(),
            Keep::Fewer => self.lang.pick("줄어든 것만", "only what shrank").to_owned(),
            Keep::New => self.lang.pick("새로 나타난 것만", "only what is new").to_owned(),
            Keep::Gone => self.lang.pick("사라진 것만", "only what is gone").to_owned(),
            Keep::Both => self.lang.pick("두 기간 모두 있는 것만", "only what is in both").to_owned(),
            Keep::Times(compare, factor) => {
                let sign = sign(compare);
                self.lang.pick(
                    format!("{sign} {factor}배인 것만"),
                    format!("only what is {sign} {factor} times as many"),
                )
            }
        })
    }

    fn filter(&self, filter: &Filter) -> String {
        let name = self.column(&filter.column);
        let quoted =
            |texts: &[String]| texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", ");
        match &filter.test {
            Test::OneOf(values) => format!("{name} = {}", values.join(", ")),
            Test::NoneOf(values) => format!("{name} ≠ {}", values.join(", ")),
            Test::Number(compare, number) => format!("{name} {} {number}", sign(*compare)),
            Test::Rank(compare, word) => format!("{name} {} {word}", sign(*compare)),
            Test::Contains(texts) | Test::ContainsAll(texts) => self.lang.pick(
                format!("{name}에 {} 포함", quoted(texts)),
                format!("{name} containing {}", quoted(texts)),
            ),
            Test::Lacks(text) => {
                self.lang.pick(format!("{name}에 \"{text}\" 없음"), format!("{name} without \"{text}\""))
            }
            Test::StartsWith(text) => format!("{name} = {text}…"),
            Test::EndsWith(text) => format!("{name} = …{text}"),
            Test::Present => self.lang.pick(format!("{name} 있음"), format!("with {name}")),
            Test::Absent => self.lang.pick(format!("{name} 없음"), format!("without {name}")),
            Test::FirstOf(_) => self
                .lang
                .pick(format!("앞 결과의 첫 {name}"), format!("the first {name} of the answer before")),
            Test::SinceFirst(filters, before) => {
                let first: Vec<String> = filters.iter().map(|one| self.filter(one)).collect();
                let first = first.join(", ");
                match before {
                    true => self.lang.pick(
                        format!("{first}이(가) 처음 나오기 전"),
                        format!("before the first row of {first}"),
                    ),
                    false => self.lang.pick(
                        format!("{first}이(가) 처음 나온 뒤"),
                        format!("since the first row of {first}"),
                    ),
                }
            }
            Test::Hours(from, until) => self
                .lang
                .pick(format!("매일 {from}~{until}시"), format!("{from}:00 to {until}:00 of every day")),
            Test::Weekdays(days) => {
                let days: Vec<&str> = days.iter().map(|day| self.weekday(*day)).collect();
                days.join(", ")
            }
            Test::Average(compare) => {
                let sign = sign(*compare);
                self.lang
                    .pick(format!("{name} {sign} 전체 평균"), format!("{name} {sign} the average of all"))
            }
            Test::During(period) => format!("{name}: {}", self.period(period)),
            Test::HasRows(some) => {
                let table = self.table(&filter.column.table);
                match some {
                    true => self.lang.pick(format!("{table} 있음"), format!("with {table}")),
                    false => self.lang.pick(format!("{table} 없음"), format!("without {table}")),
                }
            }
            Test::Either(filters) => {
                let all: Vec<String> = filters.iter().map(|one| self.filter(one)).collect();
                all.join(self.lang.pick(" 또는 ", " or "))
            }
        }
    }

    fn weekday(&self, day: u8) -> &'static str {
        const KO: [&str; 7] = ["월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"];
        const EN: [&str; 7] =
            ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];
        self.lang.pick(KO, EN)[usize::from(day.clamp(1, 7)) - 1]
    }

    fn dimension(&self, dimension: &Dimension) -> String {
        match dimension {
            Dimension::Column(column) => self.column(column),
            Dimension::Every(length) => self.length(*length),
            Dimension::HourOfDay => self.lang.pick("하루 중 시각", "hour of the day").into(),
            Dimension::DayOfWeek => self.lang.pick("요일", "weekday").into(),
        }
    }

    fn conditions(&self, filters: &[Filter]) -> String {
        filters.iter().map(|one| self.filter(one)).collect::<Vec<_>>().join(", ")
    }

    fn measure(&self, measure: &Measure) -> String {
        let of = |filters: &[Filter]| {
            if filters.is_empty() { String::new() } else { format!(" ({})", self.conditions(filters)) }
        };
        match measure {
            Measure::Count => self.lang.pick("건수", "how many").into(),
            Measure::Distinct(column, filters) => {
                let name = self.column(column);
                self.lang.pick(
                    format!("서로 다른 {name} 수{}", of(filters)),
                    format!("distinct {name}{}", of(filters)),
                )
            }
            Measure::CountOf(filters) => {
                let all = self.conditions(filters);
                self.lang.pick(format!("{all} 건수"), format!("how many with {all}"))
            }
            Measure::Rate(filters) => {
                let all = self.conditions(filters);
                self.lang.pick(format!("{all}의 비율(%)"), format!("percent with {all}"))
            }
            Measure::RateOf(column, filters) => {
                let (name, all) = (self.column(column), self.conditions(filters));
                self.lang.pick(format!("{name} 중 {all}의 비율(%)"), format!("percent of {name} with {all}"))
            }
            Measure::Share => {
                self.lang.pick("전체에서 차지하는 비중(%)", "share of the whole in percent").into()
            }
            Measure::Stat(stat, column, filters) => {
                let name = self.column(column);
                let (ko, en) = match stat {
                    Stat::Average => ("평균".to_owned(), "average".to_owned()),
                    Stat::Minimum => ("최소".into(), "least".into()),
                    Stat::Maximum => ("최대".into(), "greatest".into()),
                    Stat::Sum => ("합계".into(), "sum of".into()),
                    Stat::Deviation => ("표준편차".into(), "standard deviation of".into()),
                    Stat::Percentile(part) => {
                        let name = format!("p{}", (part * 1000.0).round() / 10.0);
                        (name.clone(), name)
                    }
                };
                self.lang.pick(format!("{name} {ko}{}", of(filters)), format!("{en} {name}{}", of(filters)))
            }
            Measure::First => self.lang.pick("처음 시각", "when first").into(),
            Measure::Last => self.lang.pick("마지막 시각", "when last").into(),
            Measure::Span => self.lang.pick("처음부터 끝까지 걸린 초", "seconds from first to last").into(),
            Measure::Age => self.lang.pick("마지막 이후 지난 분", "minutes since the last").into(),
            Measure::PerValue(each) => {
                let each = self.dimension(each);
                self.lang.pick(format!("{each}당 평균 건수"), format!("rows on average for each {each}"))
            }
            Measure::Ratio(one, other, percent) => {
                let percent = if *percent { " (%)" } else { "" };
                format!("{} ÷ {}{percent}", self.measure(one), self.measure(other))
            }
            Measure::Difference(one, other) => {
                format!("{} − {}", self.measure(one), self.measure(other))
            }
            Measure::Named(name, _) => name.clone(),
        }
    }

    fn having(&self, having: &Having) -> String {
        let than = match having.than {
            Than::Number(number) => number.to_string(),
            Than::Ago(length) => {
                let length = self.length(length);
                self.lang.pick(format!("{length} 전"), format!("{length} ago"))
            }
        };
        format!("{} {} {than}", self.measure(&having.measure), sign(having.compare))
    }

    /// Windows, ends and limits.
    fn rest(&self, frame: &Frame) -> Vec<String> {
        let mut parts = Vec::new();
        match frame.window {
            Some(Window::Cumulative) => {
                parts.push(self.lang.pick("누적".to_owned(), "cumulative".to_owned()))
            }
            Some(Window::Moving(count)) => parts.push(
                self.lang.pick(format!("{count}개 구간 이동평균"), format!("moving average of {count}")),
            ),
            None => {}
        }
        if let Some(best) = frame.best_each {
            parts
                .push(self.lang.pick(format!("묶음마다 상위 {best}개"), format!("the first {best} of each")));
        }
        if frame.both_ends {
            parts.push(self.lang.pick("양쪽 끝".to_owned(), "both ends".to_owned()));
        }
        if let Some(order) = frame.order.as_ref().filter(|order| matches!(order.by, By::Column(_))) {
            let name = if let By::Column(column) = &order.by { self.column(column) } else { String::new() };
            parts.push(match order.descending {
                true => self.lang.pick(format!("{name} 큰 순"), format!("greatest {name} first")),
                false => self.lang.pick(format!("{name} 작은 순"), format!("least {name} first")),
            });
        }
        if let Some(limit) = frame.limit {
            parts.push(self.lang.pick(format!("{limit}개까지"), format!("at most {limit}")));
        }
        parts
    }
}

fn sign(compare: Compare) -> &'static str {
    match compare {
        Compare::More => ">",
        Compare::AtLeast => "≥",
        Compare::Less => "<",
        Compare::AtMost => "≤",
        Compare::Equal => "=",
    }
}
