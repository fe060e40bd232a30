//! People's data: erased, kept for a while, copied and brought back.

mod archive;
pub(crate) mod attached;
mod backup;
pub(crate) mod erase;
pub(crate) mod keep;
mod places;
mod problem;
mod restore;

pub(crate) use problem::DataProblem;

use crate::args::{Args, DataAction, DataArgs};
use crate::output::Output;
use crate::problem::Problem;

pub(crate) async fn run(asked: &DataArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    match &asked.action {
        DataAction::Erase { name, mode } => erase::run(name, *mode, (asked, args), output).await,
        DataAction::Retention { mode } => keep::run(*mode, (asked, args), output).await,
        DataAction::Backup { file } => backup::run(file, (asked, args), output).await,
        DataAction::Restore { file, how } => restore::run(file, *how, (asked, args), output).await,
    }
}
