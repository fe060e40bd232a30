//! Where one item is kept.

use std::fmt;
use std::sync::Arc;

use super::error::shortened;
use super::{Error, Namespace};

/// How long a key may be.
pub const MAX_KEY_BYTES: usize = 500;

/// Other programs that speak the same protocol keep this for themselves.
const RESERVED: &str = "langgraph";

/// A namespace, other than the root, and a key in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    namespace: Namespace,
    key: Arc<str>,
}

impl Address {
    /// Checks and joins both.
    ///
    /// ```
    /// use duru::memory::{Address, Namespace};
    /// assert!(Address::new(Namespace::new(["users", "kim"])?, "name").is_ok());
    /// assert!(Address::new(Namespace::root(), "name").is_err());
    /// # Ok::<_, duru::memory::Error>(())
    /// ```
    pub fn new(namespace: Namespace, key: impl AsRef<str>) -> Result<Self, Error> {
        let key = key.as_ref();
        let wrong = match namespace.labels().next() {
            None => Some("it is empty; an item needs at least one label".to_owned()),
            Some(RESERVED) => {
                Some(format!("the first label {RESERVED:?} is reserved; begin with another one"))
            }
            Some(_) => None,
        };
        if let Some(reason) = wrong {
            return Err(Error::Namespace { given: namespace.labels().map(shortened).collect(), reason });
        }
        let reason = if key.is_empty() {
            "is empty"
        } else if key.len() > MAX_KEY_BYTES {
            "is too long"
        } else if key.chars().any(char::is_control) {
            "has control characters"
        } else {
            return Ok(Self { namespace, key: key.into() });
        };
        Err(Error::Key { given: shortened(key), reason })
    }

    /// The namespace.
    pub fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// The key.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memory {:?} in {}", self.key, self.namespace)
    }
}
