//! `duru eval …`: the product's own measure of its answers.

mod sufficiency;

use crate::args::EvalArgs;
use crate::output::Output;
use crate::problem::Problem;

pub(crate) fn run(args: &EvalArgs, output: &Output) -> Result<(), Problem> {
    match args {
        EvalArgs::Sufficiency { cases, out } => sufficiency::run(cases, out, output),
    }
}
