//! Lines that a process of this machine had on its disk alone when it ended: whoever comes next brings them in, though it
//! has a folder of its own.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use duru_sql::Error;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::address::BucketAddress;
use super::identity::{self, Identity};
use super::ingester::{Ingester, closed};
use super::remote::Bucket;
use crate::Options;
use crate::disk::{Command, Folder};

pub(super) struct Left {
    pub(super) bucket: Arc<Bucket>,
    pub(super) address: BucketAddress,
    pub(super) runtime: Handle,
    pub(super) options: Options,
    pub(super) stop: CancellationToken,
}

impl Left {
    /// On a thread of its own: whoever closes an ingester waits. None if there can't be one: then the next start does it.
    pub(super) fn bring_in(self) -> Option<JoinHandle<()>> {
        thread::Builder::new().name("logs-left".into()).spawn(move || self.all()).ok()
    }

    fn all(&self) {
        for claimed in identity::left_behind(&self.address) {
            // What fails is on the disk as before, and the next start tries again.
            drop(self.runtime.block_on(self.stop.run_until_cancelled(self.one(claimed))));
        }
    }

    async fn one(&self, claimed: (Arc<Folder>, Identity)) -> Result<(), Error> {
        let Self { bucket, address, runtime, options, .. } = self;
        let ingester = Ingester::of(claimed, bucket.clone(), address, runtime, options).await?;
        let (reply, done) = oneshot::channel();
        ingester.writer()?.send(Command::Seal { reply }).await?;
        done.await.map_err(|_| closed())?
    }
}
