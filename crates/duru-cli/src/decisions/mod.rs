//! `duru decisions`: what models decide, and who answered.

mod list;
mod policy;
mod problem;
mod shares;
mod show;

use duru_llm::Choice;
use duru_llm::Model as _;
use duru_llm::decision::{DecisionPolicy, Entry, PolicyReason, Registry, Setup, Words};

use serde_json::{Value, json};

pub(crate) use list::list;
pub(crate) use problem::Problem;
pub(crate) use show::show;

use crate::lang::Lang;
use crate::settings;

/// All decisions, and what the environment says of them.
struct Known {
    registry: Registry,
    setup: Setup,
}

impl Known {
    fn read() -> Result<Self, crate::problem::Problem> {
        let registry = duru_agents::decisions::registry();
        let setup = Setup::read(settings::get, &registry).map_err(Problem::from)?;
        Ok(Self { registry, setup })
    }

    /// Who answers it, if anything but the rule does.
    fn model(&self, entry: &Entry) -> Option<&str> {
        match self.setup.models.of(entry.name()) {
            Choice::Model(model) => Some(model.name()),
            Choice::Rules | Choice::Unusable(_) => None,
        }
    }

    /// Who makes it, and why.
    fn policy(&self, entry: &Entry) -> (DecisionPolicy, Option<PolicyReason<'_>>) {
        match self.model(entry) {
            Some(model) => {
                let (policy, why) = self.setup.policies.of(entry.name(), model);
                (policy, Some(why))
            }
            None => (DecisionPolicy::Rule, None),
        }
    }

    fn is_the_users(&self, entry: &Entry) -> bool {
        self.setup.prompts.names().any(|name| name == entry.name())
    }
}

/// A short number stays one: 0.1 and not 0.10000000149.
fn limits(entry: &Entry) -> Value {
    let temperature = (f64::from(entry.limits.temperature) * 1000.0).round() / 1000.0;
    json!({ "temperature": temperature, "max_tokens": entry.limits.max_tokens })
}

fn pick(lang: Lang, words: Words) -> &'static str {
    lang.pick(words.ko, words.en)
}
