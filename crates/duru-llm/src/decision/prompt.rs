//! Prompts: Markdown with variables, in the program.

use xxhash_rust::xxh3::xxh3_64;

/// A prompt: a Markdown file with `{{ field }}` where the input's fields go, and
/// a line `---` between what the model is and what it is asked.
///
/// Its name is that of the decision, behind the agent that makes it:
/// `researcher/query_router`. [`crate::prompt!`] makes one from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt {
    name: &'static str,
    text: &'static str,
}

/// The prompt in a file beside the one where this stands.
///
/// ```text
/// const PROMPT: Prompt = duru_llm::prompt!("researcher/query_router", "query_router.md");
/// ```
#[macro_export]
macro_rules! prompt {
    ($name:literal, $file:literal) => {
        $crate::decision::Prompt::new($name, include_str!($file))
    };
}

impl Prompt {
    /// A prompt of this name. What is behind its last `/` is also what the answer is called.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Prompt { name, text }
    }

    /// Its name, the agent's included.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The agent that asks, if the name has one.
    pub fn agent(&self) -> Option<&'static str> {
        self.name.split_once('/').map(|(agent, _)| agent)
    }

    /// Its text, with its variables.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// Changes with every change of its text.
    pub fn version(&self) -> String {
        version(self.text)
    }

    /// What the answer is called: providers allow no `/` there.
    pub(super) fn answer(&self) -> &'static str {
        self.name.rsplit('/').next().unwrap_or(self.name)
    }
}

pub(super) fn version(text: &str) -> String {
    format!("{:08x}", xxh3_64(text.as_bytes()) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_an_agent_and_a_version_its_text() {
        let prompt = Prompt::new("researcher/query_router", "a");
        assert_eq!((prompt.agent(), prompt.answer()), (Some("researcher"), "query_router"));
        assert_eq!((Prompt::new("p", "a").agent(), Prompt::new("p", "a").answer()), (None, "p"));
        assert_ne!(prompt.version(), Prompt::new("p", "b").version());
    }
}
