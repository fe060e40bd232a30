//! Who may ask, from where, and how often.

mod access;
mod audit;
mod check;
mod front;
mod keys;
mod open;
mod pass;
mod proxy;
mod rate;
mod scopes;
mod shape;
mod ticket;
mod told;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use duru::store::Catalog;

pub use access::Access;
pub use audit::{Audit, AuditError};
pub(crate) use check::Guard;
pub use keys::{Key, KeyError, Keys, NewKey};
pub(crate) use keys::{granted, random};
pub(crate) use open::Held;
pub(crate) use pass::Pass;
pub use proxy::Network;
pub use scopes::{KeyScope, KeyScopes};
pub use shape::ErrorShape;

use access::AccessTable;

use crate::api::{self, ApiRoutes};
use crate::error::StartError;
use crate::hub::Shared;
use crate::routes::openapi;

/// Where requests may come from, and who is told of them.
#[derive(Debug, Clone, Default)]
pub struct Security {
    /// Names besides this machine's own that the server is asked by. Without any,
    /// a server on a loopback address answers to that address only, and one that
    /// others can reach to every name.
    pub hosts: Vec<String>,
    /// Origins of web pages that may ask, besides the server's own; such as `https://example.org`.
    pub origins: Vec<String>,
    /// Paths that need no key though no route that is described leads there, with everything below them if they end
    /// in `/`.
    pub public: Vec<String>,
    /// Proxies that pass requests on, and say truly whose. With any, keys are wanted: others can ask.
    pub proxies: Vec<Network>,
    /// Where it is written down who did what.
    pub audit: Option<Audit>,
}

/// Puts the guard before everything that a server serves. Who is refused, here or there, is told so in the shape of
/// the path.
pub(crate) fn guarded(
    routes: ApiRoutes,
    hub: &Shared,
    (security, shapes): (Security, Vec<ErrorShape>),
    loopback: bool,
) -> Result<Router, StartError> {
    let shapes: Arc<[ErrorShape]> = shapes.into();
    let (app, mut api) = routes.into_parts();
    let (tickets, of_tickets) = ticket::routes().into_parts();
    api.merge(of_tickets);
    if let Some(name) = api.ambiguous_schema() {
        return Err(StartError::TwoSchemas(name.to_owned()));
    }
    let documents = openapi::routes(&api::document(&api, &shapes)).map_err(StartError::Document)?;
    let (documents, of_documents) = documents.into_parts();
    api.merge(of_documents);
    let keys = Keys::new(Arc::clone(&hub.stores.catalog));
    let access = AccessTable::of(&api.access);
    let mut guard = Guard::new(keys, Arc::clone(&hub.stores.memories), (security, access), loopback);
    guard.metrics = Arc::clone(&hub.metrics);
    let guard = Arc::new(guard);
    let app = app.merge(tickets.with_state(Arc::clone(&guard))).merge(documents);
    // A route that nobody described is closed to all who may not do everything: better to hear of it at once.
    #[cfg(debug_assertions)]
    if let Some(route) = guard
        .access
        .undescribed(&app)
        .into_iter()
        .find(|route| !route.split_once(' ').is_some_and(|(_, path)| guard.is_public_path(path)))
    {
        return Err(StartError::Undescribed(route));
    }
    let app = app
        .layer(middleware::from_fn_with_state(Arc::clone(&guard), check::check))
        .layer(front::browsers(&guard))
        .layer(middleware::map_response(front::private_network))
        .layer(middleware::map_response(front::harden))
        .layer(middleware::from_fn_with_state(guard, front::admit))
        .layer(middleware::from_fn_with_state(shapes, shape::shaped));
    Ok(app)
}

/// Whether anybody has a key. Where somebody does, keys are wanted from now on, whatever becomes of those.
pub(crate) async fn has_keys(catalog: &Arc<dyn Catalog>) -> Result<bool, duru::store::Error> {
    let keys = Keys::new(Arc::clone(catalog));
    let any = !keys.list().await?.is_empty();
    if any {
        keys.want().await?;
    }
    Ok(any)
}
