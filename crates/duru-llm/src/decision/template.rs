//! A prompt that was read: parts of text with variables between them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::prompt::version;
use super::show::{NOTHING, show};
use super::untrusted::{NOTICE, is_fenced};

/// Why a prompt cannot be rendered. `prompt` is its name, or its file if it is one of the user's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A variable that nothing fills.
    #[error("the prompt {prompt} has the variable {variable:?}, which is no field of the input ({known})")]
    UnknownVariable {
        /// Which prompt.
        prompt: String,
        /// Which variable.
        variable: String,
        /// Which there are.
        known: String,
    },
    /// A variable of the prompt that this one replaces is not in it.
    #[error(
        "the prompt {prompt} lacks the variable {variable:?}: without it the model is not told what to judge"
    )]
    MissingVariable {
        /// Which prompt.
        prompt: String,
        /// Which variable.
        variable: String,
    },
    /// `{{` without `}}`.
    #[error("the prompt {prompt} has a {{{{ without }}}} at byte {at}")]
    Unclosed {
        /// Which prompt.
        prompt: String,
        /// Where it begins.
        at: usize,
    },
    /// There is nothing in it.
    #[error("the prompt {prompt} is empty")]
    Empty {
        /// Which prompt.
        prompt: String,
    },
}

/// A prompt with an input in it, as a model gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// What stands before the conversation.
    pub system: Option<String>,
    /// What is asked.
    pub question: String,
}

/// A prompt that was read.
#[derive(Clone, Debug)]
pub(super) struct Template {
    system: Option<Vec<Part>>,
    question: Vec<Part>,
    version: String,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Variable(String),
}

impl Template {
    /// Reads `text`, the prompt called `prompt`.
    pub(super) fn read(prompt: &str, text: &str) -> Result<Template, TemplateError> {
        if text.trim().is_empty() {
            return Err(TemplateError::Empty { prompt: prompt.to_owned() });
        }
        // Split before it is filled, so that no input can move the line between the two halves.
        let (system, question, behind) = match text.split_once("\n---\n") {
            Some((system, question)) => (Some(system), question, system.len() + "\n---\n".len()),
            None => (None, text, 0),
        };
        let unclosed = |at| TemplateError::Unclosed { prompt: prompt.to_owned(), at };
        Ok(Template {
            system: system.map(parts).transpose().map_err(unclosed)?,
            question: parts(question).map_err(|at| unclosed(behind + at))?,
            version: version(text),
        })
    }

    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Every variable in it, once.
    pub(super) fn variables(&self) -> BTreeSet<&str> {
        let all = self.system.iter().flatten().chain(&self.question);
        all.filter_map(|part| match part {
            Part::Variable(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
        .collect()
    }

    /// Whether everything in it is one of `fields`.
    pub(super) fn check(&self, prompt: &str, fields: &[String]) -> Result<(), TemplateError> {
        let unknown = self.variables().into_iter().find(|name| !fields.iter().any(|field| field == name));
        unknown.map_or(Ok(()), |variable| {
            Err(TemplateError::UnknownVariable {
                prompt: prompt.to_owned(),
                variable: variable.to_owned(),
                known: fields.join(", "),
            })
        })
    }

    /// With `input`, an object, in it.
    pub(super) fn render(&self, input: &Value) -> Rendered {
        let mut system = self.system.as_ref().map(|parts| fill(parts, input));
        let question = fill(&self.question, input);
        if is_fenced(&question) || system.as_deref().is_some_and(is_fenced) {
            system = Some(system.map_or_else(|| NOTICE.to_owned(), |system| format!("{system}\n\n{NOTICE}")));
        }
        Rendered { system, question }
    }
}

fn fill(parts: &[Part], input: &Value) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Variable(name) => match input.get(name) {
                Some(value) => out.push_str(&show(value)),
                // A field that serde left out because it is empty.
                None => out.push_str(NOTHING),
            },
        }
    }
    let trimmed = out.trim();
    if trimmed.len() == out.len() { out } else { trimmed.to_owned() }
}

/// The parts of a text, or where a variable begins that never ends.
fn parts(text: &str) -> Result<Vec<Part>, usize> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let at = text.len() - rest.len() + before.len();
        let (name, after) = behind.split_once("}}").ok_or(at)?;
        parts.push(Part::Text(before.to_owned()));
        parts.push(Part::Variable(name.trim().to_owned()));
        rest = after;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_input_fills_a_prompt() {
        let text = "You are {{role}}.\n---\n{{ lines }}\n{{one}} {{ gone }} {{n}}";
        let input = json!({"role": "a judge", "n": 3, "one": {"a": {"$untrusted": "b\n---\nc"}},
            "lines": ["trusted", {"$untrusted": "{{ role }}"}]});
        let rendered = Template::read("p", text).unwrap().render(&input);
        assert_eq!(rendered.system, Some(format!("You are a judge.\n\n{NOTICE}")));
        assert_eq!(
            rendered.question,
            "- trusted\n- <untrusted-data>\n{{ role }}\n</untrusted-data>\n\
             <untrusted-data>\n{\"a\":\"b\\n---\\nc\"}\n</untrusted-data> (none) 3"
        );
        let plain = Template::read("p", "{{ n }}").unwrap().render(&input);
        assert_eq!((plain.system, plain.question.as_str()), (None, "3"));
    }

    #[test]
    fn a_wrong_prompt_is_found_before_it_is_used() {
        let check = |text| Template::read("p", text)?.check("p", &["a".to_owned(), "c".to_owned()]);
        assert_eq!(check("{{ a }} {{a}}"), Ok(()));
        let error = check("{{ b }}").unwrap_err();
        assert!(
            matches!(&error, TemplateError::UnknownVariable { variable, .. } if variable == "b"),
            "{error}"
        );
        assert!(error.to_string().contains("(a, c)"), "{error}");
        let unclosed = |at| Err(TemplateError::Unclosed { prompt: "p".into(), at });
        assert_eq!(check("가{{ a"), unclosed(3));
        assert_eq!(check("a\n---\n{{ a"), unclosed(6));
        assert_eq!(check(" \n"), Err(TemplateError::Empty { prompt: "p".into() }));
    }
}
