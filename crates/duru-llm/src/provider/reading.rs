//! From a provider's answer to pieces, whatever its format.

use std::collections::VecDeque;
use std::sync::Arc;

use duru_messages::MessageChunk;
use futures_util::stream::{self, StreamExt};
use serde::de::DeserializeOwned;

use crate::http::{Answer, Events, Server};
use crate::{Error, Piece, Pieces};

/// Reads one reply in one provider's format.
pub(super) trait Reader: Send + 'static {
    /// What the data of one event adds.
    fn event(&mut self, data: &str) -> Result<Vec<MessageChunk>, Trouble>;

    /// What is left when the stream has ended; an error if the reply has not.
    fn end(&mut self) -> Result<Vec<MessageChunk>, Trouble>;

    /// A reply that was not streamed.
    fn whole(&mut self, body: &str) -> Result<Vec<MessageChunk>, Trouble>;
}

/// What can be wrong with a reply.
#[derive(Debug, PartialEq)]
pub(super) enum Trouble {
    /// It is not in the format.
    Format(String),
    /// It has no end.
    NoEnd,
    /// It is an error of the provider.
    Reported { kind: String, message: String },
}

impl Trouble {
    fn error(self, server: &Server) -> Error {
        match self {
            Trouble::Format(reason) => server.bad_reply(&reason),
            Trouble::NoEnd => server.broke_off("the stream ended before the reply did"),
            Trouble::Reported { kind, message } => server.reported(&kind, &message),
        }
    }
}

pub(super) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Trouble> {
    serde_json::from_str(json).map_err(|error| Trouble::Format(error.to_string()))
}

/// PostgreSQL can keep no text with a NUL in it, and no model means one.
pub(super) fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "") } else { text }
}

/// For providers that give a reply no id: chunks without one are dropped by clients.
pub(super) fn fresh_id() -> String {
    format!("reply-{:016x}", fastrand::u64(..))
}

pub(super) fn pieces(server: &Arc<Server>, answer: Answer, mut reader: impl Reader) -> Result<Pieces, Error> {
    match answer {
        Answer::Events(events) => Ok(streamed(*events, reader)),
        Answer::Whole(body) => {
            let text = String::from_utf8(body).map_err(|_| server.bad_reply("it is not UTF-8"))?;
            let chunks = reader.whole(&text).map_err(|trouble| trouble.error(server))?;
            Ok(Pieces::new(stream::iter(chunks).map(|chunk| Ok(Piece::Chunk(chunk)))))
        }
    }
}

struct Streamed<R> {
    /// `None` once the reply has ended, for good or bad.
    events: Option<Events>,
    reader: R,
    ready: VecDeque<MessageChunk>,
}

fn streamed(events: Events, reader: impl Reader) -> Pieces {
    let state = Streamed { events: Some(events), reader, ready: VecDeque::new() };
    Pieces::new(stream::unfold(state, async |mut state| {
        let piece = state.next().await.transpose()?;
        Some((piece.map(Piece::Chunk), state))
    }))
}

impl<R: Reader> Streamed<R> {
    async fn next(&mut self) -> Result<Option<MessageChunk>, Error> {
        loop {
            if let Some(chunk) = self.ready.pop_front() {
                if chunk.is_last()
                    && let Some(events) = self.events.take()
                {
                    events.finish().await;
                }
                return Ok(Some(chunk));
            }
            // Whatever goes wrong is the end: the events are put back only if it does not.
            let Some(mut events) = self.events.take() else { return Ok(None) };
            let read = match events.next().await? {
                Some(event) => self.reader.event(&event.data),
                None => self.reader.end(),
            };
            self.ready = read.map_err(|trouble| trouble.error(events.server()))?.into();
            self.events = Some(events);
        }
    }
}
