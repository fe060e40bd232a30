//! Ships what of the log is on this disk alone: as one object with all of it that is not much larger elsewhere yet, so
//! that a log is never in more than a few parts.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::Duration;

use duru_sql::{BucketTrouble, Error};

use super::kept::{self, Shipped};
use super::remote::Bucket;
use super::shelf::BucketShelf;
use crate::disk::{Folder, Next, Place, Progress, Tail, step};

/// The first pause after a failure, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(10));

pub(super) struct Shipper {
    pub(super) bucket: Arc<Bucket>,
    pub(super) shelf: Arc<BucketShelf>,
    pub(super) folder: Arc<Folder>,
    pub(super) tail: Arc<Tail>,
    pub(super) progress: Arc<Progress>,
    /// How old a line may become that is on this disk alone.
    pub(super) after: Duration,
}

impl Shipper {
    /// Works until the tail is closed and empty, or can't be emptied.
    pub(super) async fn run(self) {
        let (first, longest) = PAUSES;
        let mut pause = first;
        while let Next::Ship(until) = self.tail.due(self.after).await {
            match self.ship(until).await {
                Ok(()) => {
                    self.tail.shipped(until);
                    pause = first;
                }
                Err(e) => {
                    let passes = !matches!(&e, Error::Bucket { trouble, .. } if !trouble.may_pass());
                    if !passes {
                        self.progress.give_up(e.clone());
                    }
                    self.tail.failed(&e);
                    // Closed: what is left goes at the next start.
                    if !passes || !self.tail.pause(pause).await {
                        return;
                    }
                    pause = (pause * 2).min(longest);
                }
            }
        }
    }

    async fn ship(&self, until: Place) -> Result<(), Error> {
        let (shipped, _) = self.tail.place();
        for log in shipped.log..=until.log {
            let to = if log == until.log { Some(until.offset) } else { None };
            self.ship_log(log, to).await?;
        }
        Ok(())
    }

    /// A log up to an offset, or whole; nothing of one that is sealed.
    async fn ship_log(&self, log: u64, to: Option<u64>) -> Result<(), Error> {
        let kept = self.shelf.kept();
        if log < kept.manifest.first_wal {
            return Ok(());
        }
        let mut parts: Vec<&Shipped> = kept.tails.iter().filter(|part| part.log == log).collect();
        parts.sort_by_key(|part| part.from);
        let there = parts.last().map_or(0, |part| part.to);
        let (folder, path) = (self.folder.clone(), self.folder.wal(log));
        let size = move || std::fs::metadata(folder.wal(log)).map(|found| found.len());
        let to = match to {
            Some(to) => to,
            None => match size() {
                Ok(size) => size,
                // Sealed meanwhile.
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                Err(e) => return Err(Error::Unavailable { reason: format!("{}: {e}", path.display()) }),
            },
        };
        if to <= there {
            return Ok(());
        }
        // Those before it that are no larger go with it: as in a binary counter, few are left.
        let mut from = there;
        while let Some(part) = parts.pop()
            && !part.dropped
            && part.to - part.from <= to - from
        {
            from = part.from;
        }
        let read = tokio::task::spawn_blocking(move || {
            let mut file = std::fs::File::open(&path)?;
            file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(to - from).read_to_end(&mut bytes)?;
            Ok::<_, std::io::Error>(bytes)
        });
        let bytes = match read.await.map_err(std::io::Error::other).and_then(|read| read) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(Error::Unavailable { reason: format!("the log {log} can't be read: {e}") }),
        };
        if (bytes.len() as u64) < to - from {
            return Err(self
                .bucket
                .error(BucketTrouble::Copied, format!("the log {log} is shorter than it was")));
        }
        let part = Shipped { epoch: self.shelf.epoch(), log, from, to, dropped: false };
        step();
        self.bucket.put(&kept::object(self.shelf.ingester(), &part.name()), bytes).await?;
        step();
        self.shelf
            .amend(|kept| {
                if log < kept.manifest.first_wal {
                    return false;
                }
                kept.tails.retain(|tail| tail.log != log || tail.from < from);
                kept.tails.push(part.clone());
                true
            })
            .await
            .map(drop)
    }
}
