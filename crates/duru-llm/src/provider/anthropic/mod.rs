//! Anthropic's Messages.

mod read;
mod wire;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use http::header::{HeaderName, HeaderValue};

use super::reading::pieces;
use crate::http::{Access, Server};
use crate::{Error, Limits, Model, Pieces, Reply, Request};

/// The version of the interface that is spoken here.
const VERSION: &str = "2023-06-01";

/// A model behind Anthropic's Messages. [`crate::Settings`] makes one.
#[derive(Clone)]
pub struct Anthropic {
    server: Arc<Server>,
    name: String,
    /// So many tokens are thought before the answer; none if nobody has said so.
    reasoning: Option<u32>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Anthropic {
    pub(crate) fn new(access: Access, reasoning: Option<u32>, limits: Limits) -> Result<Self, Error> {
        let name = format!("anthropic:{}", access.model);
        let mut headers =
            vec![(HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION))];
        if let Some(mut value) = access.key.as_ref().and_then(|key| HeaderValue::from_str(key.expose()).ok())
        {
            value.set_sensitive(true);
            headers.push((HeaderName::from_static("x-api-key"), value));
        }
        Ok(Anthropic { server: Arc::new(Server::new(access, limits)?), name, reasoning, headers })
    }
}

#[async_trait]
impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        let body = write::body(self.server.model(), self.reasoning, request);
        let answer = self.server.post("/v1/messages", &self.headers, &body).await?;
        let reader = read::Reading::new(request.schema.as_ref().map(|schema| schema.name.clone()));
        pieces(&self.server, answer, reader)
    }

    // Streamed as well, because only a stream shows that nothing comes any more.
    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}
