//! `duru config` and `duru init`: what is set, from where, and a first file.

mod init;
mod show;

pub(crate) use init::init;

use crate::args::ConfigAction;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;

pub(crate) fn run(action: ConfigAction, output: &Output) -> Result<(), Problem> {
    match action {
        ConfigAction::Show { origin } => show::show(origin, output),
        ConfigAction::Path => {
            let path = settings::user_file().ok_or_else(init::no_home)?;
            output.json(serde_json::json!({ "path": path, "exists": path.exists() }))?;
            output.text(&format!("{}\n", path.display()))
        }
    }
}
