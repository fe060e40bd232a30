//! Routes with their descriptions.

use axum::Router;
use axum::routing::MethodRouter;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::document::{Api, security};
use super::schemas::Schemas;
use crate::guard::Access;

/// Which key one method of a path needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RouteAccess {
    /// In small letters.
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) access: Access,
}

/// Routes, what `/openapi.json` says of them, and which key each needs.
///
/// ```
/// # use axum::{Json, extract::State}; use duru_server::{Access, ApiError, ApiRoutes, KeyScope, Runs, Start, Came};
/// # use serde_json::{Value, json};
/// use utoipa_axum::routes;
///
/// /// Counts to three.
/// #[utoipa::path(post, path = "/count", responses((status = 200, body = Value), (status = 409)))]
/// async fn count(State(runs): State<Runs>) -> Result<Json<Value>, ApiError> {
///     let started = runs.start(Start::new("count", json!({ "n": 1 }))).await?;
///     match runs.wait(&started).await? {
///         Came::Done(values) => Ok(Json(json!(values))),
///         other => Err(ApiError::conflict(format!("{other:?}"))),
///     }
/// }
///
/// fn counting(runs: Runs) -> ApiRoutes {
///     ApiRoutes::new().with(Access::Scope(KeyScope::Ask), routes!(count)).with_state(runs)
/// }
/// ```
#[must_use = "routes do nothing until a server mounts them"]
pub struct ApiRoutes<S = ()> {
    routes: OpenApiRouter<S>,
    access: Vec<RouteAccess>,
    schemas: Schemas,
}

impl<S: Clone + Send + Sync + 'static> Default for ApiRoutes<S> {
    fn default() -> Self {
        Self { routes: OpenApiRouter::default(), access: Vec::new(), schemas: Schemas::default() }
    }
}

impl<S: Clone + Send + Sync + 'static> ApiRoutes<S> {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what `utoipa_axum::routes!` makes of handlers: methods of one path that need the same key.
    pub fn with(mut self, access: Access, routes: UtoipaMethodRouter<S>) -> Self {
        let (schemas, mut paths, handlers) = routes;
        for (path, item) in &mut paths.paths {
            for (method, operation) in operations_mut(item) {
                operation.security = Some(security(access));
                self.access.push(RouteAccess { method, path: path.clone(), access });
            }
        }
        self.schemas.add(schemas.iter().map(|(name, schema)| (name, schema)));
        self.routes = self.routes.routes((schemas, paths, handlers));
        self
    }

    /// Adds a route that is no part of the API, such as a page: the document leaves it out.
    pub fn unlisted(
        mut self,
        access: Access,
        method: &'static str,
        path: &str,
        handlers: MethodRouter<S>,
    ) -> Self {
        self.access.push(RouteAccess { method, path: path.to_owned(), access });
        self.routes = self.routes.route(path, handlers);
        self
    }

    /// Adds all of others.
    pub fn merge(mut self, other: Self) -> Self {
        self.routes = self.routes.merge(other.routes);
        self.access.extend(other.access);
        self.schemas.merge(other.schemas);
        self
    }

    /// Changes all that is there, for example with a layer; no route may be added so.
    pub fn map(self, change: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        let (router, document) = self.routes.split_for_parts();
        let routes = OpenApiRouter::with_openapi(document).merge(change(router).into());
        Self { routes, ..self }
    }

    /// Gives the handlers their state.
    pub fn with_state<S2>(self, state: S) -> ApiRoutes<S2> {
        ApiRoutes { routes: self.routes.with_state(state), access: self.access, schemas: self.schemas }
    }

    /// The handlers, and what is known of them.
    pub(crate) fn into_parts(self) -> (Router<S>, Api) {
        let (router, document) = self.routes.split_for_parts();
        (router, Api { document, access: self.access, schemas: self.schemas })
    }
}

/// Routes of which nothing is said. Only keys for everything open them.
impl<S: Clone + Send + Sync + 'static> From<Router<S>> for ApiRoutes<S> {
    fn from(routes: Router<S>) -> Self {
        Self { routes: routes.into(), ..Self::default() }
    }
}

/// The methods of a path that are described.
pub(super) fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let PathItem { get, put, post, delete, options, head, patch, trace, .. } = item;
    let all = [
        ("get", get),
        ("put", put),
        ("post", post),
        ("delete", delete),
        ("options", options),
        ("head", head),
        ("patch", patch),
        ("trace", trace),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}
