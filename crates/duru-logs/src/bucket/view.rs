//! What all other ingesters keep in the bucket, as queries see it. Nobody is asked for a lock: manifests are read, and
//! nothing that they name ever changes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use duru_sql::{BucketTrouble, Error};
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::Mutex as Turn;

use super::kept::{self, Kept, MANIFESTS};
use super::remote::{Bucket, Listed, Tag};
use super::shelf;
use crate::disk::{Manifest, Notes, Segment, tail_content, times};

/// Objects that are read at once.
const AT_ONCE: usize = 8;
/// Whoever asks waits so long for a list or a manifest. Other objects may be large, and the client waits for them.
const PATIENCE: Duration = Duration::from_secs(10);

/// What others keep.
#[derive(Default)]
pub(super) struct Others {
    pub(super) segments: Vec<Arc<Segment>>,
    /// Of logs that are not sealed yet.
    pub(super) rows: Vec<RecordBatch>,
    pub(super) dead: HashSet<i64>,
    /// How many lines a batch of this key has.
    pub(super) keys: HashMap<String, u64>,
    /// Changes whenever one of them does.
    pub(super) name: String,
}

pub(super) struct View {
    bucket: Arc<Bucket>,
    /// Whose own manifest is none of others'.
    own: Mutex<Option<String>>,
    seen: Turn<Seen>,
    /// Parts of logs that were read since the last look that went well: the next one need not read them again.
    fresh: Mutex<HashMap<String, Arc<Part>>>,
    now: Mutex<Arc<Others>>,
    /// When the last look began that went well.
    looked: Mutex<Option<Instant>>,
    trouble: Mutex<Option<Error>>,
}

#[derive(Default)]
struct Seen {
    by: BTreeMap<String, One>,
    /// There was something once.
    something: bool,
}

/// What one ingester keeps.
struct One {
    tag: Option<Tag>,
    kept: Kept,
    segments: Vec<Arc<Segment>>,
    notes: HashMap<u64, Arc<Notes>>,
    tails: HashMap<String, Arc<Part>>,
}

/// A part of a log that is not sealed yet.
#[derive(Default)]
struct Part {
    rows: Vec<RecordBatch>,
    keys: Vec<(String, u64)>,
    deleted: Vec<i64>,
}

impl Part {
    fn is_before(&self, before: i64) -> bool {
        self.deleted.is_empty() && self.rows.iter().filter_map(times).all(|(_, last)| last < before)
    }

    fn count(&self) -> u64 {
        self.rows.iter().map(|rows| rows.num_rows() as u64).sum()
    }
}

impl View {
    pub(super) fn new(bucket: Arc<Bucket>) -> Self {
        Self {
            bucket,
            own: Mutex::default(),
            seen: Turn::default(),
            fresh: Mutex::default(),
            now: Mutex::default(),
            looked: Mutex::default(),
            trouble: Mutex::default(),
        }
    }

    /// From now on this ingester's manifest is this process's own.
    pub(super) async fn without(&self, ingester: &str) {
        let mut seen = self.seen.lock().await;
        *lock(&self.own) = Some(ingester.to_owned());
        seen.by.remove(ingester);
        *lock(&self.now) = Arc::new(seen.others());
    }

    pub(super) fn now(&self) -> Arc<Others> {
        lock(&self.now).clone()
    }

    /// Why the last look failed.
    pub(super) fn trouble(&self) -> Option<Error> {
        lock(&self.trouble).clone()
    }

    /// What there is, as it was so long ago at most. The tag of this process's own manifest, if there was a look.
    pub(super) async fn look(&self, age: Duration) -> Result<Option<Option<Tag>>, Error> {
        let fresh = |looked: Option<Instant>| looked.is_some_and(|at| at.elapsed() < age);
        if fresh(*lock(&self.looked)) {
            return Ok(None);
        }
        let mut seen = self.seen.lock().await;
        // Somebody else has looked meanwhile.
        if fresh(*lock(&self.looked)) {
            return Ok(None);
        }
        let begun = Instant::now();
        let looked = self.look_now(&mut seen).await;
        *lock(&self.trouble) = looked.as_ref().err().cloned();
        let own = looked?;
        lock(&self.fresh).clear();
        *lock(&self.now) = Arc::new(seen.others());
        *lock(&self.looked) = Some(begun);
        Ok(Some(own))
    }

    /// The manifests of others, as they were at the last look.
    pub(super) async fn manifests(&self) -> Vec<(String, Kept)> {
        let seen = self.seen.lock().await;
        seen.by.iter().map(|(ingester, one)| (ingester.clone(), one.kept.clone())).collect()
    }

    /// A small request, of which nobody knows how long the bucket takes for it.
    async fn soon<T>(&self, request: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let done = tokio::time::timeout(PATIENCE, request).await;
        done.unwrap_or_else(|_| Err(self.bucket.error(BucketTrouble::Silent, "")))
    }

    /// Parts of others' logs of which all lines are from before that time, and how many those are, by ingester. One
    /// that records deletions is none: they may be of lines elsewhere.
    pub(super) async fn old_parts(&self, before: i64) -> HashMap<String, HashMap<String, u64>> {
        let seen = self.seen.lock().await;
        let of = |one: &One| -> HashMap<String, u64> {
            let old = one.tails.iter().filter(|(_, part)| part.is_before(before));
            old.map(|(name, part)| (name.clone(), part.count())).collect()
        };
        seen.by.iter().map(|(ingester, one)| (ingester.clone(), of(one))).collect()
    }

