//! The network below the providers: one request, and its answer as events or as a whole.
//!
//! Connections are `duru-http`'s. What has to be exact is exact here: when a
//! stream counts as idle, how much is read, and that bytes become text only
//! where a line is complete.

mod answer;
mod body;
mod limits;
mod ordered;
mod refusal;
mod server;
mod service;
mod sse;

pub(crate) use answer::Answer;
pub(crate) use body::Events;
pub use limits::Limits;
pub(crate) use ordered::InOrder;
pub(crate) use server::{Access, Server};
pub use service::{Endpoint, Service};
