//! A period from the person's picker, and another one in the words of the question: neither wins in silence, the person
//! is asked which.

use duru_sql::guard::Lang;
use jiff::Timestamp;

use super::filters::{Absolute, Relative, TimeRange, Unit};
use super::reader::{AskBack, ReadTurn, Subject, TimeClarity, Understanding, understand};
use super::reading::{Prepared, range};
use super::state::Analysis;

/// What such a question back is called.
pub(super) const CONFLICTING_TIME: &str = "conflicting_time";

/// Bounds that lie closer together than this are the same: "today" ends now, whenever it was picked.
const SAME: i64 = 600;

/// Two periods that one question names.
pub(super) struct PeriodConflict {
    worded: TimeRange,
    picked: TimeRange,
}

/// What the person said to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PeriodChoice {
    Picked,
    Worded,
    /// Neither: what they answered is the period.
    Another,
}

impl PeriodConflict {
    pub(super) fn of(
        s: &Analysis,
        question: &str,
        prepared: &Prepared,
        previous: &[ReadTurn],
    ) -> Option<Self> {
        let picked = s.time_range_structured.clone()?;
        let now = s.moment().to_zoned(s.zone());
        let named = |previous: &[ReadTurn]| {
            let subject = Subject {
                domain: &prepared.domain,
                linked: &prepared.linked,
                now: &now,
                lang: s.language(),
                previous,
                answers: &[],
                asked: u8::MAX,
                picked: None,
            };
            match understand(question, &subject) {
                Understanding::Query(read) if read.analysis.time_clarity == TimeClarity::Clear => {
                    read.frame.time
                }
                _ => None,
            }
        };
        // A question that leans on the one before names a period if it has another than that.
        let before = previous.last().map(|turn| &turn.frame.time);
        let leaning =
            || named(previous).filter(|time| before.is_some_and(|before| before.as_ref() != Some(time)));
        let time = named(&[]).or_else(leaning)?;
        let worded = range(&time, s.moment())?;
        (!is_same(&worded, &picked)).then_some(Self { worded, picked })
    }

    /// What the person answered, if they were asked.
    pub(super) fn chosen(&self, s: &Analysis) -> Option<PeriodChoice> {
        let said = s.user_clarifications.get("time")?;
        let [worded, picked] = self.options(s);
        Some(match said {
            said if *said == picked => PeriodChoice::Picked,
            said if *said == worded => PeriodChoice::Worded,
            _ => PeriodChoice::Another,
        })
    }

    pub(super) fn ask(&self, s: &Analysis) -> AskBack {
        let [worded, picked] = self.options(s);
        let lang = s.lang();
        AskBack {
            field: "time".into(),
            kind: CONFLICTING_TIME.into(),
            question: pick(
                lang,
                "질문에 적은 기간과 고른 기간이 다릅니다. 어느 기간을 볼까요?",
                "The question names another period than the one that was picked. Which one do you mean?",
            ),
            options: vec![worded, picked, pick(lang, "사용자 지정…", "custom…")],
            required: true,
            allow_custom: true,
        }
    }

    fn options(&self, s: &Analysis) -> [String; 2] {
        let (lang, worded, picked) = (s.lang(), spoken(&self.worded, s), spoken(&self.picked, s));
        [
            pick(lang, format!("질문대로: {worded}"), format!("as asked: {worded}")),
            pick(lang, format!("고른 기간: {picked}"), format!("as picked: {picked}")),
        ]
    }
}

fn pick(lang: Lang, ko: impl Into<String>, en: impl Into<String>) -> String {
    match lang {
        Lang::Ko => ko.into(),
        Lang::En => en.into(),
    }
}

/// A range in words, by the clocks of whoever asks.
fn spoken(range: &TimeRange, s: &Analysis) -> String {
    match range {
        TimeRange::Relative { relative: Relative { value, unit } } => {
            let ko = match unit {
                Unit::Hour => "시간",
                Unit::Day => "일",
                Unit::Week => "주",
                Unit::Month => "개월",
            };
            let en = unit.word().trim_end_matches('s');
            let plural = if *value == 1 { "" } else { "s" };
            pick(s.lang(), format!("최근 {value}{ko}"), format!("the last {value} {en}{plural}"))
        }
        TimeRange::Absolute { absolute: Absolute { start, end } } => {
            let local = |text: &str| match text.parse::<Timestamp>() {
                Ok(at) => at.to_zoned(s.zone()).strftime("%Y-%m-%d %H:%M").to_string(),
                Err(_) => text.to_owned(),
            };
            format!("{} ~ {}", local(start), local(end))
        }
    }
}

fn is_same(one: &TimeRange, other: &TimeRange) -> bool {
    match (one, other) {
        (TimeRange::Absolute { absolute: one }, TimeRange::Absolute { absolute: other }) => {
            let near = |one: &str, other: &str| match (one.parse::<Timestamp>(), other.parse::<Timestamp>()) {
                (Ok(one), Ok(other)) => (one.as_second() - other.as_second()).abs() <= SAME,
                _ => false,
            };
            near(&one.start, &other.start) && near(&one.end, &other.end)
        }
        (TimeRange::Relative { relative: one }, TimeRange::Relative { relative: other }) => {
            let hours = |range: &Relative| match range.unit {
                Unit::Hour => Some(range.value),
                Unit::Day => Some(range.value * 24),
                Unit::Week => Some(range.value * 168),
                Unit::Month => None,
            };
            one == other || hours(one).is_some() && hours(one) == hours(other)
        }
        _ => false,
    }
}
