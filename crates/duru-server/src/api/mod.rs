//! The API as data. Every route is registered together with its description and the key that it needs; the OpenAPI
//! document, the page for people and the guard's table of access are made of these registrations and of nothing else.

mod document;
mod routes;
mod schemas;
mod shapes;

pub(crate) use document::document;
pub use routes::ApiRoutes;
pub(crate) use routes::RouteAccess;
pub(crate) use shapes::Partial;
pub use shapes::{ErrorBody, ServerSentEvent};
