//! The bucket as the shelf of one ingester: segments and notes as objects, and a manifest that only it, and whoever
//! knows it as it is, replaces.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};

use duru_sql::{BucketTrouble, Error};
use object_store::path::Path as Key;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::ingester::{FAREWELL, closed};
use super::kept::{self, Kept};
use super::remote::{Bucket, Tag};
use crate::disk::{Change, Manifest, Meta, Notes, Published, Segment, Shelf, step};

/// So often others may be quicker.
const ATTEMPTS: usize = 32;

pub(super) struct BucketShelf(Arc<Inner>);

struct Inner {
    bucket: Arc<Bucket>,
    runtime: Handle,
    ingester: String,
    epoch: u64,
    opener: String,
    /// Where files are put while they come or go.
    spill: PathBuf,
    /// As it was last read or replaced; held while it is being replaced.
    current: tokio::sync::Mutex<Tag>,
    kept: Mutex<Arc<Kept>>,
    /// What queries see, which follows whenever the manifest is read anew.
    published: OnceLock<Arc<Published>>,
    /// The next turn of a merge.
    turn: AtomicU64,
    /// The process ends, and has no time for a bucket that is silent.
    closing: CancellationToken,
}

/// Who has opened the ingester, and what it kept then.
pub(super) struct Opened {
    pub(super) ingester: String,
    pub(super) kept: Kept,
    pub(super) tag: Tag,
}

impl BucketShelf {
    pub(super) fn new(bucket: Arc<Bucket>, runtime: Handle, opened: Opened, spill: PathBuf) -> Self {
        let Opened { ingester, kept, tag } = opened;
        Self(Arc::new(Inner {
            bucket,
            runtime,
            ingester,
            epoch: kept.epoch,
            opener: kept.opener.clone(),
            spill,
            current: tokio::sync::Mutex::new(tag),
            kept: Mutex::new(Arc::new(kept)),
            published: OnceLock::new(),
            turn: AtomicU64::new(0),
            closing: CancellationToken::new(),
        }))
    }

    pub(super) fn follow(&self, published: Arc<Published>) {
        drop(self.0.published.set(published));
    }

    /// What the bucket does from now on, nobody waits for any longer than a moment.
    pub(super) fn close(&self) {
        self.0.closing.cancel();
    }

    pub(super) fn ingester(&self) -> &str {
        &self.0.ingester
    }

    pub(super) fn epoch(&self) -> u64 {
        self.0.epoch
    }

    pub(super) fn kept(&self) -> Arc<Kept> {
        self.0.kept()
    }

    /// Changes more than the manifest. Whether it was changed.
    pub(super) async fn amend(&self, change: impl FnMut(&mut Kept) -> bool + Send) -> Result<bool, Error> {
        self.0.amend(change).await
    }

    /// Follows if the manifest in the bucket, by its tag, is not the one that is known.
    pub(super) async fn follow_if(&self, there: Option<&Tag>) -> Result<(), Error> {
        // Whoever is replacing it notices by itself.
        let Ok(mut tag) = self.0.current.try_lock() else { return Ok(()) };
        if there == Some(&*tag) {
            return Ok(());
        }
        self.0.load(&mut tag).await
    }

    /// For threads of their own: what the bucket does, they wait for.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let (done, waiting) = mpsc::sync_channel(1);
        let closing = self.0.closing.clone();
        self.0.runtime.spawn(async move {
            let late = async {
                closing.cancelled().await;
                tokio::time::sleep(FAREWELL).await;
            };
            tokio::select! {
                found = work => drop(done.send(found)),
                () = late => drop(done.send(Err(closed()))),
            }
        });
        waiting.recv().unwrap_or_else(|_| Err(closed()))
    }
}