    async fn look_now(&self, seen: &mut Seen) -> Result<Option<Tag>, Error> {
        let listed = self.soon(self.bucket.list(MANIFESTS)).await?;
        let mut there: BTreeMap<String, Listed> = listed
            .into_iter()
            .filter_map(|object| Some((kept::ingester_of(&object.name)?.to_owned(), object)))
            .collect();
        if there.is_empty() && seen.something {
            return Err(self.bucket.error(BucketTrouble::Emptied, MANIFESTS));
        }
        seen.something |= !there.is_empty();
        let own = lock(&self.own).clone();
        let own = own.and_then(|own| there.remove(&own)).and_then(|object| object.tag);
        seen.by.retain(|ingester, _| there.contains_key(ingester));
        let mut changed = Vec::new();
        for (ingester, object) in there {
            let known = seen.by.get(&ingester).and_then(|one| one.tag.as_ref());
            if known.is_none() || known != object.tag.as_ref() {
                changed.push(ingester);
            }
        }
        let reading = changed.into_iter().map(|ingester| {
            let old = seen.by.get(&ingester);
            async move { self.read(&ingester, old).await.map(|one| (ingester, one)) }
        });
        let mut failed = None;
        for read in as_far_as_it_goes(reading).await {
            match read {
                Ok((ingester, Some(one))) => drop(seen.by.insert(ingester, one)),
                Ok((ingester, None)) => drop(seen.by.remove(&ingester)),
                // What is known of it stays, for the next look.
                Err(e) => failed = Some(e),
            }
        }
        failed.map_or(Ok(own), Err)
    }

    /// Reads a manifest and what it names, except for what is known already.
    async fn read(&self, ingester: &str, old: Option<&One>) -> Result<Option<One>, Error> {
        let name = kept::manifest(ingester);
        // It may have gone since the list was made.
        let Some((bytes, tag)) = self.soon(self.bucket.get(&name)).await? else { return Ok(None) };
        let kept = Kept::read(&self.bucket, &name, &bytes)?;
        let known = |number: u64| old?.segments.iter().find(|segment| segment.meta.number == number);
        let segments = kept.manifest.segments.iter().map(|meta| match known(meta.number) {
            Some(segment) => segment.clone(),
            None => Arc::new(shelf::segment(ingester, meta.clone())),
        });
        let segments = segments.collect();
        let notes = kept.manifest.notes.iter().map(|number| {
            let known = old.and_then(|one| one.notes.get(number));
            async move {
                let notes = match known {
                    Some(notes) => notes.clone(),
                    None => Arc::new(shelf::notes(&self.bucket, ingester, *number).await?),
                };
                Ok::<_, Error>((*number, notes))
            }
        });
        let notes = stream::iter(notes.collect::<Vec<_>>()).buffered(AT_ONCE).try_collect().await?;
        let tails = kept.parts().map(|tail| {
            let name = tail.name();
            let known = old.and_then(|one| one.tails.get(&name));
            async move {
                let part = match known {
                    Some(part) => part.clone(),
                    None => self.part(kept::object(ingester, &name)).await?,
                };
                Ok::<_, Error>((name, part))
            }
        });
        let tails = as_far_as_it_goes(tails).await.into_iter().collect::<Result<_, Error>>()?;
        Ok(Some(One { tag: Some(tag), kept, segments, notes, tails }))
    }

    async fn part(&self, name: String) -> Result<Arc<Part>, Error> {
        if let Some(part) = lock(&self.fresh).get(&name) {
            return Ok(part.clone());
        }
        let bytes: Bytes = self.bucket.must_get(&name).await?;
        let mut part = Part::default();
        let read = tail_content(
            &bytes,
            |key, rows| {
                if let Some(key) = key {
                    part.keys.push((key, rows.num_rows() as u64));
                }
                part.rows.push(rows);
            },
            |ids| part.deleted.extend(ids),
        );
        // The list is of whole frames.
        if read.is_none_or(|read| read != bytes.len()) {
            return Err(self.bucket.error(BucketTrouble::Damaged, name));
        }
        let part = Arc::new(part);
        lock(&self.fresh).insert(name, part.clone());
        Ok(part)
    }
}

impl Seen {
    fn others(&self) -> Others {
        let mut others = Others::default();
        for (ingester, one) in &self.by {
            let manifest = &one.kept.manifest;
            let tails = one.kept.tails.iter();
            let place = tails.map(|tail| (tail.log, tail.to)).max().unwrap_or((manifest.first_wal, 0));
            let Manifest { changes, drops, chain, .. } = manifest;
            let version = format!(" {ingester}:{changes}.{drops}.{chain:016x}.{}.{}", place.0, place.1);
            others.name.push_str(&version);
            others.segments.extend(one.segments.iter().cloned());
            for notes in one.notes.values() {
                others.keys.extend(notes.keys.iter().cloned());
                others.dead.extend(&notes.deleted);
            }
            for part in one.tails.values() {
                others.rows.extend(part.rows.iter().cloned());
                others.keys.extend(part.keys.iter().cloned());
                others.dead.extend(&part.deleted);
            }
        }
        others
    }
}

/// Several at once. Once one has failed, none is begun any more, but those that were end: the next look need not read
/// them again.
async fn as_far_as_it_goes<T>(
    work: impl Iterator<Item = impl Future<Output = Result<T, Error>>>,
) -> Vec<Result<T, Error>> {
    let failed = AtomicBool::new(false);
    let work = work.map(|one| async {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let done = one.await;
        failed.fetch_or(done.is_err(), Ordering::Relaxed);
        Some(done)
    });
    let done: Vec<_> = stream::iter(work.collect::<Vec<_>>()).buffer_unordered(AT_ONCE).collect().await;
    done.into_iter().flatten().collect()
}

fn lock<T>(what: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Each is replaced whole.
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
