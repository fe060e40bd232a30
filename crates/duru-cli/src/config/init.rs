//! `duru init`: a first file of settings, asked for or with what is usual. It never replaces one.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;

/// What a file may say; everything else is a comment that teaches.
#[derive(Default)]
struct Wanted {
    lang: Option<String>,
    logs: Option<String>,
    model: Option<String>,
}

pub(crate) fn init(yes: bool, output: &Output) -> Result<(), Problem> {
    let path = settings::user_file().ok_or_else(|| no_home(output.lang))?;
    if path.exists() {
        return Err(Problem::Usage(output.lang.pick(
            format!("{}이(가) 이미 있습니다. 고쳐 쓰거나, 지우고 다시 하세요.", path.display()),
            format!("{} is there already: edit it, or delete it and try again", path.display()),
        )));
    }
    let wanted = if yes || !output.may_ask() { Wanted::default() } else { ask(output)? };
    write(&path, &text(&wanted, output)).map_err(|source| Problem::File { file: path.clone(), source })?;
    output.json(serde_json::json!({ "path": path }))?;
    output.text(&format!("{}\n", path.display()))?;
    output.progress(&output.lang.pick(
        format!("만들었습니다. 점검: {}", output.command("doctor")),
        format!("Made. To check it: {}", output.command("doctor")),
    ));
    Ok(())
}

pub(super) fn no_home(lang: Lang) -> Problem {
    Problem::Usage(lang.pick(
        "설정 파일을 둘 곳을 모릅니다: HOME이나 XDG_CONFIG_HOME을 설정하세요".to_owned(),
        "there is no place for a file of settings: set HOME or XDG_CONFIG_HOME".to_owned(),
    ))
}

fn ask(output: &Output) -> Result<Wanted, Problem> {
    let lang = output.lang;
    Ok(Wanted {
        lang: language(output)?,
        logs: question(lang.pick(
            "로그가 있는 곳 (postgres:// URL이나 폴더, 비우면 내장 폴더): ",
            "Where your logs are (a postgres:// URL or a folder, empty: a folder of its own): ",
        ))?,
        model: question(lang.pick(
            "모델 (anthropic:…, openai:…, ollama:…, 비우면 규칙만으로): ",
            "Model (anthropic:…, openai:…, ollama:…, empty: rules only): ",
        ))?,
    })
}

/// Asks until it is one that there is, or none.
fn language(output: &Output) -> Result<Option<String>, Problem> {
    let words =
        output.lang.pick("언어 (ko/en, 비우면 시스템을 따름): ", "Language (ko/en, empty: the system's): ");
    loop {
        match question(words)? {
            Some(word) if Lang::from_word(&word).is_none() => {
                output.complain(output.lang.pick("ko나 en을 쓰세요.", "Type ko or en."));
            }
            word => return Ok(word),
        }
    }
}

fn question(words: &str) -> Result<Option<String>, Problem> {
    let mut out = std::io::stderr().lock();
    write!(out, "{words}").and_then(|()| out.flush()).map_err(Problem::Output)?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Problem::Output)?;
    Ok(Some(line.trim().to_owned()).filter(|line| !line.is_empty()))
}

fn text(wanted: &Wanted, output: &Output) -> String {
    let mut text = output.lang.pick(
        "# 두루의 설정. 환경 변수와 명령줄이 먼저입니다. `duru config show --origin`\n\n",
        "# Settings of Duru. The command line and the environment come first. `duru config show --origin`\n\n",
    ).to_owned();
    for known in settings::known() {
        let Some(key) = known.name.strip_prefix("DURU_").map(str::to_ascii_lowercase) else { continue };
        if known.is_secret || key.starts_with("model_") {
            continue;
        }
        let value = match key.as_str() {
            "lang" => &wanted.lang,
            "logs" => &wanted.logs,
            "model" => &wanted.model,
            _ => &None,
        };
        let meaning = output.lang.pick(known.ko, known.en);
        match value {
            Some(value) => text += &format!("# {meaning}\n{key} = {}\n", toml::Value::from(value.as_str())),
            None => text += &format!("# {meaning}\n# {key} = \"\"\n"),
        }
    }
    text
}

/// Only its owner may read it: keys may be put there later.
fn write(path: &PathBuf, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
