//! A draft that the person looks through at the terminal: confirmed, changed in their editor, or given up.

use std::io::Write as _;
use std::process::Command;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::terminal::{self, Prompt, Said};
use crate::text::clean;

/// What is asked, as far as a terminal needs it.
#[derive(Deserialize)]
struct Review {
    message: String,
    #[serde(default)]
    fields: Vec<Field>,
    #[serde(default)]
    missing: Vec<String>,
    #[serde(default)]
    flaws: Vec<Flaw>,
    #[serde(default)]
    markdown: String,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    value: String,
}

#[derive(Deserialize)]
struct Flaw {
    grave: bool,
    text: String,
}

pub(super) fn is_one(asked: &Value) -> bool {
    asked["type"] == "draft_review_required"
}

/// What whoever said yes beforehand makes of the draft.
pub(super) fn yes() -> Value {
    json!({ "value": "confirm" })
}

/// What the person makes of the draft; none if they leave it.
pub(super) async fn answer(asked: &Value, output: &Output) -> Result<Option<Value>, Problem> {
    let review =
        Review::deserialize(asked).context("the draft can't be read").map_err(Problem::Unexpected)?;
    let lang = output.lang;
    for line in shown(&review, lang) {
        output.complain(&line);
    }
    let text = |_| {
        lang.pick("[Enter] 만들기  [e] 고치기  [x] 그만두기 > ", "[Enter] make it  [e] edit  [x] leave it > ")
            .to_owned()
    };
    loop {
        let line = match terminal::read(Prompt { text: &text, history: None, until: None }).await? {
            Said::Line(line) => line,
            Said::Stop => return Err(Problem::Stopped),
            Said::End | Said::TimeIsUp => return Ok(None),
        };
        match line.as_str() {
            "" => return Ok(Some(yes())),
            "x" | "cancel" => return Ok(Some(json!({ "value": "cancel" }))),
            "e" | "edit" => {
                let written = edited(&sheet(&review, lang), lang)?;
                let fields = changes(&review, &written);
                return Ok(Some(json!({ "value": "save", "fields": fields })));
            }
            other => {
                let fields = changes(&review, &other.replace(", ", "\n"));
                if !fields.is_empty() {
                    return Ok(Some(json!({ "value": "save", "fields": fields })));
                }
                output.complain(lang.pick(
                    "Enter, e, x 또는 이름=값으로 답해 주세요.",
                    "Answer with Enter, e, x or NAME=VALUE.",
                ));
            }
        }
    }
}

fn shown(review: &Review, lang: Lang) -> Vec<String> {
    let mut lines = vec![clean(&review.message)];
    lines.extend(review.markdown.lines().map(|line| format!("  {}", clean(line))));
    if !review.missing.is_empty() {
        let label = |name: &String| {
            let field = review.fields.iter().find(|field| field.name == *name);
            clean(field.map_or(name, |field| if field.label.is_empty() { name } else { &field.label }))
        };
        let labels: Vec<String> = review.missing.iter().map(label).collect();
        lines.push(format!("  {} {}", lang.pick("빈칸:", "Blank:"), labels.join(", ")));
    }
    lines.extend(review.flaws.iter().map(|flaw| {
        let sign = if flaw.grave { "✗" } else { "!" };
        format!("  {sign} {}", clean(&flaw.text))
    }));
    lines
}

/// The form as a file to edit: a line for each field, with what it is about above it.
fn sheet(review: &Review, lang: Lang) -> String {
    let mut sheet = lang
        .pick(
            "# 이름 = 값을 고치고 저장하세요. 지우면 빈칸이 됩니다.\n",
            "# Change what follows each name, and save. What you delete is left blank.\n",
        )
        .to_owned();
    for field in &review.fields {
        let choices: Vec<&str> = field.choices.iter().map(|choice| choice.value.as_str()).collect();
        let choices = if choices.is_empty() { String::new() } else { format!(" ({})", choices.join(" | ")) };
        sheet.push_str(&format!(
            "\n# {}{choices}\n{} = {}\n",
            clean(&field.label),
            field.name,
            plain(&field.value)
        ));
    }
    sheet
}

/// A value as it stands in the form; several lines are divided by bars.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().map(plain).collect::<Vec<_>>().join(" | "),
        other => other.to_string(),
    }
}

/// What was written differently, by field.
fn changes(review: &Review, written: &str) -> Map<String, Value> {
    let mut changed = Map::new();
    for line in written.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim());
        let Some(field) = review.fields.iter().find(|field| field.name == name || field.label == name) else {
            continue;
        };
        if value == plain(&field.value) {
            continue;
        }
        let value = match field.value {
            Value::Array(_) => value.split('|').map(str::trim).filter(|line| !line.is_empty()).collect(),
            _ if value.is_empty() => Value::Null,
            _ => json!(value),
        };
        changed.insert(field.name.clone(), value);
    }
    changed
}

/// The text after the person has had it in their editor.
fn edited(text: &str, lang: Lang) -> Result<String, Problem> {
    let problem = |error: anyhow::Error| Problem::Unexpected(error);
    let mut file = tempfile::Builder::new()
        .prefix("duru-")
        .suffix(".txt")
        .tempfile()
        .context("a file to edit")
        .map_err(problem)?;
    file.write_all(text.as_bytes()).context("a file to edit").map_err(problem)?;
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let mut words = editor.split_whitespace();
    let status = Command::new(words.next().unwrap_or("vi")).args(words).arg(file.path()).status();
    match status {
        Ok(status) if status.success() => {
            std::fs::read_to_string(file.path()).context("the edited file").map_err(problem)
        }
        _ => Err(Problem::Usage(lang.pick(
            format!("편집기 {editor}이(가) 열리지 않습니다: EDITOR를 확인하세요"),
            format!("the editor {editor} does not work: see to EDITOR"),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review() -> Review {
        Review::deserialize(json!({
            "message": "초안", "missing": ["tenant.name"], "flaws": [{ "grave": true, "text": "기간" }],
            "fields": [
                { "name": "kind", "label": "계약 종류", "value": "jeonse", "choices": [{ "value": "jeonse" }, { "value": "monthly_rent" }] },
                { "name": "tenant.name", "label": "임차인 이름", "value": null },
                { "name": "deposit", "label": "보증금", "value": 300_000_000 },
                { "name": "special_terms", "label": "특약사항", "value": ["하나"] },
            ],
        }))
        .unwrap()
    }

    #[test]
    fn only_what_was_changed_is_sent() {
        let sheet = sheet(&review(), Lang::Ko);
        assert!(changes(&review(), &sheet).is_empty(), "{sheet}");
        let written = sheet
            .replace("tenant.name = ", "tenant.name = 김두루")
            .replace("300000000", "3억")
            .replace("하나", "하나 | 둘")
            .replace("kind = jeonse", "kind =");
        let expected = json!({ "kind": null, "tenant.name": "김두루", "deposit": "3억", "special_terms": ["하나", "둘"] });
        assert_eq!(Value::Object(changes(&review(), &written)), expected);
    }

    #[test]
    fn blanks_and_flaws_are_said_in_words() {
        let lines = shown(&review(), Lang::Ko).join("\n");
        assert!(lines.contains("빈칸: 임차인 이름") && lines.contains("✗ 기간"), "{lines}");
    }
}
