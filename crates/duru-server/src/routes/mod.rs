//! The endpoints, a file for each part.

mod assistant_graph;
mod assistant_versions;
mod assistants;
mod commands;
mod crons;
mod dead;
mod edit;
mod event_socket;
mod events;
mod front;
mod openapi;
mod paging;
mod runs;
mod schemas;
mod state;
mod store;
mod submit;
mod supersteps;
mod system;
mod threads;
mod turns;

use axum::Router;

pub use openapi::{Answer, Described};
pub(crate) use openapi::{FRONT, ROUTES};
pub(crate) use runs::stop;
pub(crate) use submit::{Purpose, last_assistant, submit};
pub(crate) use threads::{fresh_uuid, remove_thread, thread_id};

use crate::hub::Shared;

pub use front::Page;

/// Every endpoint of this crate.
pub(crate) fn router(page: Option<Page>) -> Router<Shared> {
    Router::new()
        .merge(front::router(page))
        .merge(system::router())
        .merge(openapi::router())
        .merge(assistants::router())
        .merge(threads::router())
        .merge(state::router())
        .merge(turns::router())
        .merge(runs::router())
        .merge(store::router())
        .merge(crons::router())
        .merge(dead::router())
        .merge(commands::router())
        .merge(events::router())
}
