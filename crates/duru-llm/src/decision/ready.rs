//! What is worked out once for each kind of decision.

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use super::form::form;
use super::template::Template;
use super::{Decision, Prompts};

/// A decision's prompt, read, and the form of its answers.
pub(super) struct Ready {
    pub(super) template: Arc<Template>,
    /// What a model is given.
    pub(super) schema: Value,
    /// What is accepted.
    pub(super) validator: Validator,
}

impl Ready {
    /// For `D`; the error says in words what is wrong with its prompt or its type.
    pub(super) fn of<D: Decision>(prompts: &Prompts) -> Result<Ready, String> {
        let own = prompts.find(D::PROMPT.name());
        let built_in = || Template::read(D::PROMPT.name(), D::PROMPT.text()).map(Arc::new);
        let template = own.map_or_else(built_in, Ok).map_err(|error| error.to_string())?;
        let accepted = schemars::schema_for!(D::Output).to_value();
        let validator =
            jsonschema::validator_for(&accepted).map_err(|error| format!("the schema is wrong: {error}"))?;
        Ok(Ready { template, schema: form::<D::Output>(), validator })
    }
}

/// The fields that the prompt of `D` may name.
pub(super) fn fields<D: Decision>() -> Vec<String> {
    let schema = schemars::schema_for!(D::Input);
    let fields = schema.get("properties").and_then(|fields| fields.as_object());
    fields.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}
