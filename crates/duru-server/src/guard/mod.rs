//! Who may ask, from where, and how often.

mod audit;
mod check;
mod front;
mod keys;
mod open;
mod pass;
mod rate;
mod shape;
mod ticket;
mod told;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use duru::store::Catalog;

pub use audit::Audit;
pub(crate) use check::Guard;
pub use keys::{Key, KeyError, Keys, NewKey};
pub(crate) use open::Held;
pub(crate) use pass::Pass;
pub use shape::ErrorShape;

use crate::hub::Shared;

/// Where requests may come from, and who is told of them.
#[derive(Debug, Clone, Default)]
pub struct Security {
    /// Names besides this machine's own that the server is asked by. Without any,
    /// a server on a loopback address answers to that address only, and one that
    /// others can reach to every name.
    pub hosts: Vec<String>,
    /// Origins of web pages that may ask, besides those of this machine and of
    /// LangGraph's own pages; such as `https://example.org`.
    pub origins: Vec<String>,
    /// Paths that need no key, with everything below them if they end in `/`.
    pub public: Vec<String>,
    /// Where it is written down who did what.
    pub audit: Option<Audit>,
}

/// Puts the guard before everything that a server serves. Who is refused, here or there, is told so in the shape of
/// the path.
pub(crate) fn guarded(
    app: Router,
    hub: &Shared,
    (security, shapes): (Security, Vec<ErrorShape>),
    loopback: bool,
) -> Router {
    let shapes: Arc<[ErrorShape]> = shapes.into();
    let keys = Keys::new(Arc::clone(&hub.stores.catalog));
    let mut guard = Guard::new(keys, Arc::clone(&hub.stores.memories), security, loopback);
    guard.metrics = Arc::clone(&hub.metrics);
    let guard = Arc::new(guard);
    app.merge(ticket::routes(Arc::clone(&guard)))
        .layer(middleware::from_fn_with_state(Arc::clone(&guard), check::check))
        .layer(front::browsers(&guard))
        .layer(middleware::map_response(front::private_network))
        .layer(middleware::map_response(front::harden))
        .layer(middleware::from_fn_with_state(guard, front::admit))
        .layer(middleware::from_fn_with_state(shapes, shape::shaped))
}

/// Whether anybody has a key.
pub(crate) async fn has_keys(catalog: &Arc<dyn Catalog>) -> Result<bool, duru::store::Error> {
    Keys::new(Arc::clone(catalog)).any().await
}
