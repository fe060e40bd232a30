//! What all other ingesters keep in the bucket, as queries see it. Nobody is asked for a lock: manifests are read, and
//! nothing that they name ever changes.

use std::collections::{BTreeMap, HashMap, HashSet};
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
use crate::disk::{Manifest, Notes, Segment, tail_content};

/// Objects that are read at once.
const AT_ONCE: usize = 8;
/// Whoever asks waits so long for a look.
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

impl View {
    pub(super) fn new(bucket: Arc<Bucket>) -> Self {
        Self {
            bucket,
            own: Mutex::default(),
            seen: Turn::default(),
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
        let silent = || self.bucket.error(BucketTrouble::Silent, "");
        let looked = tokio::time::timeout(PATIENCE, self.look_now(&mut seen)).await;
        let looked = looked.unwrap_or_else(|_| Err(silent()));
        *lock(&self.trouble) = looked.as_ref().err().cloned();
        let own = looked?;
        *lock(&self.now) = Arc::new(seen.others());
        *lock(&self.looked) = Some(begun);
        Ok(Some(own))
    }

    /// The manifests of others, as they were at the last look.
    pub(super) async fn manifests(&self) -> Vec<(String, Kept)> {
        let seen = self.seen.lock().await;
        seen.by.iter().map(|(ingester, one)| (ingester.clone(), one.kept.clone())).collect()
    }

    async fn look_now(&self, seen: &mut Seen) -> Result<Option<Tag>, Error> {
        let listed = self.bucket.list(MANIFESTS).await?;
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
                let old = seen.by.remove(&ingester);
                changed.push((ingester, old));
            }
        }
        let reading = changed.into_iter().map(|(ingester, old)| self.read(ingester, old));
        let mut reading = stream::iter(reading).buffer_unordered(AT_ONCE);
        while let Some(read) = reading.next().await {
            if let Some((ingester, one)) = read? {
                seen.by.insert(ingester, one);
            }
        }
        Ok(own)
    }

    /// Reads a manifest and what it names, except for what is known already.
    async fn read(&self, ingester: String, old: Option<One>) -> Result<Option<(String, One)>, Error> {
        let name = kept::manifest(&ingester);
        // It may have gone since the list was made.
        let Some((bytes, tag)) = self.bucket.get(&name).await? else { return Ok(None) };
        let kept = Kept::read(&self.bucket, &name, &bytes)?;
        let (mut known_notes, mut known_tails, known_segments) = match old {
            Some(one) => (one.notes, one.tails, one.segments),
            None => (HashMap::new(), HashMap::new(), Vec::new()),
        };
        let known = |number: u64| known_segments.iter().find(|segment| segment.meta.number == number);
        let segments = kept.manifest.segments.iter().map(|meta| match known(meta.number) {
            Some(segment) => segment.clone(),
            None => Arc::new(shelf::segment(&ingester, meta.clone())),
        });
        let segments = segments.collect();
        let notes = kept.manifest.notes.iter().map(|number| {
            let (known, ingester) = (known_notes.remove(number), &ingester);
            async move {
                let notes = match known {
                    Some(notes) => notes,
                    None => Arc::new(shelf::notes(&self.bucket, ingester, *number).await?),
                };
                Ok::<_, Error>((*number, notes))
            }
        });
        let notes = stream::iter(notes.collect::<Vec<_>>()).buffered(AT_ONCE).try_collect().await?;
        let tails = kept.tails.iter().map(|tail| {
            let name = tail.name();
            let (known, ingester) = (known_tails.remove(&name), &ingester);
            async move {
                let part = match known {
                    Some(part) => part,
                    None => Arc::new(self.part(&kept::object(ingester, &name)).await?),
                };
                Ok::<_, Error>((name, part))
            }
        });
        let tails = stream::iter(tails.collect::<Vec<_>>()).buffered(AT_ONCE).try_collect().await?;
        Ok(Some((ingester, One { tag: Some(tag), kept, segments, notes, tails })))
    }

    async fn part(&self, name: &str) -> Result<Part, Error> {
        let bytes: Bytes = self.bucket.must_get(name).await?;
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

fn lock<T>(what: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Each is replaced whole.
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
