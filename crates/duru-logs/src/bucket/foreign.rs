//! Changes to what another ingester keeps. It notices when it replaces its manifest the next time, and follows.

use std::collections::HashMap;

use duru_sql::{BucketTrouble, Error};

use super::kept::{self, Kept};
use super::remote::Bucket;

const ATTEMPTS: usize = 32;

/// Changes an ingester's manifest, unless the change returns false or there is none.
pub(super) async fn amend(
    bucket: &Bucket,
    ingester: &str,
    mut change: impl FnMut(&mut Kept) -> bool,
) -> Result<bool, Error> {
    let name = kept::manifest(ingester);
    for _ in 0..ATTEMPTS {
        let Some((bytes, tag)) = bucket.get(&name).await? else { return Ok(false) };
        let before = Kept::read(bucket, &name, &bytes)?;
        let mut next = before.clone();
        if !change(&mut next) {
            return Ok(false);
        }
        next.settle(&before);
        if bucket.replace(&name, next.text()?.into(), Some(&tag)).await?.is_some() {
            return Ok(true);
        }
    }
    Err(bucket.error(BucketTrouble::Busy, "others replace the manifest all the time"))
}

/// Drops segments of which all lines are from before that time, and these parts of its log, by their lines. How many rows
/// went.
pub(super) async fn retain(
    bucket: &Bucket,
    ingester: &str,
    before: i64,
    parts: &HashMap<String, u64>,
) -> Result<u64, Error> {
    let mut gone = 0;
    let dropped = amend(bucket, ingester, |kept| {
        let old = |meta: &crate::disk::Meta| meta.times.1 < before;
        let segments = kept.manifest.segments.iter().filter(|meta| old(meta)).map(|meta| meta.rows);
        gone = segments.sum();
        kept.manifest.segments.retain(|meta| !old(meta));
        for part in kept.tails.iter_mut().filter(|part| !part.dropped) {
            if let Some(rows) = parts.get(&part.name()) {
                part.dropped = true;
                gone += rows;
            }
        }
        kept.manifest.drops += u64::from(gone > 0);
        gone > 0
    });
    Ok(if dropped.await? { gone } else { 0 })
}
