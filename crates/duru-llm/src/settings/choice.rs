//! From variables to a provider.

use std::borrow::Cow;

use super::{Settings, address};
use crate::http::Access;
use crate::{Error, Key, Limits};

pub(super) const MODEL: &str = "DURU_MODEL";
pub(super) const EMBEDDING: &str = "DURU_EMBEDDING";
const REASONING: &str = "DURU_REASONING_TOKENS";

const CLAUDE: &str = "claude-sonnet-4-5-20250929";
const GPT: &str = "gpt-4.1-mini";
const FORMS: &str =
    "use anthropic:NAME, openai:NAME, openai-responses:NAME, ollama:NAME, http://HOST:PORT/v1#NAME or none";

/// The format that a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    Anthropic,
    OpenAi,
    Responses,
    Compatible,
}

type Get<'a> = &'a dyn Fn(&str) -> Option<String>;

pub(super) fn model(get: Get) -> Result<Option<Settings>, Error> {
    if set(get, MODEL).is_some() {
        return named_by(MODEL, get);
    }
    if set(get, "ANTHROPIC_API_KEY").is_some() {
        return anthropic(CLAUDE, get).map(Some);
    }
    if set(get, "OPENAI_API_KEY").is_some() {
        return openai(GPT, None, get).map(Some);
    }
    Ok(None)
}

pub(super) fn embedding(get: Get) -> Result<Option<Settings>, Error> {
    named_by(EMBEDDING, get)
}

/// The model that this variable names; none if it is not set.
pub(super) fn named_by(variable: impl Into<Cow<'static, str>>, get: Get) -> Result<Option<Settings>, Error> {
    let variable = variable.into();
    let Some(choice) = set(get, &variable) else { return Ok(None) };
    let settings = read(&variable, &choice, get)?;
    Ok(settings.map(|mut settings| {
        settings.access.setting = variable;
        settings
    }))
}

/// A variable that is set to nothing is not set.
pub(super) fn set(get: Get, name: &str) -> Option<String> {
    get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn read(variable: &str, choice: &str, get: Get) -> Result<Option<Settings>, Error> {
    let wrong = |reason: &str| Error::Setting {
        variable: variable.to_owned().into(),
        reason: format!("{reason}; {FORMS}"),
    };
    if matches!(choice, "none" | "off") {
        return Ok(None);
    }
    if choice.starts_with("http://") || choice.starts_with("https://") {
        let (text, model) = choice.split_once('#').unwrap_or((choice, "default"));
        let base = address::base(text, "/v1").map_err(|reason| wrong(&reason))?;
        let key = key(get, "DURU_API_KEY")?;
        let access = access("http", base, (key, "DURU_API_KEY"), model.trim());
        return settings(access, Wire::Compatible, get).map(Some);
    }
    let (provider, name) = choice.split_once(':').ok_or_else(|| wrong("it names no provider"))?;
    let name = name.trim();
    if name.is_empty() {
        return Err(wrong("it names no model"));
    }
    match provider {
        "anthropic" => anthropic(name, get),
        "openai" => openai(name, None, get),
        "openai-responses" => openai(name, Some(Wire::Responses), get),
        "ollama" => ollama(name, get),
        _ => Err(wrong("it names a provider that is not known")),
    }
    .map(Some)
}

fn anthropic(model: &str, get: Get) -> Result<Settings, Error> {
    let variable = "ANTHROPIC_API_KEY";
    let base = base(get, "ANTHROPIC_BASE_URL", "https://api.anthropic.com", "")?;
    let key = key(get, variable)?.ok_or(Error::NoKey { provider: "anthropic", variable })?;
    let access = access("anthropic", base, (Some(key), variable), model);
    settings(access, Wire::Anthropic, get)
}

/// By the format that was asked for, or the one that its server is sure to know.
fn openai(model: &str, wire: Option<Wire>, get: Get) -> Result<Settings, Error> {
    let variable = "OPENAI_API_KEY";
    let base = base(get, "OPENAI_BASE_URL", "https://api.openai.com/v1", "/v1")?;
    let key = key(get, variable)?.ok_or(Error::NoKey { provider: "openai", variable })?;
    let own = base.host().is_some_and(|host| host.ends_with("openai.com"));
    let access = access("openai", base, (Some(key), variable), model);
    settings(access, wire.unwrap_or(if own { Wire::OpenAi } else { Wire::Compatible }), get)
}

fn ollama(model: &str, get: Get) -> Result<Settings, Error> {
    let address = address::ollama(set(get, "OLLAMA_HOST"));
    let base = address::base(&address, "/v1")
        .map_err(|reason| Error::Setting { variable: "OLLAMA_HOST".into(), reason })?;
    let access = access("ollama", base, (key(get, "OLLAMA_API_KEY")?, "OLLAMA_API_KEY"), model);
    settings(access, Wire::Compatible, get)
}

fn access(
    provider: &'static str,
    base: http::Uri,
    (key, variable): (Option<Key>, &'static str),
    model: &str,
) -> Access {
    Access { provider, base, key, variable, model: model.to_owned(), setting: MODEL.into() }
}

fn settings(access: Access, wire: Wire, get: Get) -> Result<Settings, Error> {
    let reasoning = match set(get, REASONING) {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| Error::Setting {
            variable: REASONING.into(),
            reason: format!("{text:?} is no number of tokens, such as 4000"),
        })?),
    };
    Ok(Settings { access, wire, reasoning, limits: Limits::default() })
}

