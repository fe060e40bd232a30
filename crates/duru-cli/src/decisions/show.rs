//! One decision, with its prompt as a model gets it.

use duru_llm::Models;
use duru_llm::decision::PromptsError;
use serde_json::json;

use super::{Known, Problem as Unfit, limits, pick, policy};
use crate::output::Output;
use crate::problem::Problem;

pub(crate) fn show(name: &str, output: &Output) -> Result<(), Problem> {
    let known = Known::read()?;
    let entry = known.registry.find(name).ok_or_else(|| Unfit::Unknown(name.to_owned()))?;
    let rendered =
        entry.render(&known.setup.prompts).map_err(|error| Unfit::Setup(PromptsError::from(error).into()))?;
    let version = entry.version(&known.setup.prompts);
    let lang = output.lang;
    let variables: Vec<String> = Models::variables(name).collect();
    let (who, reason) = known.policy(entry);
    let decides = format!("{} ({})", policy::who(who, lang), policy::why(reason.as_ref(), lang));
    let sections = [
        (lang.pick("묻는 것", "Asks"), pick(lang, entry.asks).to_owned()),
        (lang.pick("규칙", "Rule"), pick(lang, entry.rule).to_owned()),
        (lang.pick("모델을 정하는 변수", "The model is set by"), variables.join(", ")),
        (
            lang.pick("한도", "Limits"),
            format!("temperature {}, max_tokens {}", entry.limits.temperature, entry.limits.max_tokens),
        ),
        (lang.pick("누가 정하나", "Who decides"), decides),
        (lang.pick("답의 형식", "Schema"), entry.schema_text()),
        (lang.pick("예시에 대한 규칙의 답", "The rule's answer to the example"), entry.by_rule.to_string()),
        (lang.pick("시스템", "System"), rendered.system.clone().unwrap_or_default()),
        (lang.pick("질문", "Question"), rendered.question.clone()),
    ];
    let mut text = format!("{name} ({} {version})\n", lang.pick("프롬프트", "prompt"));
    for (title, body) in sections {
        text.push_str(&format!("\n== {title} ==\n{body}\n"));
    }
    output.text(&text)?;
    output.json(json!({
        "name": name,
        "prompt": { "version": version, "own": known.is_the_users(entry) },
        "system": rendered.system,
        "question": rendered.question,
        "limits": limits(entry),
        "schema": entry.schema,
        "example": entry.example,
        "by_rule": entry.by_rule,
        "model": known.model(entry),
        "policy": policy::as_json(who, reason.as_ref()),
        "variables": variables,
    }))
}
