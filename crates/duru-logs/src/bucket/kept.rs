//! What one ingester keeps in the bucket: its manifest, and the objects that it names.

use std::collections::BTreeSet;

use duru_sql::{BucketTrouble, Error};
use serde::{Deserialize, Serialize};

use super::remote::Bucket;
use crate::disk::{FORMAT, Manifest, with_sum, without_sum};

/// Manifests are here, one for each ingester.
pub(super) const MANIFESTS: &str = "manifests";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// How often the ingester's folder was opened. Names of objects hold it, so that one that is still written by
    /// somebody who has lost the folder is never taken for another.
    pub(super) epoch: u64,
    /// Who opened it the last time.
    pub(super) opener: String,
    /// How often this was replaced.
    pub(super) serial: u64,
    pub(super) manifest: Manifest,
    /// Parts of logs that are not sealed yet.
    pub(super) tails: Vec<Shipped>,
    /// What nothing refers to any more, and somebody may still be reading.
    pub(super) garbage: Vec<String>,
}

/// A part of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shipped {
    pub(super) epoch: u64,
    pub(super) log: u64,
    pub(super) from: u64,
    pub(super) to: u64,
    /// All its lines were too old, and it is no longer there. It still says how far the log was shipped, so that
    /// nobody ships it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) dropped: bool,
}

impl Shipped {
    pub(super) fn name(&self) -> String {
        format!("tail-{:08}-{:010}-{:010}.e{}", self.log, self.from, self.to, self.epoch)
    }
}

pub(super) fn manifest(ingester: &str) -> String {
    format!("{MANIFESTS}/{ingester}.json")
}

/// The ingester whose manifest it is.
pub(super) fn ingester_of(name: &str) -> Option<&str> {
    name.strip_prefix(MANIFESTS)?.strip_prefix('/')?.strip_suffix(".json")
}

/// Where an ingester's objects are.
pub(super) fn folder(ingester: &str) -> String {
    format!("data/{ingester}")
}

pub(super) fn object(ingester: &str, name: &str) -> String {
    format!("data/{ingester}/{name}")
}

pub(super) fn segment(number: u64) -> String {
    format!("seg-{number:08}.parquet")
}

pub(super) fn notes(number: u64) -> String {
    format!("notes-{number:08}.json")
}

/// Numbers of objects hold the epoch above the numbers of logs, of merged segments and of what is left of dropped ones.
const EPOCH: u32 = 44;

pub(super) fn numbered(number: u64, epoch: u64) -> u64 {
    number | (epoch << EPOCH)
}

/// The opening of the ingester that an object is from.
pub(super) fn epoch_of(name: &str) -> Option<u64> {
    if let Some(part) = name.strip_prefix("tail-") {
        return part.rsplit_once(".e")?.1.parse().ok();
    }
    let segment = name.strip_prefix("seg-").and_then(|name| name.strip_suffix(".parquet"));
    let notes = || name.strip_prefix("notes-").and_then(|name| name.strip_suffix(".json"));
    let number: u64 = segment.or_else(notes)?.parse().ok()?;
    Some(number >> EPOCH)
}

impl Kept {
    pub(super) fn new(opener: String) -> Self {
        let (manifest, tails, garbage) = (Manifest::new(), Vec::new(), Vec::new());
        Self { epoch: 1, opener, serial: 1, manifest, tails, garbage }
    }

    pub(super) fn read(bucket: &Bucket, name: &str, bytes: &[u8]) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Formed {
            manifest: Form,
        }
        #[derive(Deserialize)]
        struct Form {
            format: u32,
        }
        let damaged = || bucket.error(BucketTrouble::Damaged, name);
        let body = std::str::from_utf8(bytes).ok().and_then(without_sum).ok_or_else(damaged)?;
        let formed: Formed = serde_json::from_str(body).map_err(|_| damaged())?;
        if formed.manifest.format != FORMAT {
            return Err(bucket.error(BucketTrouble::Newer, name));
        }
        serde_json::from_str(body).map_err(|_| damaged())
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        with_sum(self)
    }

    /// The objects that it refers to.
    pub(super) fn objects(&self) -> BTreeSet<String> {
        let segments = self.manifest.segments.iter().map(|meta| segment(meta.number));
        let notes = self.manifest.notes.iter().map(|number| notes(*number));
        segments.chain(notes).chain(self.parts().map(Shipped::name)).collect()
    }

    /// The parts of logs that are there.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Shipped> {
        self.tails.iter().filter(|part| !part.dropped)
    }

    /// After a change: what is sealed needs no tail, and what is referred to no longer is garbage.
    pub(super) fn settle(&mut self, before: &Self) {
        let first = self.manifest.first_wal;
        self.tails.retain(|tail| tail.log >= first);
        let now = self.objects();
        // What somebody dropped and its ingester has put there once more.
        self.garbage.retain(|name| !now.contains(name));
        self.garbage.extend(before.objects().into_iter().filter(|name| !now.contains(name)));
        self.serial = before.serial + 1;
    }
}
