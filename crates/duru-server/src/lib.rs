//! Serves graphs over HTTP, to clients that already speak to LangGraph's
//! server. Runs are accepted durably, carried out by workers in any process on
//! the same store, and can be watched from any of them.

pub mod a2a;
mod answer;
mod api;
mod asked;
mod assistants;
mod body;
mod caller;
mod dead;
mod error;
mod graphs;
mod guard;
mod hinting;
mod hub;
pub mod mcp;
mod metrics;
pub mod openai;
mod options;
mod people;
mod query;
mod routes;
mod rpc;
mod runs;
mod said;
mod schedule;
mod scope;
mod server;
mod serving;
mod stream;
pub mod talk;
#[cfg(test)]
mod test_hub;
mod time;
mod turns;
mod wire;
mod worker;

pub use api::{ApiRoutes, ErrorBody, ServerSentEvent};
pub use asked::Asked;
pub use body::Body;
pub use caller::Caller;
pub use dead::{DeadRun, DeadRuns, RetryError};
pub use error::{ApiError, StartError};
pub use guard::{
    Access, Audit, AuditError, ErrorShape, Key, KeyError, KeyScope, KeyScopes, Keys, Network, NewKey,
    Security,
};
pub use hub::{LogTail, Stores};
pub use options::{Limits, Options};
pub use people::{Holdings, People, Person, Retention, Sweep, Swept};
pub use query::Params;
pub use routes::Page;
pub use runs::{Came, Following, IfBusy, Leaving, Next, Runs, Start, Started, Watching};
pub use server::Server;
