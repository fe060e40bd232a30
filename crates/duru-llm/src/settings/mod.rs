//! Which model, from the environment.

mod address;
mod choice;
mod models;

use std::sync::Arc;

use choice::Wire;

pub(crate) use address::base;
pub use models::{Choice, Models};

use crate::http::Access;
use crate::provider::Dialect;
use crate::{Anthropic, Embedder, Error, Limits, Model, OpenAi, OpenAiEmbedder, OpenAiResponses};

/// Which model to use, where it is, and the key for it.
///
/// `DURU_MODEL` says which: `anthropic:NAME`, `openai:NAME` (by chat completions),
/// `openai-responses:NAME` (the same models by Responses), `ollama:NAME`, the
/// address of a server that speaks OpenAI's format (`http://host:8000/v1#NAME`),
/// or `none`. Without it, a key that is set chooses its provider. Keys are in
/// `ANTHROPIC_API_KEY` and `OPENAI_API_KEY`, for a server of your own in
/// `DURU_API_KEY`, so that no provider's key goes to another. `DURU_REASONING_TOKENS`
/// says how many tokens a model may think beside its answer.
///
/// ```
/// use duru_llm::Settings;
///
/// let only_a_key = |name: &str| (name == "ANTHROPIC_API_KEY").then(|| "sk-ant-…x".replace('…', "-"));
/// let settings = Settings::read(only_a_key)?.expect("the key is enough");
/// assert_eq!(settings.name(), "anthropic:claude-sonnet-4-5-20250929");
/// assert!(Settings::read(|_| None)?.is_none());
/// # Ok::<(), duru_llm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    access: Access,
    wire: Wire,
    reasoning: Option<u32>,
    limits: Limits,
}

impl Settings {
    /// What the environment says; `None` if it names no model, so that rules answer.
    pub fn from_env() -> Result<Option<Settings>, Error> {
        Settings::read(|name| std::env::var(name).ok())
    }

    /// The same with variables from elsewhere.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Option<Settings>, Error> {
        choice::model(&get)
    }

    /// The model for embeddings, which `DURU_EMBEDDING` names as `DURU_MODEL` does a model.
    pub fn read_embedding(get: impl Fn(&str) -> Option<String>) -> Result<Option<Settings>, Error> {
        choice::embedding(&get)
    }

    /// The same model with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What people call the model.
    pub fn name(&self) -> String {
        format!("{}:{}", self.access.provider, self.access.model)
    }

    /// The model.
    pub fn model(&self) -> Result<Arc<dyn Model>, Error> {
        let access = self.access.clone();
        Ok(match self.wire {
            Wire::Anthropic => Arc::new(Anthropic::new(access, self.reasoning, self.limits)?),
            Wire::OpenAi => Arc::new(OpenAi::new(access, Dialect::OpenAi, self.reasoning, self.limits)?),
            Wire::Responses => Arc::new(OpenAiResponses::new(access, self.reasoning, self.limits)?),
            Wire::Compatible => {
                Arc::new(OpenAi::new(access, Dialect::Compatible, self.reasoning, self.limits)?)
            }
        })
    }

    /// The model as an embedder.
    pub fn embedder(&self) -> Result<Arc<dyn Embedder>, Error> {
        if self.wire == Wire::Anthropic {
            return Err(Error::Setting {
                variable: choice::EMBEDDING.into(),
                reason: "Anthropic has no embeddings; use openai:NAME, ollama:NAME or an address".into(),
            });
        }
        Ok(Arc::new(OpenAiEmbedder::new(self.access.clone(), self.limits)?))
    }
}
