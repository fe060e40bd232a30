//! The table of all decisions.

use serde_json::{Value, json};

use super::shares::Shares;
use super::{Known, limits, pick, policy};
use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;

pub(crate) async fn list(args: &Args, output: &Output) -> Result<(), Problem> {
    let known = Known::read()?;
    let shares = match store::open_existing(args.store.as_ref()).await? {
        Some(opened) => Shares::read(&opened.store).await?,
        None => Shares::default(),
    };
    let lang = output.lang;
    let head = lang.pick(
        ["판단", "프롬프트", "온도", "토큰", "모델", "누가 정하나", "누가 답했나", "규칙"],
        ["decision", "prompt", "temp.", "tokens", "model", "who decides", "who answered", "rule"],
    );
    let rows = known.registry.into_iter().map(|entry| {
        let users = if known.is_the_users(entry) { "*" } else { "" };
        [
            entry.name().to_owned(),
            format!("{}{users}", entry.version(&known.setup.prompts)),
            entry.limits.temperature.to_string(),
            entry.limits.max_tokens.to_string(),
            known.model(entry).unwrap_or_else(|| lang.pick("(규칙)", "(rule)")).to_owned(),
            policy::who(known.policy(entry).0, lang).to_owned(),
            shares.of(entry.name()).text(lang),
            pick(lang, entry.rule).to_owned(),
        ]
    });
    output.table(head, rows)?;
    tell_policies(&known, output);
    let show = output.command("decisions --show NAME");
    output.progress(&lang.pick(format!("\n프롬프트 보기: {show}"), format!("\nTo see a prompt: {show}")));
    if shares.threads > 0 {
        output.progress(&lang.pick(
            format!("답한 횟수는 최근 스레드 {}개의 기록에서 셌습니다", shares.threads),
            format!("Answers are counted in the logs of the {} latest threads", shares.threads),
        ));
    }
    if known.setup.prompts.names().next().is_some() {
        output
            .progress(lang.pick("* 사용자의 프롬프트 (DURU_PROMPTS)", "* a prompt of yours (DURU_PROMPTS)"));
    }
    output.json(json!({
        "decisions": all(&known, &shares), "threads": shares.threads, "measured": known.registry.measured(),
    }))
}

/// What it rests on who decides, each reason once.
fn tell_policies(known: &Known, output: &Output) {
    let lang = output.lang;
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for entry in &known.registry {
        let (_, reason) = known.policy(entry);
        let why = policy::why(reason.as_ref(), lang);
        match told.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(entry.name()),
            None => told.push((why, vec![entry.name()])),
        }
    }
    output.progress(lang.pick("\n누가 정하는지의 근거:", "\nWhat it rests on who decides:"));
    for (why, names) in told {
        let of = match names.as_slice() {
            [one] => (*one).to_owned(),
            several => lang.pick(format!("{}개 판단", several.len()), format!("{} decisions", several.len())),
        };
        output.progress(&format!("  {of}: {why}"));
    }
    output.progress(lang.pick(
        "  바꾸려면 DURU_POLICY, DURU_POLICY_에이전트, DURU_POLICY_에이전트_판단; 재어 보려면 duru eval … --write-policy FILE",
        "  To change it: DURU_POLICY, DURU_POLICY_AGENT, DURU_POLICY_AGENT_DECISION; to measure it: duru eval … --write-policy FILE",
    ));
}

fn of_entry(known: &Known, entry: &duru_llm::decision::Entry) -> Value {
    let (who, reason) = known.policy(entry);
    policy::as_json(who, reason.as_ref())
}

fn all(known: &Known, shares: &Shares) -> Vec<Value> {
    let entry = |entry: &duru_llm::decision::Entry| {
        json!({
            "name": entry.name(),
            "agent": entry.agent(),
            "asks": { "ko": entry.asks.ko, "en": entry.asks.en },
            "prompt": { "version": entry.version(&known.setup.prompts), "own": known.is_the_users(entry) },
            "limits": limits(entry),
            "model": known.model(entry),
            "policy": of_entry(known, entry),
            "rule": { "ko": entry.rule.ko, "en": entry.rule.en },
            "schema": entry.schema,
            "answers": shares.of(entry.name()).json(),
        })
    };
    known.registry.into_iter().map(entry).collect()
}
