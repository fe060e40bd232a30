//! `duru eval …`: the product's own measure of its answers.

mod conversations;
mod documents;
mod logs;
mod sufficiency;
mod tables;

use crate::args::EvalArgs;
use crate::output::Output;
use crate::problem::Problem;

pub(crate) async fn run(args: &EvalArgs, output: &Output) -> Result<(), Problem> {
    match args {
        EvalArgs::Documents(documents) => documents::run(documents, output).await,
        EvalArgs::Logs(logs) => logs::run(logs, output).await,
        EvalArgs::Tables(tables) => tables::run(tables, output).await,
        EvalArgs::Conversations { conversations, out } => {
            conversations::run(conversations, out, output).await
        }
        EvalArgs::Sufficiency { cases, out } => sufficiency::run(cases, out, output),
    }
}
