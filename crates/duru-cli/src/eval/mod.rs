//! `duru eval …`: the product's own measure of its answers.

mod bare;
mod conversations;
mod documents;
mod figures;
mod injection;
mod logs;
mod policy;
mod sufficiency;
mod tables;

use duru_llm::Choice;
use duru_llm::decision::{Decider, Registry, Setup};

use crate::args::{EvalArgs, EvalModel};
use crate::output::Output;
use crate::problem::Problem;
use crate::{decisions, settings};

/// The policy that is none: what was measured of the model counts.
const MEASURED: &str = "measured";

pub(crate) async fn run(args: &EvalArgs, output: &Output) -> Result<(), Problem> {
    match args {
        EvalArgs::Documents(documents) => documents::run(documents, output).await,
        EvalArgs::Logs(logs) => logs::run(logs, output).await,
        EvalArgs::Tables(tables) => tables::run(tables, output).await,
        EvalArgs::Conversations { conversations, out, with } => {
            conversations::run(conversations, out, with, output).await
        }
        EvalArgs::Injection { items, out, with } => injection::run(items, out, with, output).await,
        EvalArgs::Sufficiency { cases, out, with } => sufficiency::run(cases, out, with, output).await,
    }
}

/// Whoever decides: what is set, and what the options say in its place. A model that is named is measured, and so it
/// decides, unless something else is said.
fn decider(with: &EvalModel) -> Result<Decider, Problem> {
    Ok(setup(with)?.0.decider())
}

fn setup(with: &EvalModel) -> Result<(Setup, Registry), Problem> {
    let policy = with.policy.clone().or_else(|| with.model.as_ref().map(|_| "model".to_owned()));
    // As it would be for a person with this model: by what was measured.
    let policy = policy.filter(|policy| policy != MEASURED);
    let get = |name: &str| match name {
        "DURU_MODEL" => with.model.clone().or_else(|| settings::get(name)),
        "DURU_REPLIES" => with.replies.clone().or_else(|| settings::get(name)),
        "DURU_POLICY" => policy.clone().or_else(|| settings::get(name)),
        name => settings::get(name),
    };
    let registry = duru_agents::decisions::registry();
    let setup = Setup::read(get, &registry).map_err(decisions::Problem::from)?;
    for choice in setup.models.all() {
        // Measuring the rules in the place of a model that can't be used would be a lie.
        if let (Choice::Unusable(error), Some(_)) = (choice, &with.model) {
            return Err(Problem::Usage(error.to_string()));
        }
    }
    Ok((setup, registry))
}
