//! Language models behind one trait.
//!
//! [`Settings`] makes a [`Model`] from the environment; [`fake::Fake`] is a
//! provider that says and breaks what a test asks for, over a real connection.
//!
//! ```
//! use duru_llm::fake::{Fake, Says};
//! use duru_llm::{Request, Settings};
//! use duru_messages::Message;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fake = Fake::start().await?;
//! fake.next(Says::text("안녕하세요"));
//!
//! let settings = Settings::read(|name| fake.variable(name))?.expect("a model is set");
//! let reply = settings.model()?.reply(&Request::new([Message::human("hi")])).await?;
//! assert_eq!(reply.message.text(), "안녕하세요");
//! # Ok(())
//! # }
//! ```

pub mod decision;
mod embedder;
mod error;
pub mod fake;
mod http;
mod key;
mod model;
mod prices;
mod provider;
mod replies;
mod reply;
mod request;
mod resilience;
mod scripted;
mod settings;
mod words_only;

pub use self::http::{Endpoint, Limits, Service};
pub use embedder::Embedder;
pub use error::{Error, TimeLimit};
pub use key::Key;
pub use model::Model;
pub use prices::{Prices, PricesError};
pub use provider::{Anthropic, OpenAi, OpenAiEmbedder, OpenAiResponses};
pub use reply::{Piece, Pieces, Reply, Stop};
pub use request::{OutputSchema, Request, ToolSpec, Until};
pub use resilience::{Budget, MeasuredSpeed, Policy, Price, Resilient, Resource};
pub use scripted::Scripted;
pub use settings::{Choice, Models, Settings};
pub use words_only::WordsOnly;
