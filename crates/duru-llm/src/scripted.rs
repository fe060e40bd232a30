//! A model that says what it was told to, without a network.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use duru_messages::{Message, MessageChunk, UsageMetadata};
use futures_util::stream;
use serde_json::Value;

use crate::{Error, Model, Piece, Pieces, Reply, Request};

/// A model that answers with these texts, one after the other, and with an
/// error when they are used up. For tests of what is above a model; what is
/// below is tested with [`crate::fake::Fake`].
#[derive(Debug)]
pub struct Scripted {
    turns: Mutex<VecDeque<Result<String, Error>>>,
}

impl Scripted {
    /// Texts and errors, in their order.
    pub fn new<T: Into<String>>(turns: impl IntoIterator<Item = Result<T, Error>>) -> Self {
        Scripted { turns: Mutex::new(turns.into_iter().map(|turn| turn.map(Into::into)).collect()) }
    }

    fn turn(&self) -> Result<String, Error> {
        let turn = self.turns.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let over = || Error::Unreachable { server: "scripted".into(), reason: "the script is over".into() };
        turn.unwrap_or_else(|| Err(over()))
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        let reply = self.reply(request).await?;
        let mut last = MessageChunk::text("scripted", reply.message.text().into_owned()).last();
        last.usage_metadata = Some(reply.usage);
        last.response_metadata = reply.message.response_metadata.clone();
        Ok(Pieces::new(stream::iter([Ok(Piece::Chunk(last))])))
    }

    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        let text = self.turn()?;
        let words = |text: &str| text.split_whitespace().count() as u64;
        let asked = request.messages.iter().map(|message| words(&message.text())).sum();
        let usage = UsageMetadata::new(asked, words(&text));
        let mut message = Message::ai(text).with_id("scripted");
        message.response_metadata.insert("finish_reason".into(), Value::from("stop"));
        Ok(Reply { usage, ..Reply::from(message) })
    }
}
