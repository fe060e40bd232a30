//! Embeddings in OpenAI's form.

use std::sync::Arc;

use async_trait::async_trait;
use http::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::json;
use tracing::Instrument as _;

use super::headers;
use crate::http::{Access, Answer, Server};
use crate::{Embedder, Error, Limits};

/// So many texts go into one request; servers refuse more than a few thousand.
const BATCH: usize = 128;

/// Vectors are long: so many times the limit of a reply may come.
const VECTORS: usize = 8;

/// Embeddings of OpenAI or of a server that speaks the same.
/// [`crate::Settings`] makes one.
#[derive(Clone)]
pub struct OpenAiEmbedder {
    server: Arc<Server>,
    name: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl OpenAiEmbedder {
    pub(crate) fn new(access: Access, limits: Limits) -> Result<Self, Error> {
        let name = format!("{}:{}", access.provider, access.model);
        let headers = headers(&access);
        let limits = Limits { bytes: limits.bytes.saturating_mul(VECTORS), ..limits };
        Ok(OpenAiEmbedder { server: Arc::new(Server::new(access, limits)?), name, headers })
    }

    async fn batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let body = json!({"model": self.server.model(), "input": texts, "encoding_format": "float"});
        let Answer::Whole(answer) = self.server.post("/embeddings", &self.headers, &body).await? else {
            return Err(self.server.bad_reply("it is a stream, and vectors are not"));
        };
        let answer: Vectors =
            serde_json::from_slice(&answer).map_err(|error| self.server.bad_reply(&error.to_string()))?;
        let read = answer.usage.and_then(|usage| usage.prompt_tokens);
        tracing::Span::current().record("gen_ai.usage.input_tokens", read);
        in_order(answer.data, texts.len()).map_err(|reason| self.server.bad_reply(&reason))
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut all: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for texts in texts.chunks(BATCH) {
            let span = tracing::info_span!(
                "embeddings",
                otel.name = %format_args!("embeddings {}", self.server.model()),
                otel.kind = "client",
                gen_ai.operation.name = "embeddings",
                gen_ai.provider.name = self.name.split(':').next(),
                gen_ai.request.model = self.server.model(),
                gen_ai.usage.input_tokens = tracing::field::Empty,
                error.type = tracing::field::Empty,
            );
            let vectors = self.batch(texts).instrument(span.clone()).await;
            all.extend(vectors.inspect_err(|error| {
                span.record("error.type", error.kind());
            })?);
        }
        let length = all.first().map_or(0, Vec::len);
        if all.iter().any(|vector| vector.len() != length || length == 0) {
            return Err(self.server.bad_reply("the vectors are empty or of different lengths"));
        }
        Ok(all)
    }
}

#[derive(Deserialize)]
struct Vectors {
    data: Vec<Numbered>,
    #[serde(default)]
    usage: Option<Read>,
}

/// Not every server says so.
#[derive(Deserialize)]
struct Read {
    prompt_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Numbered {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// The vectors by their numbers, each number once.
fn in_order(data: Vec<Numbered>, count: usize) -> Result<Vec<Vec<f32>>, String> {
    let mut places: Vec<Option<Vec<f32>>> = vec![None; count];
    for (at, Numbered { index, embedding }) in data.into_iter().enumerate() {
        if embedding.iter().any(|number| !number.is_finite()) {
            return Err("a vector has something in it that is not a number".into());
        }
        match places.get_mut(index.unwrap_or(at)) {
            Some(place @ None) => *place = Some(embedding),
            _ => return Err(format!("{count} texts were sent, and the vectors are not theirs")),
        }
    }
    let all: Option<Vec<_>> = places.into_iter().collect();
    all.ok_or_else(|| format!("{count} texts were sent, and fewer vectors came back"))
}
