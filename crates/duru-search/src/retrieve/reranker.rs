//! A service that puts passages in order, over the wire that Cohere, Jina and others share: `{query, documents, top_n, model}` there,
//! `{results: [{index, relevance_score}]}` back. TEI's is `{query, texts}`.

use std::sync::Arc;
use std::time::Duration;

use duru_llm::{Endpoint, Error, Key, Limits, Service};
use serde_json::{Value, json};

/// Before the address of a server of Hugging Face's Text Embeddings Inference.
const TEI: &str = "tei:";
const ADDRESS: &str = "DURU_RERANK";
const MODEL: &str = "DURU_RERANK_MODEL";
const KEY: &str = "DURU_RERANK_KEY";

/// Somebody waits for the search.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(2),
    idle: Duration::from_secs(5),
    total: Duration::from_secs(10),
    bytes: 1 << 20,
};

/// So many of the first passages are sent, each no longer than so many characters.
pub(super) const SENT: usize = 30;
const LONGEST: usize = 2_000;

/// A service that is configured.
#[derive(Clone)]
pub struct Reranker {
    service: Arc<Service>,
    model: Option<String>,
    takes_texts: bool,
}

impl Reranker {
    /// What the environment configures; none if it configures nothing.
    ///
    /// # Errors
    /// If what is set can't be used. No error shows the key.
    pub fn from_env(get: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Error> {
        let set =
            |name: &str| get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let Some(address) = set(ADDRESS).filter(|choice| !matches!(choice.as_str(), "none" | "off")) else {
            return Ok(None);
        };
        let (address, takes_texts) = match address.strip_prefix(TEI) {
            Some(bare) => (bare.to_owned(), true),
            None => (address, false),
        };
        let endpoint = Endpoint {
            name: "the reranker",
            address: &address,
            key: set(KEY).and_then(Key::new),
            key_variable: KEY,
            address_variable: ADDRESS,
        };
        Ok(Some(Self { service: Arc::new(Service::new(endpoint, LIMITS)?), model: set(MODEL), takes_texts }))
    }

    /// TEI has another word for the passages, and takes no more fields than it knows.
    fn request(&self, question: &str, passages: Vec<String>) -> Value {
        if self.takes_texts {
            return json!({ "query": question, "texts": passages, "truncate": true });
        }
        let count = passages.len();
        let mut body = json!({ "query": question, "documents": passages, "top_n": count });
        if let Some(model) = &self.model {
            body["model"] = model.as_str().into();
        }
        body
    }

    /// The places of the passages, the most relevant first; all of them, those that it leaves out last.
    pub(super) async fn order(&self, question: &str, passages: &[String]) -> Result<Vec<usize>, String> {
        let documents: Vec<String> =
            passages.iter().map(|text| text.chars().take(LONGEST).collect()).collect();
        let request = self.request(question, documents);
        let answer = self.service.post(&request).await.map_err(|error| error.to_string())?;
        let mut found = results(&answer, passages.len()).ok_or("its answer has no list of results")?;
        if found.is_empty() && !passages.is_empty() {
            return Err("its answer names none of the passages".to_owned());
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut order: Vec<usize> = Vec::with_capacity(passages.len());
        for place in found.into_iter().map(|(place, _)| place).chain(0..passages.len()) {
            if !order.contains(&place) {
                order.push(place);
            }
        }
        Ok(order)
    }
}

/// A list under its name or by itself; what is no place or no number is left out.
fn results(answer: &Value, count: usize) -> Option<Vec<(usize, f64)>> {
    let list = answer.as_array().or_else(|| answer["results"].as_array())?;
    let one = |result: &Value| {
        let place = usize::try_from(result["index"].as_u64()?).ok().filter(|place| *place < count)?;
        let score = result["relevance_score"].as_f64().or_else(|| result["score"].as_f64())?;
        Some((place, score))
    };
    Some(list.iter().filter_map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_the_spellings_of_all() {
        let cohere = json!({ "id": "x", "results": [{ "index": 1, "relevance_score": 0.9 }, { "index": 0, "relevance_score": 0.1 }] });
        assert_eq!(results(&cohere, 2), Some(vec![(1, 0.9), (0, 0.1)]));
        let bare = json!([{ "index": 0, "score": 0.5 }, { "index": 7, "score": 0.9 }, { "index": "a" }]);
        assert_eq!(results(&bare, 2), Some(vec![(0, 0.5)]));
        assert_eq!(results(&json!({ "error": "no" }), 2), None);
    }

    #[test]
    fn nothing_is_asked_unless_it_is_configured() {
        let with =
            |value: &'static str| Reranker::from_env(move |name| (name == ADDRESS).then(|| value.to_owned()));
        assert!(Reranker::from_env(|_| None).unwrap().is_none());
        assert!(with("none").unwrap().is_none());
        let usual = with("http://127.0.0.1:1/rerank").unwrap().unwrap();
        let wire = |reranker: &Reranker| reranker.request("q", vec!["a".to_owned()]);
        assert_eq!(wire(&usual), json!({ "query": "q", "documents": ["a"], "top_n": 1 }));
        let tei = with("tei:http://127.0.0.1:1/rerank").unwrap().unwrap();
        assert_eq!(wire(&tei), json!({ "query": "q", "texts": ["a"], "truncate": true }));
        assert!(matches!(with("ftp://example.org"), Err(Error::Setting { .. })));
    }
}
