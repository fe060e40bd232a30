//! The endpoints, a file for each part.

mod assistants;
mod system;

use axum::Router;

use crate::hub::Shared;

/// Every endpoint of this crate.
pub(crate) fn router() -> Router<Shared> {
    Router::new().merge(system::router()).merge(assistants::router())
}
