//! What the analyst says, in both languages.

use duru_sql::Error;
use duru_sql::guard::Lang;

use super::Focus;
use super::filters::RangeError;
use super::state::{Analysis, Formatted};

fn pick(lang: Lang, ko: impl Into<String>, en: impl Into<String>) -> String {
    match lang {
        Lang::Ko => ko.into(),
        Lang::En => en.into(),
    }
}

pub(super) fn nothing_asked(lang: Lang) -> String {
    pick(
        lang,
        "질문이 비어 있습니다. 예: \"최근 1시간 서비스별 에러 건수\"",
        "There is no question. Try \"errors by service in the last hour\".",
    )
}

pub(super) fn not_understood(lang: Lang) -> String {
    pick(
        lang,
        "질문을 이해하지 못했습니다. 무엇을(건수, 목록, 비율, 평균), 어느 서비스에서, 언제인지 적어 주세요.",
        "I did not understand this. Say what you want (count, list, rate, average), of which service, and when.",
    )
}

/// What was chosen is not there, or not for whoever asks: the same words for both.
pub(super) fn not_there(names: &str, lang: Lang) -> String {
    pick(
        lang,
        format!("고른 것이 없습니다: {names}. 물을 대상을 다시 골라 주세요."),
        format!("What was chosen is not there: {names}. Choose again what to ask about."),
    )
}

pub(super) fn own_query(lang: Lang) -> String {
    pick(lang, "직접 쓴 SQL입니다.", "A query of your own.")
}

/// How a model says that it understood the question.
pub(super) fn as_the_model_reads(explanation: &str, lang: Lang) -> String {
    let said = explanation.trim();
    match (lang, said.is_empty()) {
        (Lang::Ko, true) => "모델이 쓴 조회입니다.".to_owned(),
        (Lang::Ko, false) => format!("모델이 읽은 뜻: {said}"),
        (Lang::En, true) => "A query that the model wrote.".to_owned(),
        (Lang::En, false) => format!("As the model reads it: {said}"),
    }
}

/// Before what takes the place of words that were shown.
pub(super) fn corrected(lang: Lang) -> String {
    pick(lang, "[바로잡음]", "[corrected]")
}

pub(super) fn no(lang: Lang) -> String {
    pick(lang, "아니요", "no")
}

/// Asks which of two readings is meant: the model's, or that of the rules.
pub(super) fn both_read_otherwise(lang: Lang) -> String {
    pick(
        lang,
        "규칙과 모델이 질문을 다르게 읽었습니다. 어느 쪽인가요?",
        "Rules and model read this differently. Which do you mean?",
    )
}

/// Asks whether what only a model could read is what is meant.
pub(super) fn only_the_model_reads(meaning: &str, sql: &str, lang: Lang) -> String {
    pick(
        lang,
        format!("질문을 다 이해하지 못했습니다. {meaning} 이대로 답할까요? (SQL: {sql})"),
        format!("I did not understand all of this. {meaning} Shall I answer so? (SQL: {sql})"),
    )
}

pub(super) fn refused(reason: &str, lang: Lang) -> String {
    pick(
        lang,
        format!("안전한 조회로 만들 수 없었습니다: {reason}"),
        format!("This could not be made a safe query: {reason}"),
    )
}

pub(super) fn bad_range(error: &RangeError, lang: Lang) -> String {
    let ko = match error {
        RangeError::OutOfRange { value, most } => format!("기간 {value}은(는) 1부터 {most}까지만 됩니다."),
        RangeError::NoTime { text } => {
            format!("{text:?}은(는) 시각이 아닙니다. 2026-03-18T14:30:00+09:00 같은 형식으로 적어 주세요.")
        }
        RangeError::Backwards => "기간의 끝이 시작보다 앞섭니다.".to_owned(),
        RangeError::InTheFuture => "기간의 끝이 미래입니다.".to_owned(),
        RangeError::TooLong => "기간은 1년까지만 됩니다.".to_owned(),
    };
    pick(lang, ko, format!("The time range can't be used: {error}."))
}

pub(super) fn failed(error: &Error, lang: Lang) -> String {
    let ko = match error {
        Error::TimedOut { limit } => {
            format!("조회가 {}초 안에 끝나지 않았습니다. 기간을 줄여 보세요.", limit.as_secs())
        }
        Error::Cancelled => "조회를 취소했습니다.".to_owned(),
        Error::TooCostly { .. } | Error::OutOfMemory => {
            "조회가 너무 큽니다. 기간이나 조건을 좁혀 보세요.".to_owned()
        }
        Error::Unavailable { .. } => {
            "로그 저장소에 연결할 수 없습니다. 잠시 뒤에 다시 묻거나 `duru doctor`로 확인해 주세요."
                .to_owned()
        }
        Error::Bucket { trouble, .. } => {
            format!("로그가 있는 버킷: {}.", trouble.text(duru_sql::guard::Lang::Ko))
        }
        Error::Denied { .. } => "데이터베이스가 이 조회를 허용하지 않습니다.".to_owned(),
        Error::Corrupt { .. } => "로그 저장소가 손상되었습니다. `duru doctor`로 확인해 주세요.".to_owned(),
        other => format!("조회하지 못했습니다: {other}"),
    };
    let en = match error {
        Error::TimedOut { .. } | Error::TooCostly { .. } | Error::OutOfMemory => {
            format!("The query failed: {error}. Ask for a shorter period.")
        }
        Error::Unavailable { .. } | Error::Corrupt { .. } => {
            format!("The query failed: {error}. Ask again later, or look with `duru doctor`.")
        }
        Error::Bucket { trouble, .. } => {
            format!("The query failed: the logs' bucket: {}.", trouble.text(duru_sql::guard::Lang::En))
        }
        other => format!("The query failed: {other}."),
    };
    pick(lang, ko, en)
}

/// What the conversation is about, for a prompt.
pub(super) fn focus(focus: &Focus) -> String {
    let parts = [
        focus.service.as_ref().map(|service| format!("service {service}")),
        focus.error_type.as_ref().map(|error| format!("error type {error}")),
        focus.time_range.as_ref().map(|range| format!("time {range}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "nothing in particular".to_owned() } else { parts.join(", ") }
}

/// A moment as the person's clock shows it, with its offset.
pub(super) fn local(s: &Analysis) -> String {
    s.moment().to_zoned(s.zone()).strftime("%Y-%m-%dT%H:%M:%S%:z (%A)").to_string()
}

/// The answer as one message.
pub(super) fn answer(s: &Analysis, shown: &Formatted, insight: &str) -> String {
    let mut parts = vec![insight.to_owned()];
    if shown.truncated {
        let (displayed, count) = (shown.displayed, shown.count);
        let least = shown.count_is_lower_bound;
        parts.push(pick(
            s.lang(),
            format!("{count}건{} 가운데 {displayed}건을 보여 드립니다.", if least { " 이상" } else { "" }),
            format!("Showing {displayed} of {}{count} rows.", if least { "at least " } else { "" }),
        ));
    }
    if s.cached_at.is_some() {
        parts.push(pick(
            s.lang(),
            "조금 전에 조회해 둔 결과입니다.",
            "These are the results of a moment ago, kept since.",
        ));
    }
    if !s.explanation.is_empty() {
        parts.push(format!("({})", s.explanation));
    }
    parts.join(" ")
}
