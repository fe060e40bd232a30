//! Which place has which threads: written down in the home, once for all.

use std::sync::Arc;

use duru::Incarnation;
use duru::ThreadId;
use duru::store::{Catalog, Checkpoints, Entry, EntryKind, Error, Expect, Put};
use serde_json::{Value, json};

use super::shard::Backend;
use crate::shared::corrupt;

/// The entry of the home that says which buckets are where.
const MAP: &str = "map";
/// The entry of each place that says which one it is.
const SELF: &str = "self";
pub(super) const OPEN: &str = "open the shards";

/// Which place has which bucket, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BucketMap {
    /// Of this installation and no other.
    installation: String,
    /// In order and without gaps: the first bucket that is no longer there, and where those before it are.
    parts: Vec<(u16, Arc<str>)>,
}

impl BucketMap {
    /// The one that the home has; a new one if it has none.
    pub(super) async fn of(home: &dyn Backend, home_name: &str, names: &[Arc<str>]) -> Result<Self, Error> {
        let there = Catalog::entry(home, EntryKind::Placement, MAP).await?;
        if let Some(entry) = there {
            return Self::read(&entry);
        }
        // Threads that are there already stay where they are.
        let is_new = Checkpoints::threads(home, 0, 1).await?.is_empty();
        let map = if is_new { Self::even(names) } else { Self::even(&[home_name.into()]) };
        let mut entry = Entry::new(EntryKind::Placement, MAP);
        entry.body.insert("installation".into(), map.installation.clone().into());
        let parts: Vec<Value> = map.parts.iter().map(|(end, name)| json!([end, **name])).collect();
        entry.body.insert("parts".into(), parts.into());
        match Catalog::put(home, entry, Expect::New).await? {
            Put::Stored(_) => Ok(map),
            // Another replica was first.
            Put::Unexpected(Some(entry)) => Self::read(&entry),
            Put::Unexpected(None) => Err(corrupt("the map of shards", "it comes and goes")),
        }
    }

    /// As many for each.
    fn even(names: &[Arc<str>]) -> Self {
        let (count, all) = (names.len() as u32, u32::from(ThreadId::BUCKETS));
        let end = |n: usize| ((n as u32 + 1) * all / count) as u16;
        let parts = names.iter().enumerate().map(|(n, name)| (end(n), name.clone())).collect();
        Self { installation: format!("{:016x}", Incarnation::random().as_u64()), parts }
    }

    fn read(entry: &Entry) -> Result<Self, Error> {
        let part = |value: &Value| -> Option<(u16, Arc<str>)> {
            Some((u16::try_from(value.get(0)?.as_u64()?).ok()?, value.get(1)?.as_str()?.into()))
        };
        let read = || {
            let installation = entry.body.get("installation")?.as_str()?.to_owned();
            let parts: Vec<_> =
                entry.body.get("parts")?.as_array()?.iter().map(part).collect::<Option<_>>()?;
            let whole = parts.last()?.0 == ThreadId::BUCKETS && parts.is_sorted_by(|a, b| a.0 < b.0);
            whole.then_some(Self { installation, parts })
        };
        read().ok_or_else(|| corrupt("the map of shards", "it does not say where each bucket is"))
    }

    /// Where a bucket is.
    pub(super) fn name_of(&self, bucket: u16) -> &Arc<str> {
        let n = self.parts.partition_point(|(end, _)| *end <= bucket);
        &self.parts[n.min(self.parts.len() - 1)].1
    }

    /// Everything that has a bucket.
    pub(super) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.parts.iter().map(|(_, name)| name)
    }

    /// Looks whether a database is the one that has this name here, and gives a new one its name: two that were
    /// exchanged, or one that is named twice, would lose threads from sight.
    pub(super) async fn recognise(
        &self,
        store: &dyn Backend,
        name: &str,
        is_home: bool,
    ) -> Result<(), Error> {
        let mut stamp = Entry::new(EntryKind::Placement, SELF);
        stamp.body.insert("installation".into(), self.installation.clone().into());
        stamp.body.insert("name".into(), name.into());
        let there = Catalog::entry(store, EntryKind::Placement, SELF).await?;
        if there.is_none() {
            if !is_home && !Checkpoints::threads(store, 0, 1).await?.is_empty() {
                return Err(Error::backend(
                    OPEN,
                    format!(
                        "the database of {name:?} has threads already; use an empty one, or make it the home"
                    ),
                ));
            }
            if let Put::Stored(_) = Catalog::put(store, stamp.clone(), Expect::New).await? {
                return Ok(());
            }
        }
        let found = Catalog::entry(store, EntryKind::Placement, SELF).await?.unwrap_or_else(|| stamp.clone());
        if found.body == stamp.body {
            return Ok(());
        }
        let text = |field: &str| found.body.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let of = if text("installation") == self.installation { "" } else { " of another installation" };
        let why = format!("the database of {name:?} is shard {:?}{of}; look at its address", text("name"));
        Err(Error::backend(OPEN, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_somewhere_and_none_is_twice() {
        for count in [1, 2, 3, 7, 64] {
            let names: Vec<Arc<str>> = (0..count).map(|n| format!("s{n}").into()).collect();
            let map = BucketMap::even(&names);
            let mut sizes = vec![0; count];
            for bucket in 0..ThreadId::BUCKETS {
                let n = names.iter().position(|name| name == map.name_of(bucket)).unwrap();
                sizes[n] += 1;
            }
            let fair = usize::from(ThreadId::BUCKETS) / count;
            assert!(sizes.iter().all(|size| *size == fair || *size == fair + 1), "{sizes:?}");
        }
    }
}
