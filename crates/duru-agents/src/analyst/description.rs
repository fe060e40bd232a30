//! What people call the tables, as it is at the moment.

use std::sync::{Arc, PoisonError, RwLock};

use duru_sql::domain::Description;

/// A description that may change while questions are asked: the next one is read with the new words.
#[derive(Debug, Default)]
pub struct LiveDescription(RwLock<Arc<Description>>);

impl LiveDescription {
    pub fn new(description: Description) -> Self {
        Self(RwLock::new(Arc::new(description)))
    }

    /// As it is now.
    pub fn get(&self) -> Arc<Description> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From the next question on.
    pub fn replace(&self, description: Description) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(description);
    }
}
