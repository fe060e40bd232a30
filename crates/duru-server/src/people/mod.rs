//! What is kept of people: found, counted, erased; and what is too old.

mod erase;
mod holdings;
mod retention;

use duru::store::Entry;

pub use holdings::Holdings;
pub use retention::{Retention, Sweep, Swept};

use crate::hub::Stores;
use crate::scope::OWNER;

/// Whose things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Person {
    /// The owner of the keys of this name.
    Named(String),
    /// The local user, who needed no key: what belongs to nobody in particular.
    Nobody,
}

impl Person {
    fn has(&self, entry: &Entry) -> bool {
        let owner = entry.metadata.get(OWNER).and_then(serde_json::Value::as_str);
        match self {
            Self::Named(name) => owner == Some(name),
            Self::Nobody => owner.is_none(),
        }
    }
}

/// What the stores of a server keep of everybody. Not bound to a server: a command may use it beside one.
#[derive(Clone)]
pub struct People {
    stores: Stores,
}

impl People {
    /// Those in these stores.
    pub fn new(stores: Stores) -> Self {
        Self { stores }
    }
}
