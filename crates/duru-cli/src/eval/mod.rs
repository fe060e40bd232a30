//! `duru eval`: how good the answers are.

mod documents;

use crate::args::EvalArgs;
use crate::output::Output;
use crate::problem::Problem;

pub(crate) async fn run(args: &EvalArgs, output: &Output) -> Result<(), Problem> {
    match args {
        EvalArgs::Documents(documents) => documents::run(documents, output).await,
    }
}
