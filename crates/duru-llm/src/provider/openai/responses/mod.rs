//! OpenAI's Responses, beside the older chat completions.

mod read;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use http::header::{HeaderName, HeaderValue};

use super::headers;
use crate::http::{Access, Server};
use crate::provider::reading::pieces;
use crate::{Error, Limits, Model, Pieces, Reply, Request};

/// A model behind OpenAI's Responses. [`crate::Settings`] makes one.
#[derive(Clone)]
pub struct OpenAiResponses {
    server: Arc<Server>,
    name: String,
    reasoning: Option<u32>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl OpenAiResponses {
    pub(crate) fn new(access: Access, reasoning: Option<u32>, limits: Limits) -> Result<Self, Error> {
        let name = format!("{}:{}", access.provider, access.model);
        let headers = headers(&access);
        Ok(OpenAiResponses { server: Arc::new(Server::new(access, limits)?), name, reasoning, headers })
    }
}

#[async_trait]
impl Model for OpenAiResponses {
    fn name(&self) -> &str {
        &self.name
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        let body = write::body(self.server.model(), self.reasoning, request);
        let answer = self.server.post("/responses", &self.headers, &body).await?;
        pieces(&self.server, answer, read::Reading::default())
    }

    // Streamed as well, because only a stream shows that nothing comes any more.
    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}
