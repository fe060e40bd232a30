//! Does a passage answer a query?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct PassageAnswers;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PassageAsked {
    pub(crate) query: Untrusted,
    /// With what it is called.
    pub(crate) passage: Untrusted,
    /// By how its words lie.
    pub(crate) draft: Answers,
    /// The rule is sure that what was found answers.
    pub(crate) certain: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Answers {
    pub(crate) answers: YesNo,
    /// How far the model leans to the yes, where its provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub(crate) leaning: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum YesNo {
    Yes,
    No,
}

impl From<bool> for Answers {
    fn from(answers: bool) -> Self {
        Answers { answers: if answers { YesNo::Yes } else { YesNo::No }, leaning: None }
    }
}

impl Decision for PassageAnswers {
    type Input = PassageAsked;
    type Output = Answers;
    const PROMPT: Prompt = prompt!("researcher/passage_answers", "passage_answers.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 40 };
    const LEANS: bool = true;

    fn by_rule(asked: &PassageAsked) -> Answers {
        asked.draft.clone()
    }

    fn is_certain(asked: &PassageAsked) -> bool {
        asked.certain
    }

    fn lean(value: &mut Answers, leaning: f32) {
        value.leaning = Some(leaning);
    }
}
