//! What a process needs to take lines in: a folder of its own for those that are not in the bucket yet, and ids.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use duru_sql::{BucketTrouble, Error};
use tokio::runtime::Handle;

use super::address::BucketAddress;
use super::identity::{self, Identity};
use super::ids::Ids;
use super::kept::Kept;
use super::remote::Bucket;
use super::shelf::BucketShelf;
use super::ship::Shipper;
use crate::Options;
use crate::disk::{Acknowledged, Folder, Place, Tail, Writer, recover};

/// So long a process that ends waits for what is on its disk alone to be shipped.
pub(super) const FAREWELL: Duration = Duration::from_secs(5);

pub(super) struct Ingester {
    /// None only while it is being dropped.
    writer: Option<Writer>,
    pub(super) ids: Ids,
    pub(super) tail: Arc<Tail>,
    pub(super) shelf: Arc<BucketShelf>,
    /// Told when nothing is shipped any more.
    shipped: Mutex<mpsc::Receiver<()>>,
}

impl Ingester {
    /// Goes on where a folder's log ends, or begins a new one.
    pub(super) async fn open(
        bucket: Arc<Bucket>,
        address: &BucketAddress,
        runtime: &Handle,
        options: &Options,
    ) -> Result<Self, Error> {
        let named = address.clone();
        let claimed = off(move || identity::claim(&named)).await?;
        Self::of(claimed, bucket, address, runtime, options).await
    }

    /// In a folder that this process has.
    pub(super) async fn of(
        (folder, identity): (Arc<Folder>, Identity),
        bucket: Arc<Bucket>,
        address: &BucketAddress,
        runtime: &Handle,
        options: &Options,
    ) -> Result<Self, Error> {
        let opened = identity.register(&bucket, &folder).await?;
        let shelf = Arc::new(BucketShelf::new(bucket.clone(), runtime.clone(), opened, folder.spill()));
        let (of, on) = (folder.clone(), shelf.clone());
        let (recovered, written) = off(move || {
            let recovered = recover(of, &*on)?;
            let end = recovered.end()?;
            Ok((recovered, end))
        })
        .await?;
        let ids = Ids::open(bucket.clone(), shelf.ingester(), recovered.next_id()).await?;
        let shipped = shipped(&shelf.kept());
        if shipped > written {
            let detail = format!("{} is older than what was shipped from it", folder.path().display());
            return Err(bucket.error(BucketTrouble::Copied, detail));
        }
        let when = if address.ship.is_zero() { Acknowledged::There } else { Acknowledged::Here };
        let tail = Arc::new(Tail::new(when, (shipped, written), recovered.rows()));
        let writer = Writer::start(recovered, shelf.clone(), Some(tail.clone()), options)?;
        shelf.follow(writer.published.clone());
        let shipper = Shipper {
            bucket,
            shelf: shelf.clone(),
            folder,
            tail: tail.clone(),
            progress: writer.progress.clone(),
            after: address.ship,
        };
        let (ends, shipped) = mpsc::channel::<()>();
        runtime.spawn(async move {
            shipper.run().await;
            drop(ends);
        });
        Ok(Self { writer: Some(writer), ids, tail, shelf, shipped: Mutex::new(shipped) })
    }

    pub(super) fn writer(&self) -> Result<&Writer, Error> {
        self.writer.as_ref().ok_or_else(closed)
    }
}

impl Drop for Ingester {
    fn drop(&mut self) {
        self.shelf.close();
        // It has said of every request what came of it.
        drop(self.writer.take());
        self.tail.close();
        // What does not get there is on this disk, and goes at the next start.
        let shipped = self.shipped.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ended = shipped.recv_timeout(FAREWELL);
    }
}

pub(super) fn closed() -> Error {
    Error::Unavailable { reason: "the store has been closed".into() }
}

/// Where waiting for a disk is allowed.
async fn off<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|e| Err(Error::Unavailable { reason: e.to_string() }))
}

/// How far the logs are in the bucket.
fn shipped(kept: &Kept) -> Place {
    let parts = kept.tails.iter().map(|part| Place { log: part.log, offset: part.to });
    parts.max().unwrap_or(Place { log: kept.manifest.first_wal, offset: 0 })
}
