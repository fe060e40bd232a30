//! The assistants of the last moment, so that not every run asks the store for the same one.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::wire::assistant::Assistant;

/// What another process changes is heard of after so long.
const FRESH: Duration = Duration::from_secs(1);
/// More than a few are in use at once only if somebody means us harm.
const MOST: usize = 1000;

/// What was read of assistants a moment ago.
#[derive(Default)]
pub(crate) struct Recent {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    read: HashMap<Uuid, (Instant, Assistant)>,
    /// How often this process has changed some.
    changes: u64,
}

impl Recent {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics half-way through a change.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that was read a moment ago; otherwise what to say when it has been read.
    pub(crate) fn get(&self, id: Uuid) -> Result<Assistant, Asked> {
        let inner = self.lock();
        match inner.read.get(&id) {
            Some((at, assistant)) if at.elapsed() < FRESH => Ok(assistant.clone()),
            _ => Err(Asked { changes: inner.changes }),
        }
    }

    /// Keeps what was read, unless something was changed here while it was read.
    pub(crate) fn keep(&self, asked: Asked, assistant: &Assistant) {
        let mut inner = self.lock();
        if inner.changes == asked.changes {
            if inner.read.len() >= MOST {
                inner.read.clear();
            }
            inner.read.insert(assistant.id, (Instant::now(), assistant.clone()));
        }
    }

    /// This process has changed one, or removed it.
    pub(crate) fn changed(&self, id: Uuid) {
        let mut inner = self.lock();
        inner.changes += 1;
        inner.read.remove(&id);
    }
}

/// When a reading began.
pub(crate) struct Asked {
    changes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assistant() -> Assistant {
        let id = Uuid::from_u128(7);
        Assistant::from_entry(Assistant::new_entry("three", id)).unwrap()
    }

    #[test]
    fn an_assistant_is_known_for_a_moment() {
        let (recent, assistant) = (Recent::default(), assistant());
        let asked = recent.get(assistant.id).err().unwrap();
        recent.keep(asked, &assistant);
        assert!(recent.get(assistant.id).is_ok());
        for (at, _) in recent.lock().read.values_mut() {
            *at -= FRESH;
        }
        assert!(recent.get(assistant.id).is_err());
    }

    #[test]
    fn what_was_read_before_a_change_is_not_kept() {
        let (recent, assistant) = (Recent::default(), assistant());
        let asked = recent.get(assistant.id).err().unwrap();
        recent.changed(assistant.id);
        recent.keep(asked, &assistant);
        assert!(recent.get(assistant.id).is_err());
    }
}
