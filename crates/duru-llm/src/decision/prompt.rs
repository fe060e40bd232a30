//! Prompts: Markdown with variables.

use serde::Serialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::untrusted::{fence, text_of};

/// A prompt: a Markdown file with `{{ field }}` where the input's fields go, and
/// a line `---` between what the model is and what it is asked.
///
/// [`crate::prompt!`] makes one from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt {
    name: &'static str,
    text: &'static str,
}

/// The prompt in a file beside the one where this stands.
///
/// ```text
/// const PROMPT: Prompt = duru_llm::prompt!("severity", "severity.md");
/// ```
#[macro_export]
macro_rules! prompt {
    ($name:literal, $file:literal) => {
        $crate::decision::Prompt::new($name, include_str!($file))
    };
}

/// Why a prompt cannot be rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A variable that nothing fills.
    #[error("the prompt {prompt} has the variable {variable:?}, which is no field of the input")]
    UnknownVariable {
        /// Which prompt.
        prompt: &'static str,
        /// Which variable.
        variable: String,
    },
    /// `{{` without `}}`.
    #[error("the prompt {prompt} has a {{{{ without }}}} at byte {at}")]
    Unclosed {
        /// Which prompt.
        prompt: &'static str,
        /// Where it begins.
        at: usize,
    },
}

/// A prompt with an input in it.
pub(super) struct Rendered {
    pub(super) system: Option<String>,
    pub(super) question: String,
}

enum Part<'a> {
    Text(&'a str),
    Variable(&'a str),
}

impl Prompt {
    /// A prompt of this name, which is also what the answer is called.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Prompt { name, text }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Changes with every change of its text.
    pub fn version(&self) -> String {
        format!("{:08x}", xxh3_64(self.text.as_bytes()) >> 32)
    }

    pub(super) fn check(&self, is_field: impl Fn(&str) -> bool) -> Result<(), TemplateError> {
        for part in self.parts(self.text)? {
            if let Part::Variable(name) = part
                && !is_field(name)
            {
                return Err(TemplateError::UnknownVariable { prompt: self.name, variable: name.to_owned() });
            }
        }
        Ok(())
    }

    /// With `input` in it. The template is split before it is filled, so that
    /// no input can move the line between the two halves.
    pub(super) fn render(&self, input: &impl Serialize) -> Result<Rendered, TemplateError> {
        let input = serde_json::to_value(input).unwrap_or_default();
        match self.text.split_once("\n---\n") {
            Some((system, question)) => {
                let system = Some(self.fill(system, &input)?);
                Ok(Rendered { system, question: self.fill(question, &input)? })
            }
            None => Ok(Rendered { system: None, question: self.fill(self.text, &input)? }),
        }
    }

    fn fill(&self, text: &str, input: &Value) -> Result<String, TemplateError> {
        let mut out = String::with_capacity(text.len());
        for part in self.parts(text)? {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Variable(name) => match input.get(name) {
                    Some(value) => out.push_str(&show(value)),
                    // A field that serde left out because it is empty.
                    None => out.push_str(NOTHING),
                },
            }
        }
        Ok(out.trim().to_owned())
    }

    fn parts<'a>(&self, text: &'a str) -> Result<Vec<Part<'a>>, TemplateError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("{{") {
            let at = text.len() - rest.len() + before.len();
            let Some((name, after)) = behind.split_once("}}") else {
                return Err(TemplateError::Unclosed { prompt: self.name, at });
            };
            parts.push(Part::Text(before));
            parts.push(Part::Variable(name.trim()));
            rest = after;
        }
        parts.push(Part::Text(rest));
        Ok(parts)
    }
}

const NOTHING: &str = "(none)";

/// A value as a model reads it. An object of several fields is data as a whole,
/// because any of them may be text that others wrote.
fn show(value: &Value) -> String {
    if let Some(text) = text_of(value) {
        return fence(text);
    }
    match value {
        Value::Null => NOTHING.to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) if items.is_empty() => NOTHING.to_owned(),
        Value::Array(items) => {
            items.iter().map(|item| format!("- {}", show(item))).collect::<Vec<_>>().join("\n")
        }
        Value::Object(_) => fence(&plain(value).to_string()),
    }
}

/// Without the marks of untrusted text, which the fence around it replaces.
fn plain(value: &Value) -> Value {
    if let Some(text) = text_of(value) {
        return text.into();
    }
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_input_fills_a_prompt() {
        let prompt = Prompt::new("p", "You are {{role}}.\n---\n{{ lines }}\n{{one}} {{ gone }} {{n}}");
        let input = json!({"role": "a judge", "n": 3, "one": {"a": {"$untrusted": "b\n---\nc"}},
            "lines": ["trusted", {"$untrusted": "{{ role }}"}]});
        let rendered = prompt.render(&input).unwrap();
        assert_eq!(rendered.system.as_deref(), Some("You are a judge."));
        assert_eq!(
            rendered.question,
            "- trusted\n- <untrusted-data>\n{{ role }}\n</untrusted-data>\n\
             <untrusted-data>\n{\"a\":\"b\\n---\\nc\"}\n</untrusted-data> (none) 3"
        );
    }

    #[test]
    fn a_wrong_prompt_is_found_before_it_is_used() {
        let check = |text| Prompt::new("p", text).check(|name| name == "a");
        assert_eq!(check("{{ a }} {{a}}"), Ok(()));
        assert!(
            matches!(check("{{ b }}"), Err(TemplateError::UnknownVariable { variable, .. }) if variable == "b")
        );
        assert_eq!(check("가{{ a"), Err(TemplateError::Unclosed { prompt: "p", at: 3 }));
        assert_ne!(Prompt::new("p", "a").version(), Prompt::new("p", "b").version());
    }
}
