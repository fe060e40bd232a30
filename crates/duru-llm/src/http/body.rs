//! The bytes of an answer, under its limits.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout, timeout_at};

use super::Server;
use super::sse::{Event, NotText, Parser};
use crate::{Error, TimeLimit};

/// So long the end of a stream is waited for once its last event has come, so
/// that the connection can be used again.
const REST: Duration = Duration::from_millis(50);

/// The body of an answer.
pub(crate) struct Body {
    pub(super) server: Arc<Server>,
    pub(super) incoming: duru_http::Body,
    pub(super) deadline: Instant,
    pub(super) read: usize,
}

impl Body {
    /// The next bytes, which must come before `idle`.
    async fn next(&mut self, idle: Instant) -> Result<Option<Bytes>, Error> {
        loop {
            let Ok(frame) = timeout_at(idle.min(self.deadline), self.incoming.frame()).await else {
                let limit = if idle < self.deadline { TimeLimit::Idle } else { TimeLimit::Total };
                return Err(self.server.timeout(limit));
            };
            let Some(frame) = frame else { return Ok(None) };
            let frame = frame.map_err(|error| self.server.interrupted(&error))?;
            // Trailers are not for us.
            let Ok(bytes) = frame.into_data() else { continue };
            self.read += bytes.len();
            if self.read > self.server.limits().bytes {
                return Err(self.server.too_large());
            }
            return Ok(Some(bytes));
        }
    }

    /// All of it. Only the total time counts: whoever answers as a whole is silent until then.
    pub(crate) async fn whole(mut self) -> Result<Vec<u8>, Error> {
        let mut all = Vec::new();
        while let Some(bytes) = self.next(self.deadline).await? {
            all.extend_from_slice(&bytes);
        }
        Ok(all)
    }

    pub(crate) fn events(self) -> Events {
        Events { heard: Instant::now(), body: self, parser: Parser::default(), ended: false }
    }
}

/// The events of a stream.
pub(crate) struct Events {
    body: Body,
    parser: Parser,
    /// When the last line was complete.
    heard: Instant,
    ended: bool,
}

impl Events {
    pub(crate) fn server(&self) -> &Arc<Server> {
        &self.body.server
    }

    /// The next event; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, Error> {
        let server = self.body.server.clone();
        let not_text = |NotText| server.bad_reply("a line is not UTF-8");
        loop {
            if let Some(event) = self.parser.next().map_err(not_text)? {
                return Ok(Some(event));
            }
            if self.ended {
                return Ok(None);
            }
            let lines = self.parser.lines();
            match self.body.next(self.heard + server.limits().idle).await? {
                Some(bytes) => self.parser.push(&bytes),
                None => {
                    self.ended = true;
                    return self.parser.end().map_err(not_text);
                }
            }
            if let Some(event) = self.parser.next().map_err(not_text)? {
                self.heard = Instant::now();
                return Ok(Some(event));
            }
            if self.parser.lines() > lines {
                self.heard = Instant::now();
            }
        }
    }

    /// Reads the rest of a stream whose last event has come.
    pub(crate) async fn finish(mut self) {
        // What is left does not matter, and neither does why it cannot be read:
        // the connection is closed instead of being kept.
        let rest = async { while let Ok(Some(_)) = self.next().await {} };
        timeout(REST, rest).await.unwrap_or_default();
    }
}
