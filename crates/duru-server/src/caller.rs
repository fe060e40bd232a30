//! Who asks.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::error::{ApiError, ApiResult};
use crate::guard::{Held, KeyScope, KeyScopes, Pass};

/// Who asks: whoever has a key or, where none are needed, whoever sits at this machine. What a caller makes is
/// theirs, and nobody else's to see. There is none that nobody vouches for: what comes without one is refused.
#[derive(Debug, Clone)]
pub struct Caller {
    /// None for the local user.
    pub(crate) owner: Option<Arc<str>>,
    pub(crate) scopes: KeyScopes,
    /// The tables, or sources of tables, that they may ask about; none for all.
    pub(crate) tables: Option<Arc<[String]>>,
    /// How many answers they may have open at once; none for the usual number.
    pub(crate) at_once: Option<u32>,
    /// Their place among those.
    pub(crate) held: Option<Arc<Held>>,
    /// The key that they showed.
    pub(crate) pass: Option<Pass>,
}

impl Caller {
    /// The local user, where no keys are required, and the program itself.
    pub(crate) fn at_this_machine() -> Self {
        Self { owner: None, scopes: KeyScopes::ALL, tables: None, at_once: None, held: None, pass: None }
    }

    /// So much more is asked by them than this one request.
    pub(crate) async fn spend(&self, count: usize) -> ApiResult<()> {
        match &self.pass {
            Some(pass) => pass.spend(count).await,
            None => Ok(()),
        }
    }

    /// Waits until they may ask no more.
    pub(crate) fn revoked(&self) -> impl Future<Output = ()> + Send + use<> {
        let pass = self.pass.clone();
        async move {
            match pass {
                Some(pass) => pass.revoked().await,
                None => std::future::pending().await,
            }
        }
    }

    /// The id of the key that they showed.
    pub(crate) fn key(&self) -> Option<&str> {
        self.pass.as_ref().map(Pass::id)
    }

    /// The name of the key; none where none was needed.
    pub fn name(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The tables, or sources of tables, that they may ask about; none for all.
    pub fn tables(&self) -> Option<&[String]> {
        self.tables.as_deref()
    }

    /// Whether their key is good for something.
    pub fn may(&self, scope: KeyScope) -> bool {
        self.scopes.allow(scope)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        of(parts).cloned()
    }
}

/// Whom the guard let in. A request that it never saw, or that needed nobody, has no caller.
pub(crate) fn of(parts: &Parts) -> ApiResult<&Caller> {
    parts.extensions.get::<Caller>().ok_or_else(|| ApiError::no_key("Nobody is known to ask for this."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It counted as an administrator.
    #[tokio::test]
    async fn a_request_that_no_guard_saw_has_no_caller() {
        let (mut parts, ()) = axum::http::Request::new(()).into_parts();
        let refused = Caller::from_request_parts(&mut parts, &()).await.unwrap_err();
        assert_eq!(refused.status(), axum::http::StatusCode::UNAUTHORIZED);
        parts.extensions.insert(Caller::at_this_machine());
        assert!(Caller::from_request_parts(&mut parts, &()).await.unwrap().may(KeyScope::Administer));
    }
}
