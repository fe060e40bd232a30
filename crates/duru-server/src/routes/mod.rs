//! The endpoints, a file for each part.

mod assistant_graph;
mod assistant_versions;
mod assistants;
mod crons;
mod paging;
mod store;
mod system;

use axum::Router;

use crate::hub::Shared;

/// Every endpoint of this crate.
pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .merge(system::router())
        .merge(assistants::router())
        .merge(store::router())
        .merge(crons::router())
}
