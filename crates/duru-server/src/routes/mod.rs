//! The endpoints, a file for each part.

mod assistants;
mod commands;
mod events;
mod paging;
mod runs;
mod state;
mod submit;
mod system;
mod threads;

use axum::Router;

use crate::hub::Shared;

/// Every endpoint of this crate.
pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .merge(system::router())
        .merge(assistants::router())
        .merge(threads::router())
        .merge(state::router())
        .merge(runs::router())
        .merge(commands::router())
        .merge(events::router())
}
