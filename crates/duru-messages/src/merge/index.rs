//! Where in a list the message with a given id stands.

use std::collections::HashMap;
use std::sync::Arc;

use super::Entry;

/// Positions by id. Messages without an id are counted but not indexed.
///
/// Keys are shared, because the index is copied together with its list.
#[derive(Clone, Debug, Default)]
pub struct Index {
    positions: HashMap<Arc<str>, usize>,
    /// How long the list is that this index describes.
    covered: usize,
}

impl Index {
    /// Reads the list anew if its length says that somebody else changed it,
    /// which also makes an empty index usable with any list. A position is
    /// therefore always inside the list.
    pub(crate) fn cover<E: Entry>(&mut self, list: &[E]) {
        if self.covered != list.len() {
            self.clear();
            for entry in list {
                self.append(entry.id());
            }
        }
    }

    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.positions.get(id).copied()
    }

    pub(crate) fn append(&mut self, id: Option<&str>) {
        if let Some(id) = id {
            self.positions.insert(Arc::from(id), self.covered);
        }
        self.covered += 1;
    }

    pub(crate) fn forget(&mut self, id: Option<&str>) {
        if let Some(id) = id {
            self.positions.remove(id);
        }
    }

    /// Positions changed from `first` on, because something before was removed.
    pub(crate) fn renumber<E: Entry>(&mut self, list: &[E], first: usize) {
        for (at, entry) in list.iter().enumerate().skip(first) {
            if let Some(position) = entry.id().and_then(|id| self.positions.get_mut(id)) {
                *position = at;
            }
        }
        self.covered = list.len();
    }

    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.covered = 0;
    }
}
