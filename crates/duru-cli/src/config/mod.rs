//! `duru config` and `duru init`: what is set, from where, and a first file.

mod init;
mod show;

pub(crate) use init::init;

use std::path::Path;

use clap_complete::Shell;
use serde_json::json;

use crate::args::{self, Args, ConfigAction};
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;
use crate::text::clean;

/// `duru completions SHELL`
pub(crate) fn completions(shell: Shell, output: &Output) -> Result<(), Problem> {
    let script = args::completions(shell, output.lang);
    output.text(&script)?;
    output.json(json!({ "shell": shell.to_string(), "script": script }))
}

pub(crate) fn run(action: ConfigAction, args: &Args, output: &Output) -> Result<(), Problem> {
    match action {
        ConfigAction::Show { origin } => show::show(origin, args, output),
        ConfigAction::Trust => trusted(true, output),
        ConfigAction::Distrust => trusted(false, output),
        ConfigAction::Path => {
            let path = settings::user_file().ok_or_else(|| init::no_home(output.lang))?;
            output.json(json!({ "path": path, "exists": path.exists() }))?;
            output.text(&format!("{}\n", path.display()))
        }
    }
}

fn trusted(trusted: bool, output: &Output) -> Result<(), Problem> {
    let file = Path::new(settings::PROJECT);
    let done = if trusted { settings::trust::trust(file) } else { settings::trust::distrust() };
    done.map_err(|source| Problem::File { file: file.to_owned(), source })?;
    let folder = std::env::current_dir().unwrap_or_default();
    let folder = clean(&folder.display().to_string());
    output.text(&match trusted {
        true => output.lang.pick(
            format!("{folder}의 duru.toml을 믿습니다. 파일이 바뀌면 다시 물어봅니다.\n"),
            format!("The duru.toml of {folder} is trusted, until it changes.\n"),
        ),
        false => output.lang.pick(
            format!("{folder}의 duru.toml을 더는 믿지 않습니다.\n"),
            format!("The duru.toml of {folder} is not trusted any more.\n"),
        ),
    })?;
    output.json(json!({ "folder": folder, "trusted": trusted }))
}
