//! Whether the models that are set answer, and fast enough.

use std::time::Duration;

use duru_llm::decision::{Patience, Setup};
use duru_llm::{Choice, Error, MeasuredSpeed, Model, Models, Policy, Request, Resilient};
use duru_messages::Message;

use super::finding::Finding;
use crate::lang::Lang;
use crate::reasons::with_detail;
use crate::settings;

const CHECK: (&str, &str) = ("모델", "model");

/// Whoever asks a doctor does not want to wait for minutes: so long for the first word, and so long in all.
const FIRST_WORD: Duration = Duration::from_secs(20);
const TOTAL: Duration = Duration::from_secs(40);

/// Enough words to tell how fast they come, for a few seconds also of a slow model. (Some models count what they think,
/// and say nothing if there is no room for more.)
const QUESTION: &str = "Count from one to twenty in words, separated by spaces. Say nothing else.";
const MOST_TOKENS: u32 = 64;

/// What a question usually asks of a model: so many decisions, each so many tokens long.
const DECISIONS: f64 = 3.0;
const TOKENS: f64 = 200.0;

pub(super) async fn check(offline: bool, lang: Lang) -> Vec<Finding> {
    let registry = duru_agents::decisions::registry();
    let policy = Policy { tries: 1, idle: FIRST_WORD, total: TOTAL, ..Policy::default() };
    let names = registry.into_iter().map(|entry| entry.name());
    let models = Models::read(settings::get, names, policy);
    // What can't be read of the rest is told by another check.
    let patience = Setup::read(settings::get, &registry).map(|setup| setup.patience).unwrap_or_default();
    let mut findings = Vec::new();
    for choice in models.all() {
        findings.push(match choice {
            Choice::Rules => Finding::fair(
                CHECK,
                lang.pick(
                    "정해진 모델이 없습니다; 규칙이 대신 답합니다".to_owned(),
                    "no model is set; rules answer meanwhile".to_owned(),
                ),
                lang.pick(
                    "ANTHROPIC_API_KEY나 OPENAI_API_KEY를, 또는 DURU_MODEL=ollama:이름을 설정하세요"
                        .to_owned(),
                    "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or DURU_MODEL=ollama:NAME".to_owned(),
                ),
            ),
            Choice::Unusable(error) => failed(error, lang),
            Choice::Model(model) if offline => Finding::good(
                CHECK,
                lang.pick(
                    format!("{}: 정해져 있습니다 (물어보지 않았습니다)", model.name()),
                    format!("{} is set (it was not asked)", model.name()),
                ),
            ),
            Choice::Model(model) => ask(model, patience, lang).await,
        });
    }
    findings
}

async fn ask(model: &Resilient, patience: Patience, lang: Lang) -> Finding {
    let request = Request { max_tokens: MOST_TOKENS, ..Request::new([Message::human(QUESTION)]) };
    match model.reply(&request).await {
        Ok(_) => match model.measured_speed() {
            Some(speed) => fast_or_slow(model.name(), speed, patience, lang),
            // A reply that had been kept says nothing of how fast the model is.
            None => Finding::good(
                CHECK,
                lang.pick(format!("{}: 답했습니다", model.name()), format!("{} answers", model.name())),
            ),
        },
        Err(error) => failed(&error, lang),
    }
}

fn fast_or_slow(name: &str, speed: MeasuredSpeed, patience: Patience, lang: Lang) -> Finding {
    let MeasuredSpeed { first_token, tokens_per_second } = speed;
    let first = first_token.as_secs_f64();
    let measured = lang.pick(
        format!("{name}: 첫 토큰까지 {first:.1}초, 그 뒤로 초당 토큰 {tokens_per_second:.1}개"),
        format!(
            "{name} answers: {first:.1} s to the first token, then {tokens_per_second:.1} tokens a second"
        ),
    );
    let [first_word, total] = [patience.first_word, patience.total].map(|limit| limit.as_secs());
    let question = question_seconds(speed);
    if first <= first_word as f64 && question <= total as f64 {
        return Finding::good(CHECK, measured);
    }
    let variable = Patience::TOTAL;
    Finding::fair(
        CHECK,
        lang.pick(
            format!(
                "{measured}. 너무 느립니다: 한 질문에 {question:.0}초쯤 걸리는데, 첫 말은 {first_word}초, 답은 {total}초까지만 기다리고 그 뒤는 규칙이 답합니다"
            ),
            format!(
                "{measured}. It is too slow: a question takes about {question:.0} s, but the first word is waited for {first_word} s and the answer {total} s; then rules answer"
            ),
        ),
        lang.pick(
            format!("더 작은 모델이나 더 빠른 기계를 쓰거나, {variable}={question:.0} 으로 더 오래 기다리게 하세요"),
            format!("use a smaller model or a faster machine, or wait longer: {variable}={question:.0}"),
        ),
    )
}

