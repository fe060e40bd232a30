//! What nodes need from outside, found by type. The engine knows none of it.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::sync::Arc;

use crate::error::NodeError;

/// Values by their type: models, tools, clients, a run's context.
#[derive(Clone, Default)]
pub(crate) struct Services(Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Services {
    /// These and one more; of two of one type, the later.
    pub(crate) fn with<T: Send + Sync + 'static>(&self, value: Arc<T>) -> Self {
        let mut all = HashMap::clone(&self.0);
        all.insert(TypeId::of::<T>(), value);
        Self(Arc::new(all))
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, NodeError> {
        let found = self.0.get(&TypeId::of::<T>()).cloned();
        found.and_then(|value| value.downcast::<T>().ok()).ok_or_else(|| {
            let name = type_name::<T>();
            NodeError::fatal(format!(
                "no {name} was provided; give it to the graph or the run with `provide`"
            ))
        })
    }
}

/// Who asked for a run, by the name that the program knows them by. A server provides it where people have names;
/// nodes that write down who did what get it with `cx.get::<AskedBy>()`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedBy(pub String);

/// The tables, or sources of tables, that the caller may ask about, by name, and no others. A server provides it
/// for keys that name tables; a run without it may ask about all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantedTables(pub Vec<String>);
