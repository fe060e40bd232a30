//! Who asks.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::error::ApiResult;
use crate::guard::{Held, Pass};

/// Who asks: whoever has a key, or, where none are needed, anybody. What a
/// caller makes is theirs, and nobody else's to see.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    pub(crate) owner: Option<Arc<str>>,
    pub(crate) admin: bool,
    /// How many answers they may have open at once; none for the usual number.
    pub(crate) at_once: Option<u32>,
    /// Their place among those.
    pub(crate) held: Option<Arc<Held>>,
    /// The key that they showed.
    pub(crate) pass: Option<Pass>,
}

impl Caller {
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

    /// The name of the key; none where anybody may ask.
    pub fn name(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// Whether they may do what concerns others: with a key for that, or where no keys are needed, and so only
    /// this machine can ask.
    pub fn is_admin(&self) -> bool {
        self.admin || self.owner.is_none()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}
