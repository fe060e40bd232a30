//! Which model makes which decision.

use std::collections::HashMap;
use std::sync::Arc;

use super::choice;
use crate::replies::{Kept, Replies};
use crate::{Budget, Error, Model, Policy, Resilient};

/// The models of a program, by decision.
///
/// `DURU_MODEL` names the usual one. `DURU_MODEL_RESEARCHER` names another for
/// all decisions of the agent `researcher`, and
/// `DURU_MODEL_RESEARCHER_QUERY_ROUTER` one for its decision `query_router`
/// alone; `none` leaves it to the rules. A model that cannot be used does not
/// keep a program from starting: the rules answer in its place, and say why.
/// `DURU_REPLIES` names a file in which all replies are kept and looked for first,
/// to measure again at no cost; of `replay:FILE`, only what it has is answered.
///
/// ```
/// use duru_llm::{Choice, Model, Models, Policy};
///
/// let get = |name: &str| match name {
///     "DURU_MODEL" => Some("ollama:qwen3:8b".to_owned()),
///     "DURU_MODEL_RESEARCHER_QUERY_ROUTER" => Some("none".to_owned()),
///     _ => None,
/// };
/// let models = Models::read(get, ["researcher/query_router", "researcher/planning"], Policy::default());
/// assert!(matches!(models.of("researcher/query_router"), Choice::Rules));
/// let Choice::Model(model) = models.of("researcher/planning") else { panic!() };
/// assert_eq!(model.name(), "ollama:qwen3:8b");
/// ```
#[derive(Clone)]
pub struct Models {
    usual: Choice,
    own: HashMap<String, Choice>,
}

/// Who answers.
#[derive(Clone)]
pub enum Choice {
    /// The rules, because no model is set.
    Rules,
    /// A model.
    Model(Resilient),
    /// The rules, because the model that is set cannot be used.
    Unusable(Error),
}

impl Models {
    /// What the variables say for decisions of these names. Decisions with the same
    /// setting share one model, with its breaker and its limit of calls at once.
    pub fn read<'a>(
        get: impl Fn(&str) -> Option<String>,
        decisions: impl IntoIterator<Item = &'a str>,
        policy: Policy,
    ) -> Models {
        let replies = choice::set(&get, Replies::VARIABLE).map(|file| Replies::open(&file).map(Arc::new));
        let choose = |settings| choose(settings, replies.clone(), policy);
        let usual = choose(choice::model(&get));
        let mut made: HashMap<String, Choice> = HashMap::new();
        let mut own = HashMap::new();
        for decision in decisions {
            let Some(variable) = variables(decision).find(|name| choice::set(&get, name).is_some()) else {
                continue;
            };
            let setting = choice::set(&get, &variable).unwrap_or_default();
            let choice = made.entry(setting).or_insert_with(|| choose(choice::named_by(variable, &get)));
            own.insert(decision.to_owned(), choice.clone());
        }
        Models { usual, own }
    }

    /// Who answers this decision.
    pub fn of(&self, decision: &str) -> &Choice {
        self.own.get(decision).unwrap_or(&self.usual)
    }

    /// The same for a run that may spend only this.
    #[must_use]
    pub fn within(&self, budget: &Arc<Budget>) -> Models {
        let own = self.own.iter().map(|(name, choice)| (name.clone(), choice.within(budget)));
        Models { usual: self.usual.within(budget), own: own.collect() }
    }

    /// Each choice once: the usual one first.
    pub fn all(&self) -> Vec<&Choice> {
        let mut all = vec![&self.usual];
        for choice in self.own.values() {
            if !all.iter().any(|other| other.is_like(choice)) {
                all.push(choice);
            }
        }
        all
    }

    /// The variables that may name a decision's model, the closest first.
    pub fn variables(decision: &str) -> impl Iterator<Item = String> {
        variables(decision).chain([choice::MODEL.to_owned()])
    }
}

/// Those of the decision and of its agent.
fn variables(decision: &str) -> impl Iterator<Item = String> {
    let agent = decision.split_once('/').map(|(agent, _)| agent);
    let name = |text: &str| {
        let text: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        format!("{}_{}", choice::MODEL, text.to_ascii_uppercase())
    };
    [Some(name(decision)), agent.map(name)].into_iter().flatten()
}

fn choose(
    settings: Result<Option<super::Settings>, Error>,
    replies: Option<Result<Arc<Replies>, Error>>,
    policy: Policy,
) -> Choice {
    let made = settings.and_then(|settings| {
        let Some(settings) = settings else { return Ok(None) };
        let model = settings.model()?;
        Ok(Some(match replies.transpose()? {
            Some(replies) => Arc::new(Kept::new(model, replies)) as Arc<dyn Model>,
            None => model,
        }))
    });
    match made {
        Ok(Some(model)) => Choice::Model(Resilient::new(model, policy)),
        Ok(None) => Choice::Rules,
        Err(error) => Choice::Unusable(error),
    }
}

impl Choice {
    fn within(&self, budget: &Arc<Budget>) -> Choice {
        match self {
            Choice::Model(model) => Choice::Model(model.within(budget.clone())),
            other => other.clone(),
        }
    }

    fn is_like(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::Rules, Choice::Rules) => true,
            (Choice::Model(one), Choice::Model(other)) => one.name() == other.name(),
            (Choice::Unusable(one), Choice::Unusable(other)) => one == other,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn models(set: &[(&str, &str)]) -> Models {
        let get = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        Models::read(get, ["a/one", "a/two", "b/one", "alone"], Policy::default())
    }

    fn shown(models: &Models, decision: &str) -> String {
        match models.of(decision) {
            Choice::Rules => "rules".into(),
            Choice::Model(model) => model.name().to_owned(),
            Choice::Unusable(error) => error.to_string(),
        }
    }

    #[test]
    fn the_closest_setting_counts() {
        let models = models(&[
            ("DURU_MODEL", "ollama:u"),
            ("DURU_MODEL_A", "ollama:a"),
            ("DURU_MODEL_A_ONE", "ollama:one"),
            ("DURU_MODEL_B", "none"),
            ("DURU_MODEL_ALONE", "ollama:a"),
        ]);
        let found = ["a/one", "a/two", "b/one", "alone", "c/other"].map(|name| shown(&models, name));
        assert_eq!(found, ["ollama:one", "ollama:a", "rules", "ollama:a", "ollama:u"]);
        assert_eq!(models.all().len(), 4);
        assert_eq!(
            Models::variables("a/one").collect::<Vec<_>>(),
            ["DURU_MODEL_A_ONE", "DURU_MODEL_A", "DURU_MODEL"]
        );
    }

    #[test]
    fn what_cannot_be_used_says_which_variable_to_change_and_spoils_nothing_else() {
        let models =
            models(&[("DURU_MODEL", "ollama:u"), ("DURU_MODEL_A_ONE", "gpt"), ("DURU_MODEL_B", "openai:x")]);
        assert!(
            shown(&models, "a/one").starts_with("DURU_MODEL_A_ONE is not usable"),
            "{}",
            shown(&models, "a/one")
        );
        assert_eq!(shown(&models, "b/one"), "no key for openai: set OPENAI_API_KEY");
        assert_eq!(shown(&models, "a/two"), "ollama:u");
    }
}
