//! From the environment to a decider.

use std::path::PathBuf;

use super::{Decider, DecisionPolicies, DecisionPolicy, Patience, Prompts, PromptsError, Registry};
use crate::{Models, Policy, Prices, PricesError};

/// What the environment says of a program's decisions: their models
/// ([`Models`]), the user's prompts (`DURU_PROMPTS`, a folder; see
/// [`Registry::prompts`]), what models cost ([`Prices`]), who decides
/// ([`DecisionPolicies`]) and how long a person waits ([`Patience`]).
///
/// ```
/// use duru_llm::decision::{Registry, Setup};
///
/// let setup = Setup::read(|_| None, &Registry::new())?; // Nothing is set: the rules answer.
/// let decider = setup.decider();
/// # let _ = decider;
/// # Ok::<(), duru_llm::decision::SetupError>(())
/// ```
#[derive(Clone)]
pub struct Setup {
    /// Which model makes which decision.
    pub models: Models,
    /// Prompts in the place of ours.
    pub prompts: Prompts,
    /// What models cost.
    pub prices: Prices,
    /// Who makes which decision.
    pub policies: DecisionPolicies,
    /// How long a person waits for a model.
    pub patience: Patience,
}

/// Why a program cannot decide as it was told to. A model that cannot be used
/// is no reason: its decisions are left to the rules.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The user's prompts.
    #[error(transparent)]
    Prompts(#[from] PromptsError),
    /// The user's prices.
    #[error(transparent)]
    Prices(#[from] PricesError),
    /// A setting that says who decides, and can't be read.
    #[error("{variable} is {value:?}; use {}", DecisionPolicy::words())]
    Policy {
        /// The variable to change.
        variable: String,
        /// What it is.
        value: String,
    },
    /// A file that says who decides, and can't be read.
    #[error("DURU_POLICIES names {file}, which can't be used: {reason}")]
    Policies {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A time that can't be read.
    #[error("{variable} is {value:?}; use a number of seconds from 1")]
    Seconds {
        /// The variable to change.
        variable: &'static str,
        /// What it is.
        value: String,
    },
}

impl Setup {
    /// What the environment says.
    pub fn from_env(registry: &Registry) -> Result<Setup, SetupError> {
        Setup::read(|name| std::env::var(name).ok(), registry)
    }

    /// The same with variables from elsewhere.
    pub fn read(get: impl Fn(&str) -> Option<String>, registry: &Registry) -> Result<Setup, SetupError> {
        let folder = get("DURU_PROMPTS").filter(|folder| !folder.trim().is_empty()).map(PathBuf::from);
        Ok(Setup {
            prompts: registry.prompts(folder.as_deref())?,
            prices: Prices::read(&get)?,
            policies: DecisionPolicies::read(&get, registry)?,
            patience: Patience::read(&get)?,
            models: Models::read(&get, registry.into_iter().map(super::Entry::name), Policy::default()),
        })
    }

    /// A decider that does all this.
    pub fn decider(self) -> Decider {
        Decider::with_models(self.models)
            .with(self.prompts, self.prices)
            .under(self.policies)
            .waiting(self.patience)
    }
}
