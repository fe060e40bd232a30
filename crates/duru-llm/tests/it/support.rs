//! A fake and a model that talks to it.

use std::sync::Arc;
use std::time::Duration;

use duru_llm::fake::{Fake, Turn};
use duru_llm::{Limits, Model, Piece, Request, Settings};
use duru_messages::{Message, MessageChunk};

/// Every way to speak to the fake.
pub(crate) const WIRES: [&str; 4] = ["anthropic:m", "openai:m", "ollama:m", "openai-responses:m"];

/// What people call a model that is spoken to so: the format is no part of its name.
pub(crate) fn known_as(wire: &str) -> &str {
    if wire == "openai-responses:m" { "openai:m" } else { wire }
}

/// Long enough for a busy machine.
pub(crate) const PATIENT: Limits = Limits {
    connect: Duration::from_secs(10),
    idle: Duration::from_secs(20),
    total: Duration::from_secs(60),
    bytes: 4 << 20,
};

pub(crate) fn settings(fake: &Fake, model: &str) -> Settings {
    let get = |name: &str| match name {
        "DURU_MODEL" | "DURU_EMBEDDING" => Some(model.to_owned()),
        name => fake.variable(name),
    };
    Settings::read(get).unwrap().expect("a model is set").with_limits(PATIENT)
}

pub(crate) fn model(fake: &Fake, model: &str) -> Arc<dyn Model> {
    settings(fake, model).model().unwrap()
}

/// A fake with one turn to come.
pub(crate) async fn fake(turn: impl Into<Turn>) -> Fake {
    let fake = Fake::start().await.unwrap();
    fake.next(turn);
    fake
}

pub(crate) fn request() -> Request {
    Request::new([Message::human("서울 날씨는?")])
}

/// The chunks of a stream.
pub(crate) async fn chunks(model: &dyn Model, request: &Request) -> Vec<MessageChunk> {
    let mut pieces = model.stream(request).await.unwrap();
    let mut chunks = Vec::new();
    while let Some(piece) = pieces.next().await {
        match piece.unwrap() {
            Piece::Chunk(chunk) => chunks.push(chunk),
            piece => panic!("{piece:?}"),
        }
    }
    chunks
}
