//! Whether a bucket does what a store needs, for whoever looks after it.

use duru_sql::{BucketTrouble, Error};

use super::address::BucketAddress;
use super::identity::random;
use super::remote::Bucket;

/// Reads, and unless it is only read, writes, replaces and removes an object; each only where it is as it was.
///
/// # Errors
/// [`Error::Bucket`] with what it does not do.
pub async fn probe_bucket(address: &BucketAddress) -> Result<(), Error> {
    let bucket = Bucket::open(address)?;
    bucket.list("manifests").await?;
    if address.is_read_only() {
        return Ok(());
    }
    let name = format!("probe-{}", random()?);
    let probed = conditions(&bucket, &name).await;
    let removed = bucket.remove(&name).await;
    probed.and(removed)
}

async fn conditions(bucket: &Bucket, name: &str) -> Result<(), Error> {
    let careless = |what: &str| bucket.error(BucketTrouble::Unconditional, what);
    let Some(first) = bucket.replace(name, "1".into(), None).await? else {
        return Err(careless("If-None-Match"));
    };
    if bucket.replace(name, "2".into(), None).await?.is_some() {
        return Err(careless("If-None-Match"));
    }
    if bucket.replace(name, "3".into(), Some(&first)).await?.is_none() {
        return Err(careless("If-Match"));
    }
    if bucket.replace(name, "4".into(), Some(&first)).await?.is_some() {
        return Err(careless("If-Match"));
    }
    Ok(())
}