/// What a usual question would take.
fn question_seconds(speed: MeasuredSpeed) -> f64 {
    DECISIONS * (speed.first_token.as_secs_f64() + TOKENS / speed.tokens_per_second)
}

/// One line that says what is wrong, and one that says what to set.
fn failed(error: &Error, lang: Lang) -> Finding {
    let (ko, fix_ko, fix_en) = words(error);
    let meanwhile = lang.pick("; 규칙이 대신 답합니다", "; rules answer meanwhile");
    let what = lang.pick(ko, error.to_string());
    Finding::bad(CHECK, format!("{what}{meanwhile}"), lang.pick(fix_ko, fix_en))
}

fn words(error: &Error) -> (String, String, String) {
    match error {
        Error::NoKey { provider, variable } => (
            format!("{provider}의 키가 없습니다"),
            format!("export {variable}=… 로 키를 설정하세요"),
            format!("export {variable}=…"),
        ),
        Error::WrongKey { server, variable, status } => (
            format!("{server}이(가) 키를 거절했습니다 (HTTP {status})"),
            format!("{variable}의 키를 확인하세요: 빠진 글자, 다른 계정의 키, 취소된 키"),
            format!("check the key in {variable}: cut off, of another account, or revoked"),
        ),
        Error::UnknownModel { server, model, setting } => (
            format!("{server}에 모델 {model:?}이(가) 없습니다"),
            format!("{setting}에 있는 모델 이름을 확인하세요"),
            format!("check the name of the model in {setting}"),
        ),
        Error::Unreachable { server, reason } => (
            with_detail(format_args!("{server}에 연결할 수 없습니다"), reason),
            "주소와 서버가 켜져 있는지, 네트워크와 방화벽을 확인하세요".to_owned(),
            "check the address, that the server runs, and the network in between".to_owned(),
        ),
        Error::Setting { variable, reason } => (
            with_detail(format_args!("{variable}을(를) 쓸 수 없습니다"), reason),
            format!("{variable}을(를) 고치거나 `unset {variable}` 하세요"),
            format!("correct {variable}, or `unset {variable}`"),
        ),
        Error::Timeout { server, after, .. } => (
            format!("{server}이(가) {}초 안에 답하지 않았습니다", after.as_secs()),
            "서버가 모델을 불러오는 중일 수 있습니다; 조금 뒤에 다시 하세요".to_owned(),
            "the server may still load the model; try again in a while".to_owned(),
        ),
        Error::RateLimited { server, .. } | Error::Overloaded { server, .. } => (
            with_detail(format_args!("{server}이(가) 지금은 답할 수 없습니다"), error),
            "조금 뒤에 다시 하세요".to_owned(),
            "try again in a while".to_owned(),
        ),
        other => (
            with_detail("모델이 답하지 않았습니다", other),
            "DURU_MODEL과 주소를 확인하세요".to_owned(),
            "check DURU_MODEL and the address".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::State;

    #[test]
    fn a_model_is_too_slow_where_its_question_outlasts_the_limits() {
        let judged = |first: f64, tokens_per_second: f64, lang| {
            let speed = MeasuredSpeed { first_token: Duration::from_secs_f64(first), tokens_per_second };
            fast_or_slow("m", speed, Patience::default(), lang)
        };
        for (first, rate, state) in [
            (0.4, 50.0, State::Good),
            (2.0, 8.0, State::Good),
            (0.4, 4.0, State::Fair),
            (31.0, 900.0, State::Fair),
        ] {
            assert_eq!(judged(first, rate, Lang::En).state, state, "{first} s, {rate} a second");
        }
        let slow = judged(1.0, 4.0, Lang::Ko).text(Lang::Ko);
        assert!(slow.contains("초당 토큰 4.0개") && slow.contains("153초쯤"), "{slow}");
        assert!(
            slow.contains("첫 말은 30초, 답은 90초까지만") && slow.contains("DURU_QUESTION_SECONDS=153"),
            "{slow}"
        );
    }
}
