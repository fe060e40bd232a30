//! Whether what is set can be used, and means anything.

use std::collections::BTreeSet;

use duru_llm::Models;
use duru_llm::decision::{Setup, SetupError};

use super::finding::Finding;
use crate::lang::Lang;
use crate::settings;

const CHECK: (&str, &str) = ("설정", "configuration");

pub(super) fn check(lang: Lang) -> Vec<Finding> {
    let registry = duru_agents::decisions::registry();
    let mut findings = Vec::new();
    match Setup::read(settings::get, &registry) {
        Err(error) => {
            let variable = match &error {
                SetupError::Prices(_) => "DURU_PRICES",
                _ => "DURU_PROMPTS",
            };
            findings.push(Finding::bad(
                CHECK,
                error.to_string(),
                lang.pick(
                    format!("파일을 고치거나 `unset {variable}`로 내장된 것을 쓰세요"),
                    format!("correct the file, or `unset {variable}` to use what is built in"),
                ),
            ));
        }
        Ok(setup) => {
            let (own, all) = (setup.prompts.names().count(), registry.into_iter().count());
            findings.push(Finding::good(
                CHECK,
                lang.pick(
                    format!("판단 {all}개, 사용자의 프롬프트 {own}개, {} 기준 가격표", setup.prices.as_of()),
                    format!("{all} decisions, {own} prompts of yours, prices of {}", setup.prices.as_of()),
                ),
            ));
        }
    }
    let known: BTreeSet<String> =
        registry.into_iter().flat_map(|entry| Models::variables(entry.name())).collect();
    for name in
        settings::names().into_iter().filter(|name| name.starts_with("DURU_MODEL_") && !known.contains(name))
    {
        findings.push(Finding::fair(
            CHECK,
            lang.pick(
                format!("{name}에 해당하는 에이전트나 판단이 없어 쓰이지 않습니다"),
                format!("{name} names no agent and no decision, so nothing reads it"),
            ),
            lang.pick(
                format!("이 중 하나를 쓰세요: {}", join(&known)),
                format!("use one of {}", join(&known)),
            ),
        ));
    }
    findings
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}
