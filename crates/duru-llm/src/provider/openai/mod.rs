//! OpenAI's chat completions, which many other servers speak too.

mod embed;
mod leaning;
mod read;
mod responses;
mod strict;
mod wire;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};

pub use embed::OpenAiEmbedder;
pub use responses::OpenAiResponses;
pub(crate) use strict::of as strict;

use super::reading::pieces;
use crate::http::{Access, Server};
use crate::{Error, Limits, Model, Pieces, Reply, Request};

/// A model behind OpenAI's chat completions or a server that speaks the same.
/// [`crate::Settings`] makes one.
#[derive(Clone)]
pub struct OpenAi {
    server: Arc<Server>,
    name: String,
    dialect: Dialect,
    /// So many tokens may be thought beside those of the answer, where somebody has said so.
    reasoning: Option<u32>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// Where OpenAI has moved on and others have not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// OpenAI's own: newer models know only `max_completion_tokens`.
    OpenAi,
    /// The others know only `max_tokens`.
    Compatible,
}

impl OpenAi {
    pub(crate) fn new(
        access: Access,
        dialect: Dialect,
        reasoning: Option<u32>,
        limits: Limits,
    ) -> Result<Self, Error> {
        let name = format!("{}:{}", access.provider, access.model);
        let headers = headers(&access);
        Ok(OpenAi { server: Arc::new(Server::new(access, limits)?), name, dialect, reasoning, headers })
    }
}

fn headers(access: &Access) -> Vec<(HeaderName, HeaderValue)> {
    let value = access.key.as_ref().map(|key| HeaderValue::from_str(&format!("Bearer {}", key.expose())));
    let Some(Ok(mut value)) = value else { return Vec::new() };
    value.set_sensitive(true);
    vec![(AUTHORIZATION, value)]
}

#[async_trait]
impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        let body = write::body(self.server.model(), self.dialect, self.reasoning, request);
        let answer = self.server.post("/chat/completions", &self.headers, &body).await?;
        pieces(&self.server, answer, read::Reading::new())
    }

    // Streamed as well, because only a stream shows that nothing comes any more.
    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}
