//! `duru config` and `duru init`: what is set, from where, and a first file.

mod init;
mod show;

pub(crate) use init::init;

use clap_complete::Shell;
use serde_json::json;

use crate::args::{self, Args, ConfigAction};
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;

/// `duru completions SHELL`
pub(crate) fn completions(shell: Shell, output: &Output) -> Result<(), Problem> {
    let script = args::completions(shell, output.lang);
    output.text(&script)?;
    output.json(json!({ "shell": shell.to_string(), "script": script }))
}

pub(crate) fn run(action: ConfigAction, args: &Args, output: &Output) -> Result<(), Problem> {
    match action {
        ConfigAction::Show { origin } => show::show(origin, args, output),
        ConfigAction::Path => {
            let path = settings::user_file().ok_or_else(|| init::no_home(output.lang))?;
            output.json(json!({ "path": path, "exists": path.exists() }))?;
            output.text(&format!("{}\n", path.display()))
        }
    }
}
