//! Whether the models that are set answer.

use std::time::{Duration, Instant};

use duru_llm::{Choice, Error, Model, Models, Policy, Request, Resilient};
use duru_messages::Message;

use super::finding::Finding;
use crate::lang::Lang;
use crate::reasons::with_detail;
use crate::settings;

const CHECK: (&str, &str) = ("모델", "model");

/// Whoever asks a doctor does not want to wait for minutes.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) async fn check(offline: bool, lang: Lang) -> Vec<Finding> {
    let registry = duru_agents::decisions::registry();
    let policy = Policy { tries: 1, idle: PATIENCE, total: PATIENCE, ..Policy::default() };
    let names = registry.into_iter().map(|entry| entry.name());
    let models = Models::read(settings::get, names, policy);
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
            Choice::Model(model) => ask(model, lang).await,
        });
    }
    findings
}

async fn ask(model: &Resilient, lang: Lang) -> Finding {
    let started = Instant::now();
    // Some models count what they think, and say nothing if there is no room for more.
    let request = Request { max_tokens: 64, ..Request::new([Message::human("Answer with the word ok.")]) };
    match model.reply(&request).await {
        Ok(reply) => {
            let (name, seconds) = (model.name(), started.elapsed().as_secs_f32());
            let tokens = reply.usage.total_tokens;
            Finding::good(
                CHECK,
                lang.pick(
                    format!("{name}: {seconds:.1}초 만에 답했습니다, 토큰 {tokens}개"),
                    format!("{name} answers, in {seconds:.1} s with {tokens} tokens"),
                ),
            )
        }
        Err(error) => failed(&error, lang),
    }
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
