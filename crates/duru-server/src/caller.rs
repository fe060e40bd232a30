//! Who asks.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// Who asks: whoever has a key, or, where none are needed, anybody. What a
/// caller makes is theirs, and nobody else's to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    pub(crate) owner: Option<String>,
    pub(crate) admin: bool,
}

impl Caller {
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
