//! One batch of messages goes into a list.

use std::collections::{BTreeSet, HashSet};

use super::{Index, MergeError};

/// The id of a `remove` message that deletes everything before it.
pub const REMOVE_ALL: &str = "__remove_all__";

/// What the merge has to know about an element of the list.
pub(crate) trait Entry {
    fn id(&self) -> Option<&str>;
    fn is_remove(&self) -> bool;
}

/// Checks the whole batch before the first change: a refused batch leaves the
/// list as it was.
pub(crate) fn merge<E: Entry>(list: &mut Vec<E>, index: &mut Index, batch: Vec<E>) -> Result<(), MergeError> {
    index.cover(list);
    check(index, &batch)?;
    apply(list, index, batch);
    Ok(())
}

/// Every removal after the last "remove all" must name a message that is in
/// the list, or that came earlier in the same batch.
fn check<E: Entry>(index: &Index, batch: &[E]) -> Result<(), MergeError> {
    if !batch.iter().any(E::is_remove) {
        return Ok(());
    }
    let (start, list_survives) = match last_remove_all(batch) {
        Some(at) => (at + 1, false),
        None => (0, true),
    };
    let mut added = HashSet::new();
    for (position, entry) in batch.iter().enumerate().skip(start) {
        match (entry.is_remove(), entry.id()) {
            (true, None) => return Err(MergeError::RemoveWithoutId { position }),
            (true, Some(id)) => {
                let known = added.contains(id) || (list_survives && index.position(id).is_some());
                if !known {
                    return Err(MergeError::UnknownId { id: id.to_owned(), position });
                }
            }
            (false, Some(id)) => {
                added.insert(id);
            }
            (false, None) => {}
        }
    }
    Ok(())
}

/// Removals that find nothing do nothing here; [`check`] refuses them where
/// that would hide a mistake.
pub(crate) fn apply<E: Entry>(list: &mut Vec<E>, index: &mut Index, mut batch: Vec<E>) {
    if let Some(at) = last_remove_all(&batch) {
        batch.drain(..=at);
        list.clear();
        index.clear();
    }
    // Removed messages leave at the end of the batch: the list is compacted
    // once, and a message that is removed and sent again keeps its place.
    let mut doomed = BTreeSet::new();
    for entry in batch {
        match (entry.is_remove(), entry.id().and_then(|id| index.position(id))) {
            (true, Some(at)) => {
                doomed.insert(at);
            }
            (true, None) => {}
            (false, Some(at)) => {
                doomed.remove(&at);
                list[at] = entry;
            }
            (false, None) => {
                index.append(entry.id());
                list.push(entry);
            }
        }
    }
    compact(list, index, &doomed);
}

fn compact<E: Entry>(list: &mut Vec<E>, index: &mut Index, doomed: &BTreeSet<usize>) {
    let Some(&first) = doomed.first() else { return };
    let mut at = 0;
    list.retain(|entry| {
        let stays = !doomed.contains(&at);
        if !stays {
            index.forget(entry.id());
        }
        at += 1;
        stays
    });
    index.renumber(list, first);
}

fn last_remove_all<E: Entry>(batch: &[E]) -> Option<usize> {
    batch.iter().rposition(|entry| entry.is_remove() && entry.id() == Some(REMOVE_ALL))
}
