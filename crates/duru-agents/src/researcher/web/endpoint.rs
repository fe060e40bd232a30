//! Search services over HTTP: Tavily's wire format, and a plain one that is easily written by anybody.

use std::time::Duration;

use async_trait::async_trait;
use duru_llm::{Endpoint, Key, Limits, Service};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Error, Page, WebSearch};

/// What says whether and where to search: `tavily`, or the address of a service.
const CHOICE: &str = "DURU_WEB_SEARCH";
const CHOICE_KEY: &str = "DURU_WEB_SEARCH_KEY";
const TAVILY: &str = "https://api.tavily.com";
const TAVILY_BASE: &str = "TAVILY_BASE_URL";
const TAVILY_KEY: &str = "TAVILY_API_KEY";

/// A search is worth a few seconds, and a few pages of text.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(5),
    idle: Duration::from_secs(10),
    total: Duration::from_secs(15),
    bytes: 2 << 20,
};

/// Longer titles and addresses are no use to anybody.
const TITLE: usize = 300;
const ADDRESS: usize = 2_000;
const TEXT: usize = 20_000;

/// A search service that is configured.
pub struct SearchEndpoint {
    service: Service,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Tavily,
    /// `{"query", "max_results"}` there, `{"results": [{"url", "title", "content"}]}` back.
    Plain,
}

/// A result in any of the names that services give to its parts.
#[derive(Deserialize)]
struct Found {
    #[serde(alias = "link", alias = "href")]
    url: String,
    #[serde(default, alias = "name")]
    title: Option<String>,
    #[serde(default, alias = "text", alias = "snippet", alias = "description", alias = "body")]
    content: Option<String>,
}

impl SearchEndpoint {
    /// What the environment configures; none if it configures nothing, and then the web is never asked.
    ///
    /// # Errors
    /// If what is set can't be used. No error shows the key.
    pub fn from_env(get: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Error> {
        let set =
            |name: &str| get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let Some(choice) = set(CHOICE) else { return Ok(None) };
        let key = |name: &str| set(name).and_then(Key::new);
        let (address, endpoint_key, form) = if choice.eq_ignore_ascii_case("tavily") {
            let base = set(TAVILY_BASE).unwrap_or_else(|| TAVILY.to_owned());
            let Some(key) = key(TAVILY_KEY).or_else(|| key(CHOICE_KEY)) else {
                return Err(Error::Setting { variable: TAVILY_KEY.into(), reason: "no key is set".into() });
            };
            (format!("{}/search", base.trim_end_matches('/')), Some(key), Form::Tavily)
        } else {
            (choice, key(CHOICE_KEY), Form::Plain)
        };
        let tavily = form == Form::Tavily;
        let endpoint = Endpoint {
            name: if tavily { "Tavily" } else { "the web search" },
            address: &address,
            key: endpoint_key,
            key_variable: if tavily { TAVILY_KEY } else { CHOICE_KEY },
            address_variable: CHOICE,
        };
        let service = Service::new(endpoint, LIMITS).map_err(problem)?;
        Ok(Some(Self { service, form }))
    }
}

#[async_trait]
impl WebSearch for SearchEndpoint {
    async fn search(&self, question: &str, most: usize) -> Result<Vec<Page>, Error> {
        let mut body = json!({ "query": question, "max_results": most });
        if self.form == Form::Tavily {
            body["search_depth"] = "basic".into();
        }
        let answer = self.service.post(&body).await.map_err(problem)?;
        let Some(results) = results(answer) else {
            return Err(Error::Unavailable("its answer has no list of results".to_owned()));
        };
        // A result that is none does not spoil the others.
        let found = results.into_iter().filter_map(|result| page(serde_json::from_value(result).ok()?));
        Ok(found.take(most).collect())
    }
}

fn results(answer: Value) -> Option<Vec<Value>> {
    match answer {
        Value::Array(results) => Some(results),
        Value::Object(mut answer) => {
            ["results", "items", "data"].iter().find_map(|name| match answer.remove(*name) {
                Some(Value::Array(results)) => Some(results),
                _ => None,
            })
        }
        _ => None,
    }
}

/// As text: nothing that a terminal or a page would take for more.
fn page(found: Found) -> Option<Page> {
    let plain = |text: &str, most: usize| -> String {
        text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).take(most).collect()
    };
    let is_page =
        ["http://", "https://"].iter().any(|start| found.url.to_ascii_lowercase().starts_with(start));
    let url = plain(found.url.trim(), ADDRESS);
    let text = plain(found.content.as_deref().unwrap_or_default().trim(), TEXT);
    let title = plain(found.title.as_deref().unwrap_or_default().trim(), TITLE).replace('\n', " ");
    (is_page && !text.is_empty() && !url.contains(char::is_whitespace)).then_some(Page { url, title, text })
}

fn problem(error: duru_llm::Error) -> Error {
    match error {
        duru_llm::Error::Setting { variable, reason } => {
            Error::Setting { variable: variable.into_owned(), reason }
        }
        duru_llm::Error::NoKey { .. }
        | duru_llm::Error::WrongKey { .. }
        | duru_llm::Error::Refused { .. } => Error::Refused(error.to_string()),
        other => Error::Unavailable(other.to_string()),
    }
}
