//! Whether what is set can be used, and means anything.

use std::collections::BTreeSet;

use duru_llm::decision::{DecisionPolicy, Registry, Setup, SetupError};
use duru_llm::{Choice, Model as _, Models};

use super::finding::Finding;
use crate::data::keep::Keeping;
use crate::lang::Lang;
use crate::problem::Problem;
use crate::reasons::with_detail;
use crate::settings;

const CHECK: (&str, &str) = ("설정", "configuration");

pub(super) fn check(lang: Lang) -> Vec<Finding> {
    let registry = duru_agents::decisions::registry();
    let mut findings = Vec::new();
    match Setup::read(settings::get, &registry) {
        Err(error) => {
            let variable = match &error {
                SetupError::Prices(_) => "DURU_PRICES",
                SetupError::Policy { variable, .. } => variable,
                SetupError::Policies { .. } => "DURU_POLICIES",
                SetupError::Seconds { variable, .. } => variable,
                _ => "DURU_PROMPTS",
            };
            findings.push(Finding::bad(
                CHECK,
                lang.pick(with_detail("설정을 쓸 수 없습니다", &error), error.to_string()),
                lang.pick(
                    format!("고치거나 `unset {variable}`로 내장된 것을 쓰세요"),
                    format!("correct it, or `unset {variable}` to use what is built in"),
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
            findings.extend(who_decides(&setup, &registry, lang));
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
    findings.extend(unread(lang));
    findings.extend(unfit(lang));
    findings
}

/// How many decisions a model makes; nothing where there is none.
fn who_decides(setup: &Setup, registry: &Registry, lang: Lang) -> Option<Finding> {
    let (mut leads, mut witness, mut rules) = (0, 0, 0);
    for entry in registry {
        let Choice::Model(model) = setup.models.of(entry.name()) else { continue };
        match setup.policies.of(entry.name(), model.name()).0 {
            DecisionPolicy::Rule => rules += 1,
            DecisionPolicy::Witness => witness += 1,
            _ => leads += 1,
        }
    }
    (leads + witness + rules > 0).then(|| {
        Finding::good(
            CHECK,
            lang.pick(
                format!(
                    "모델이 정하는 판단 {leads}개, 증인인 판단 {witness}개, 규칙이 정하는 판단 {rules}개 (근거: duru decisions)"
                ),
                format!(
                    "the model makes {leads} decisions, is a witness of {witness}, and leaves {rules} to rules (why: duru decisions)"
                ),
            ),
        )
    })
}

/// Names that nobody reads: a slip of the pen is found by nobody else.
fn unread(lang: Lang) -> Vec<Finding> {
    let known: Vec<String> = settings::known().into_iter().map(|known| known.name).collect();
    let names = settings::names().into_iter();
    names
        .filter(|name| !name.starts_with("DURU_MODEL_") && !known.contains(name))
        .map(|name| {
            let what = lang.pick(
                format!("{name}은(는) 모르는 이름이라 쓰이지 않습니다"),
                format!("nothing reads {name}"),
            );
            let fix = match closest(&name, &known) {
                Some(meant) => lang.pick(format!("혹시 {meant}?"), format!("did you mean {meant}?")),
                None => lang.pick(
                    "이름들은 `duru config show`에 있습니다".to_owned(),
                    "`duru config show` has the names".to_owned(),
                ),
            };
            Finding::fair(CHECK, what, fix)
        })
        .collect()
}

/// The name that differs in a letter or two.
fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let near = known.iter().map(|known| (distance(name, known), known.as_str()));
    near.min().filter(|(distance, _)| *distance <= 3).map(|(_, known)| known)
}

/// How many letters to change, add or leave out.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, of_a) in a.bytes().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, of_b) in b.bytes().enumerate() {
            let here = (before + usize::from(of_a != of_b)).min(row[j] + 1).min(row[j + 1] + 1);
            before = std::mem::replace(&mut row[j + 1], here);
        }
    }
    row[b.len()]
}

/// Values that mean nothing.
fn unfit(lang: Lang) -> Vec<Finding> {
    let words: [(&str, &[&str]); 3] = [
        ("DURU_LANG", &["ko", "en"]),
        ("DURU_LOG_FORMAT", &["text", "json"]),
        ("DURU_LOG_LEVEL", &["error", "warn", "info", "debug"]),
    ];
    let mut findings = Vec::new();
    for (name, good) in words {
        let Some(value) = settings::get(name) else { continue };
        if !good.contains(&value.trim().to_ascii_lowercase().as_str()) {
            let what = lang.pick(
                format!("{name}: {value:?}은(는) 모르는 말입니다"),
                format!("{name}: {value:?} is not known"),
            );
            let fix = lang.pick(
                format!("이 중 하나를 쓰세요: {}", good.join(", ")),
                format!("use one of {}", good.join(", ")),
            );
            findings.push(Finding::bad(CHECK, what, fix));
        }
    }
    let by_target = settings::get("DURU_LOG").unwrap_or_default();
    if let Err(reason) = duru_telemetry::Filter::parse(&by_target) {
        let what = lang.pick(
            with_detail("DURU_LOG를 쓸 수 없습니다", &reason),
            format!("DURU_LOG is not usable: {reason}"),
        );
        let fix = lang
            .pick("이렇게 쓰세요: duru=info,duru_server=debug", "write it as duru=info,duru_server=debug");
        findings.push(Finding::bad(CHECK, what, fix.to_owned()));
    }
    if let Err(Problem::Data(problem)) = Keeping::read() {
        findings.push(Finding::bad(CHECK, problem.what(lang), problem.advice(lang).to_owned()));
    }
    findings
}

fn join(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_led_to_the_name() {
        let known = ["DURU_LOGS", "DURU_STORE", "DURU_LANG"].map(str::to_owned);
        assert_eq!(closest("DURU_STOER", &known), Some("DURU_STORE"));
        assert_eq!(closest("DURU_LOG", &known), Some("DURU_LOGS"));
        assert_eq!(closest("DURU_SOMETHING_ELSE", &known), None);
        assert_eq!((distance("abc", "abc"), distance("abc", "ac"), distance("", "ab")), (0, 1, 2));
    }
}
