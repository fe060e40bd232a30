//! The tables that somebody was granted, as if there were no others.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use duru_sql::guard::Checked;
use duru_sql::{Answer, Asking, Error, Knowledge, TableSource};

use super::toolbox::Toolbox;

/// So many sets of grants are kept ready.
const KEPT: usize = 64;

/// Toolboxes by what was granted, the latest last.
#[derive(Default)]
pub(super) struct Grants(Mutex<Vec<(Vec<String>, Arc<Toolbox>)>>);

impl Grants {
    pub(super) fn get_or_make(&self, names: &[String], make: impl FnOnce() -> Toolbox) -> Arc<Toolbox> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tools)) = kept.iter().find(|(granted, _)| granted == names) {
            return Arc::clone(tools);
        }
        if kept.len() == KEPT {
            kept.remove(0);
        }
        let made = Arc::new(make());
        kept.push((names.to_vec(), Arc::clone(&made)));
        made
    }
}

/// A source of which nothing but some tables is known. That no other is asked is up to the guard.
pub(super) struct GrantedSource {
    source: Arc<dyn TableSource>,
    names: Vec<String>,
    /// What is known of all, and of these: the same as long as that does not change.
    known: Mutex<Option<(Arc<Knowledge>, Arc<Knowledge>)>>,
}

impl GrantedSource {
    pub(super) fn new(source: Arc<dyn TableSource>, names: &[String]) -> Self {
        Self { source, names: names.to_vec(), known: Mutex::default() }
    }
}

#[async_trait]
impl TableSource for GrantedSource {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.source.query(query, asking).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        let all = self.source.knowledge().await?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, granted)) = known.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &all)) {
            return Ok(Arc::clone(granted));
        }
        let mut granted = Knowledge::clone(&all);
        granted.tables.retain(|known| self.names.contains(&known.table.name));
        // Keys that lead to what is not there would tell of it.
        for known in &mut granted.tables {
            known.table.foreign_keys.retain(|key| self.names.contains(&key.table));
        }
        let granted = Arc::new(granted);
        *known = Some((all, Arc::clone(&granted)));
        Ok(granted)
    }

    async fn version(&self) -> Result<String, Error> {
        self.source.version().await
    }
}
