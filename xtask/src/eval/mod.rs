//! `cargo xtask eval`: all sets of questions, by `duru eval …`, in one table.

mod score;
mod sets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace::{cargo, root, target};
use score::Score;
use sets::{QuestionSet, SetKind};

pub(crate) fn run(args: &[String]) -> Result<bool> {
    let only = match args {
        [] => None,
        [flag, name] if flag == "--only" => Some(name.as_str()),
        other => bail!("`eval` takes `--only NAME`, a part of a set's name, and not {}", other.join(" ")),
    };
    let root = root()?;
    let shared = std::env::var_os("DURU_SHARED").map(PathBuf::from);
    let mut sets = sets::all(&root, shared.as_deref())?;
    sets.retain(|set| only.is_none_or(|only| set.name.contains(only)));
    if sets.is_empty() {
        bail!("there is no such set");
    }
    if !cargo(&["build", "--package", "duru-cli"])?.status().context("cannot start cargo")?.success() {
        return Ok(false);
    }
    let program = target()?.join("debug").join(format!("duru{}", std::env::consts::EXE_SUFFIX));
    let folder = target()?.join("eval");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    println!("{}", Score::head());
    let mut all_well = true;
    for set in &sets {
        for (lang, file) in by_language(set, &folder)? {
            match measure(&program, set, &file, &folder) {
                Ok(score) => println!("{}", score.line(&set.name, &lang)),
                Err(error) => {
                    all_well = false;
                    println!("{}", Score::missing(&set.name, &lang, &format!("{error:#}")));
                }
            }
        }
    }
    Ok(all_well)
}

/// A set's items in a file for each language that they are in.
fn by_language(set: &QuestionSet, folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let text = std::fs::read_to_string(&set.items)
        .with_context(|| format!("cannot read {}", set.items.display()))?;
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let item: Value = serde_json::from_str(line)
            .with_context(|| format!("{} has a line that is no JSON", set.items.display()))?;
        let part = parts.entry(language(&item)).or_default();
        part.push_str(line);
        part.push('\n');
    }
    let mut files = Vec::new();
    for (lang, items) in parts {
        let file = folder.join(format!("{}.{lang}.jsonl", set.name.replace('/', "-")));
        std::fs::write(&file, items).with_context(|| format!("cannot write {}", file.display()))?;
        files.push((lang, file));
    }
    Ok(files)
}

/// The language that an item says it is in, or else that of its letters.
fn language(item: &Value) -> String {
    if let Some(lang) = item["lang"].as_str() {
        return lang.to_owned();
    }
    let words = [&item["question"], &item["query"], &item["turns"]].map(Value::to_string).concat();
    let is_hangul = |letter: char| ('가'..='힣').contains(&letter);
    if words.chars().any(is_hangul) { "ko" } else { "en" }.to_owned()
}

fn measure(program: &Path, set: &QuestionSet, items: &Path, folder: &Path) -> Result<Score> {
    let out = folder.join("said.jsonl");
    let mut command = Command::new(program);
    command
        .arg("eval")
        .args(set.kind.words())
        .arg(items)
        .arg("--out")
        .arg(&out)
        .args(["--json", "--lang", "en"]);
    match &set.kind {
        SetKind::Documents { corpus } => drop(command.arg("--corpus").arg(corpus)),
        SetKind::Logs { lines } => {
            let lines = lines.as_ref().context("skipped: DURU_EVAL_LOGS names no file with the lines")?;
            command.arg("--logs").arg(lines);
            command.args(["--now", "2026-03-18T14:30:00+09:00", "--timezone", "Asia/Seoul"]);
        }
        SetKind::Tables { base } => {
            let base =
                base.as_ref().context("skipped: DURU_EVAL_POSTGRES names no server with the databases")?;
            command.args(["--base", base]);
        }
        SetKind::Sufficiency | SetKind::Conversations => {}
    }
    let output =
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("cannot start duru")?;
    let answer: Value = serde_json::from_slice(&output.stdout).context("it gave no result")?;
    let said = std::fs::read_to_string(&out).unwrap_or_default();
    Score::read(&set.kind, &answer, &said).context("its result has another form")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_item_has_a_language() {
        assert_eq!(language(&json!({ "lang": "en", "question": "로그" })), "en");
        assert_eq!(language(&json!({ "question": "how many 로그" })), "ko");
        assert_eq!(language(&json!({ "query": "how many" })), "en");
        assert_eq!(language(&json!({ "turns": [{ "user": "얼마?" }] })), "ko");
    }
}
