//! Serves graphs over HTTP, to clients that already speak to LangGraph's
//! server. Runs are accepted durably, carried out by workers in any process on
//! the same store, and can be watched from any of them.

mod asked;
mod assistants;
mod body;
mod error;
mod graphs;
mod hub;
mod options;
mod routes;
mod schedule;
mod server;
mod stream;
mod time;
mod wire;
mod worker;

pub use asked::Asked;
pub use error::StartError;
pub use hub::Stores;
pub use options::Options;
pub use routes::Page;
pub use server::Server;
