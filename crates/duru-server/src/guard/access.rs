//! Which key opens which route. Every route says so where it is registered; one that does not is for those alone who
//! may do everything.

use std::collections::HashMap;

use axum::extract::MatchedPath;
use axum::http::Method;
use axum::http::request::Parts;

use super::scopes::KeyScope;
use crate::api::RouteAccess;
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};

/// Who may ask for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody, also without a key.
    Public,
    /// Any key, whatever its scopes.
    AnyKey,
    /// A key with this scope.
    Scope(KeyScope),
    /// A key with one of these scopes.
    Either(KeyScope, KeyScope),
}

impl Access {
    fn allows(self, caller: &Caller) -> bool {
        match self {
            Self::Public | Self::AnyKey => true,
            Self::Scope(scope) => caller.may(scope),
            Self::Either(one, other) => caller.may(one) || caller.may(other),
        }
    }

    /// For people and for `/openapi.json`.
    pub(crate) fn word(self) -> String {
        match self {
            Self::Public => "public".to_owned(),
            Self::AnyKey => "any".to_owned(),
            Self::Scope(scope) => scope.word().to_owned(),
            Self::Either(one, other) => format!("{} | {}", one.word(), other.word()),
        }
    }
}

/// The access of every route, by its path and its method.
#[derive(Debug, Default)]
pub(super) struct AccessTable(HashMap<String, Vec<(&'static str, Access)>>);

impl AccessTable {
    pub(super) fn of<'a>(routes: impl IntoIterator<Item = &'a RouteAccess>) -> Self {
        let mut table: HashMap<String, Vec<(&'static str, Access)>> = HashMap::new();
        for route in routes {
            table.entry(nameless(&route.path)).or_default().push((route.method, route.access));
        }
        Self(table)
    }

    /// What a request needs. A method that a path is not described with needs all that its others need.
    fn needed(&self, method: &Method, path: &str) -> Vec<Access> {
        let Some(methods) = self.0.get(&nameless(path)) else {
            return vec![Access::Scope(KeyScope::Administer)];
        };
        let meant = if *method == Method::HEAD { "get" } else { &method.as_str().to_ascii_lowercase() };
        match methods.iter().find(|(known, _)| *known == meant) {
            Some((_, access)) => vec![*access],
            None => methods.iter().map(|(_, access)| *access).collect(),
        }
    }

    /// Whether a request needs no key.
    pub(super) fn is_public(&self, request: &Parts) -> bool {
        let path = request.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
        path.is_some_and(|path| {
            self.0.contains_key(&nameless(path))
                && self.needed(&request.method, path).iter().all(|access| *access == Access::Public)
        })
    }

    /// Refuses what a caller's key is not good for. What leads to no route is refused there.
    pub(super) fn admit(&self, request: &Parts, caller: &Caller) -> ApiResult<()> {
        let Some(path) = request.extensions.get::<MatchedPath>() else { return Ok(()) };
        for access in self.needed(&request.method, path.as_str()) {
            if !access.allows(caller) {
                let needed = access.word();
                return Err(ApiError::forbidden(format!(
                    "이 키에는 권한이 없습니다. 필요한 권한: {needed} (`duru keys scope`). / This key is not good for that. \
                     It needs the scope {needed} (`duru keys scope`)."
                )));
            }
        }
        Ok(())
    }

    /// Routes of a router that are not described, as `GET /path`. A router does not list its routes but where it is
    /// printed, which is good enough to find one that was forgotten.
    #[cfg(debug_assertions)]
    pub(super) fn undescribed(&self, app: &axum::Router) -> Vec<String> {
        let mut missing = Vec::new();
        for (methods, path) in listed(app) {
            let known = self.0.get(&nameless(&path));
            for method in methods.split(',').filter(|method| *method != "HEAD") {
                let described = known.is_some_and(|known| {
                    // Where any method is taken, the handler says which it means.
                    method == "*" || known.iter().any(|(known, _)| known.eq_ignore_ascii_case(method))
                });
                if !described {
                    missing.push(format!("{method} {path}"));
                }
            }
        }
        missing
    }
}

/// A path without what its parts are called: `/a/{id}` and `/a/{name}` are the same.
fn nameless(path: &str) -> String {
    let part = |part: &str| match part.starts_with('{') {
        true if part.starts_with("{*") => "{*}".to_owned(),
        true => "{}".to_owned(),
        false => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The methods and the path of every route, as a router prints them.
#[cfg(debug_assertions)]
fn listed(app: &axum::Router) -> Vec<(String, String)> {
    let printed = format!("{app:?}");
    let (routes, rest) = printed.split_once("node: Node { paths: {").unwrap_or_default();
    let numbered = |text: &'_ str| -> Vec<(usize, String)> {
        let parts = text.split("RouteId(").skip(1).filter_map(|part| part.split_once("): "));
        parts.filter_map(|(number, rest)| Some((number.parse().ok()?, rest.to_owned()))).collect()
    };
    let methods: HashMap<usize, String> = numbered(routes)
        .into_iter()
        .map(|(number, printed)| {
            let allowed =
                printed.split("allow_header: Bytes(b\"").nth(1).and_then(|rest| rest.split('"').next());
            (number, allowed.unwrap_or("*").to_owned())
        })
        .collect();
    // The routers behind this one have none that people reach.
    let paths = rest.split("fallback_router").next().unwrap_or_default();
    let path = |printed: String| printed.split('"').nth(1).map(str::to_owned);
    let paths = numbered(paths).into_iter().filter_map(|(number, printed)| Some((number, path(printed)?)));
    paths
        .map(|(number, path)| (methods.get(&number).cloned().unwrap_or_else(|| "*".to_owned()), path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::routing::{any, get, post};

    #[test]
    fn a_route_without_a_scope_is_found_and_closed() {
        let app: Router = Router::new()
            .route("/a/{id}", get(async || "").delete(async || ""))
            .route("/b", post(async || ""))
            .route("/c", any(async || ""))
            .layer(axum::middleware::map_response(async |response: axum::response::Response| response));
        let described = [("get", "/a/{called_otherwise}", KeyScope::Ask), ("post", "/b", KeyScope::Ingest)];
        let described = described.map(|(method, path, scope)| RouteAccess {
            method,
            path: path.to_owned(),
            access: Access::Scope(scope),
        });
        let table = AccessTable::of(&described);
        let mut missing = table.undescribed(&app);
        missing.sort();
        assert_eq!(missing, ["* /c", "DELETE /a/{id}"]);
        let mut all = listed(&app);
        all.sort();
        let all: Vec<String> = all.into_iter().map(|(methods, path)| format!("{methods} {path}")).collect();
        assert_eq!(all, ["* /c", "GET,HEAD,DELETE /a/{id}", "POST /b"]);
        assert_eq!(table.needed(&Method::GET, "/c"), [Access::Scope(KeyScope::Administer)]);
        assert_eq!(table.needed(&Method::HEAD, "/a/{id}"), [Access::Scope(KeyScope::Ask)]);
        assert_eq!(table.needed(&Method::PUT, "/b"), [Access::Scope(KeyScope::Ingest)]);
    }
}