fn base(get: Get, variable: &'static str, usual: &str, path: &str) -> Result<http::Uri, Error> {
    let text = set(get, variable).unwrap_or_else(|| usual.to_owned());
    address::base(&text, path).map_err(|reason| Error::Setting { variable: variable.into(), reason })
}

fn key(get: Get, variable: &'static str) -> Result<Option<Key>, Error> {
    let Some(text) = set(get, variable) else { return Ok(None) };
    // What is wrong with it cannot be shown, because it would show the key.
    let reason = "it has characters that no key has, such as a space or a line end";
    Key::new(text)
        .map(Some)
        .ok_or_else(|| Error::Setting { variable: variable.into(), reason: reason.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> Result<Option<Settings>, Error> {
        model(&|name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
    }

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Option<(&str, &str)>) {
        let found = settings(variables).unwrap();
        let found = found.map(|s| (s.name(), s.access.base.to_string()));
        assert_eq!(found.as_ref().map(|(name, base)| (name.as_str(), base.trim_end_matches('/'))), expected);
    }

    #[test]
    fn what_is_set_chooses_the_model() {
        let (claude, gpt) = (("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b"));
        let anthropic = "https://api.anthropic.com";
        check(&[], None);
        check(&[("ANTHROPIC_API_KEY", " "), ("DURU_MODEL", "")], None);
        check(&[claude, gpt], Some(("anthropic:claude-sonnet-4-5-20250929", anthropic)));
        check(&[gpt], Some(("openai:gpt-4.1-mini", "https://api.openai.com/v1")));
        check(&[claude, ("DURU_MODEL", "none")], None);
        let newer = &[gpt, ("DURU_MODEL", "openai-responses:gpt-5"), ("DURU_REASONING_TOKENS", "4000")];
        check(newer, Some(("openai:gpt-5", "https://api.openai.com/v1")));
        let read = settings(newer).unwrap().unwrap();
        assert_eq!((read.wire, read.reasoning), (Wire::Responses, Some(4000)));
        check(&[claude, ("DURU_MODEL", "anthropic:x")], Some(("anthropic:x", anthropic)));
        check(&[("DURU_MODEL", "ollama:qwen3:8b")], Some(("ollama:qwen3:8b", "http://127.0.0.1:11434/v1")));
        check(&[("DURU_MODEL", "http://box:8000#m")], Some(("http:m", "http://box:8000/v1")));
        check(&[("DURU_MODEL", "https://box/api")], Some(("http:default", "https://box/api")));
    }

    #[test]
    fn what_cannot_be_used_says_what_to_set() {
        let message = |variables: &[(&str, &str)]| settings(variables).unwrap_err().to_string();
        assert_eq!(message(&[("DURU_MODEL", "anthropic:x")]), "no key for anthropic: set ANTHROPIC_API_KEY");
        assert_eq!(message(&[("DURU_MODEL", "openai:x")]), "no key for openai: set OPENAI_API_KEY");
        for choice in ["gpt", "openai:", "bard:x", "http://", "http://me:secret@box/v1"] {
            let text = message(&[("DURU_MODEL", choice)]);
            assert!(text.contains("DURU_MODEL") && text.contains("anthropic:NAME"), "{text}");
            assert!(!text.contains("secret"), "{text}");
        }
        let text = message(&[("ANTHROPIC_API_KEY", "a"), ("DURU_REASONING_TOKENS", "much")]);
        assert!(text.contains("DURU_REASONING_TOKENS") && text.contains("much"), "{text}");
        let text = message(&[("ANTHROPIC_API_KEY", "sk-se cret")]);
        assert!(text.starts_with("ANTHROPIC_API_KEY is not usable") && !text.contains("sk-se"), "{text}");
    }

    #[test]
    fn no_providers_key_goes_to_another_server() {
        let settings =
            settings(&[("OPENAI_API_KEY", "b"), ("DURU_MODEL", "http://box:8000#m")]).unwrap().unwrap();
        assert!(settings.access.key.is_none());
    }
}