impl Inner {
    fn kept(&self) -> Arc<Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, kept: Kept) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(kept);
    }

    async fn amend(
        self: &Arc<Self>,
        mut change: impl FnMut(&mut Kept) -> bool + Send,
    ) -> Result<bool, Error> {
        let mut tag = self.current.lock().await;
        for _ in 0..ATTEMPTS {
            let before = self.kept();
            let mut next = Kept::clone(&before);
            if !change(&mut next) {
                return Ok(false);
            }
            next.settle(&before);
            let text = next.text()?;
            let name = kept::manifest(&self.ingester);
            if let Some(new) = self.bucket.replace(&name, text.into(), Some(&tag)).await? {
                *tag = new;
                self.set(next);
                step();
                return Ok(true);
            }
            self.load(&mut tag).await?;
            // It was replaced after all, and only the answer was lost.
            if *self.kept() == next {
                return Ok(true);
            }
        }
        Err(self.bucket.error(BucketTrouble::Busy, "others replace the manifest all the time"))
    }

    /// Reads what there is now, and follows.
    async fn load(self: &Arc<Self>, tag: &mut Tag) -> Result<(), Error> {
        let name = kept::manifest(&self.ingester);
        let Some((bytes, found)) = self.bucket.get(&name).await? else {
            return Err(self.bucket.error(BucketTrouble::Emptied, name));
        };
        if found == *tag {
            return Ok(());
        }
        let kept = Kept::read(&self.bucket, &name, &bytes)?;
        if (kept.epoch, &kept.opener) != (self.epoch, &self.opener) {
            return Err(self.bucket.error(BucketTrouble::Copied, name));
        }
        *tag = found;
        self.set(kept);
        if let Some(published) = self.published.get() {
            let shelf = BucketShelf(self.clone());
            published.change(|version| version.follow(&shelf));
        }
        Ok(())
    }
}

impl Shelf for BucketShelf {
    fn manifest(&self) -> Manifest {
        self.0.kept().manifest.clone()
    }

    fn change(&self, mut change: Change) -> Result<bool, Error> {
        let inner = self.0.clone();
        self.wait(async move { inner.amend(move |kept| change(&mut kept.manifest)).await })
    }

    fn number(&self, log: u64) -> u64 {
        kept::numbered(log, self.0.epoch)
    }

    fn turn(&self, known: u64) -> u64 {
        let tried = self.0.turn.fetch_max(known, Ordering::Relaxed).max(known);
        self.0.turn.store(tried + 1, Ordering::Relaxed);
        tried
    }

    fn keep_segment(&self, written: &Path, number: u64) -> Result<(), Error> {
        let (inner, file) = (self.0.clone(), written.to_owned());
        let name = kept::object(&inner.ingester, &kept::segment(number));
        self.wait(async move { inner.bucket.upload(&name, &file).await })?;
        // If it stays, the next start removes it.
        drop(std::fs::remove_file(written));
        Ok(())
    }

    fn segment(&self, meta: Meta) -> Segment {
        segment(&self.0.ingester, meta)
    }

    fn rows(&self, segment: &Segment) -> Result<File, Error> {
        let cant =
            |e: std::io::Error| Error::Unavailable { reason: format!("{}: {e}", self.0.spill.display()) };
        let file = tempfile::NamedTempFile::new_in(&self.0.spill).map_err(cant)?;
        let (inner, path) = (self.0.clone(), file.path().to_owned());
        let name = segment.key.to_string();
        self.wait(async move { inner.bucket.download(&name, &path).await })?;
        file.reopen().map_err(cant)
    }

    fn save_notes(&self, notes: &Notes, number: u64) -> Result<(), Error> {
        let body = serde_json::to_vec(notes).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
        let inner = self.0.clone();
        let name = kept::object(&inner.ingester, &kept::notes(number));
        self.wait(async move { inner.bucket.put(&name, body).await })
    }

    fn notes(&self, number: u64) -> Result<Notes, Error> {
        let inner = self.0.clone();
        self.wait(async move { notes(&inner.bucket, &inner.ingester, number).await })
    }
}

pub(super) fn segment(ingester: &str, meta: Meta) -> Segment {
    let key = Key::from(kept::object(ingester, &kept::segment(meta.number)));
    Segment::new(meta, key, None)
}

pub(super) async fn notes(bucket: &Bucket, ingester: &str, number: u64) -> Result<Notes, Error> {
    let name = kept::object(ingester, &kept::notes(number));
    let bytes = bucket.must_get(&name).await?;
    serde_json::from_slice(&bytes).map_err(|_| bucket.error(BucketTrouble::Damaged, name))
}
