//! A bucket as a folder, and a folder as a bucket: for copies, and for whoever moves from one to the other.

use std::io;
use std::path::Path;
use std::time::Duration;

use duru_sql::{BucketTrouble, Error};
use jiff::Timestamp;

use super::address::BucketAddress;
use super::identity::random;
use super::ids::{self, Given};
use super::kept::{self, Kept, MANIFESTS, Shipped};
use super::remote::Bucket;
use super::view::View;
use crate::disk::{Folder, LEFT, MERGED, Manifest, Notes, chained, highest_id, tail_content, with_sum};

/// So often others may change the bucket under our hands.
const ATTEMPTS: usize = 5;

/// Copies what is in a bucket into an empty folder, which is then a store of its own.
///
/// # Errors
/// If an object can't be read or a file not written.
pub async fn copy_bucket(address: &BucketAddress, to: &Path) -> Result<(), Error> {
    let bucket = std::sync::Arc::new(Bucket::open(address)?);
    let mut last = Ok(());
    for _ in 0..ATTEMPTS {
        std::fs::create_dir_all(to).map_err(|e| cant(to, &e))?;
        last = Copying::of(&bucket, to).await;
        // Dropped or merged between the list and the copy.
        if !matches!(&last, Err(Error::Bucket { trouble: BucketTrouble::Emptied, .. })) {
            return last;
        }
        std::fs::remove_dir_all(to).map_err(|e| cant(to, &e))?;
    }
    last
}

struct Copying<'a> {
    bucket: &'a Bucket,
    folder: Folder,
    manifest: Manifest,
    /// Notes of no segment.
    left: u64,
    logs: u64,
}

impl<'a> Copying<'a> {
    async fn of(bucket: &'a std::sync::Arc<Bucket>, to: &Path) -> Result<(), Error> {
        let view = View::new(bucket.clone());
        view.look(Duration::ZERO).await?;
        let folder = Folder::open(to)?;
        let mut copying = Self { bucket, folder, manifest: Manifest::new(), left: 0, logs: 0 };
        let all = view.manifests().await;
        // What goes soonest first: parts of logs are garbage as soon as the next part is shipped.
        for (ingester, kept) in &all {
            copying.tails(ingester, kept).await?;
        }
        let mut files = Vec::new();
        for (ingester, kept) in &all {
            files.extend(copying.one(ingester, kept).await?);
        }
        for (name, number) in files {
            bucket.download(&name, &copying.folder.segment(number)).await?;
        }
        let given = ids::read(bucket).await?.map(|(given, _)| given.next);
        let mut manifest = copying.manifest;
        manifest.next_id = manifest.next_id.max(given.unwrap_or(1));
        manifest.drops = manifest.drops.max(copying.left);
        manifest.save(&copying.folder)
    }

    /// Copies notes. The segments that are to follow, and under which number.
    async fn one(&mut self, ingester: &str, kept: &Kept) -> Result<Vec<(String, u64)>, Error> {
        let now = &kept.manifest;
        self.manifest.changes += now.changes;
        self.manifest.chain = chained(self.manifest.chain, now.chain);
        self.manifest.drops += now.drops;
        self.manifest.next_id = self.manifest.next_id.max(now.next_id);
        let mut files = Vec::new();
        for meta in &now.segments {
            let number = MERGED + self.manifest.merges;
            self.manifest.merges += 1;
            files.push((kept::object(ingester, &kept::segment(meta.number)), number));
            if now.notes.contains(&meta.number) {
                self.notes(ingester, meta.number, number).await?;
            }
            self.manifest.segments.push(crate::disk::Meta { number, ..meta.clone() });
        }
        for &number in &now.notes {
            if !now.segments.iter().any(|meta| meta.number == number) {
                let new = LEFT + self.left;
                self.left += 1;
                self.notes(ingester, number, new).await?;
            }
        }
        Ok(files)
    }

    async fn notes(&mut self, ingester: &str, number: u64, new: u64) -> Result<(), Error> {
        let bytes = self.bucket.must_get(&kept::object(ingester, &kept::notes(number))).await?;
        let path = self.folder.notes(new);
        self.folder.put(&path, &bytes).map_err(|e| cant(&path, &e))?;
        self.manifest.notes.push(new);
        Ok(())
    }

    /// What is not sealed becomes a log.
    async fn tails(&mut self, ingester: &str, kept: &Kept) -> Result<(), Error> {
        let mut parts: Vec<&Shipped> = kept.parts().collect();
        parts.sort_by_key(|part| (part.log, part.from));
        let mut log = Vec::new();
        for part in parts {
            log.extend(self.bucket.must_get(&kept::object(ingester, &part.name())).await?);
        }
        if log.is_empty() {
            return Ok(());
        }
        self.logs += 1;
        let path = self.folder.wal(self.logs);
        std::fs::write(&path, log).map_err(|e| cant(&path, &e))
    }
}

/// Puts a store in a folder into a bucket. What is there is moved aside within it; where to, if there was something.
///
/// # Errors
/// If a file can't be read or an object not written.
pub async fn fill_bucket(from: &Path, address: &BucketAddress) -> Result<Option<String>, Error> {
    let bucket = Bucket::open(address)?;
    let folder = Folder::open(from)?;
    let ingester = random()?;
    let mut kept = Kept::new(random()?);
    let mut manifest = Manifest::load(&folder)?;
    for meta in &mut manifest.segments {
        let file = folder.segment(meta.number);
        meta.number = kept::numbered(meta.number, kept.epoch);
        bucket.upload(&kept::object(&ingester, &kept::segment(meta.number)), &file).await?;
    }
    for number in &mut manifest.notes {
        let notes = Notes::load(&folder, *number)?;
        *number = kept::numbered(*number, kept.epoch);
        let body = serde_json::to_vec(&notes).map_err(|e| cant(from, &e.into()))?;
        bucket.put(&kept::object(&ingester, &kept::notes(*number)), body).await?;
    }
    for log in folder.wals()?.into_iter().filter(|log| *log >= manifest.first_wal) {
        let path = folder.wal(log);
        let mut bytes = std::fs::read(&path).map_err(|e| cant(&path, &e))?;
        let mut rows = 0;
        let next = &mut manifest.next_id;
        let sound = tail_content(
            &bytes,
            |_, batch| {
                rows += batch.num_rows();
                *next = (*next).max(highest_id(&batch).saturating_add(1));
            },
            |_| {},
        );
        let sound =
            sound.ok_or_else(|| Error::Corrupt { reason: format!("{} can't be read", path.display()) })?;
        bytes.truncate(sound);
        if sound > 0 {
            let part = Shipped { epoch: kept.epoch, log, from: 0, to: sound as u64, dropped: false };
            bucket.put(&kept::object(&ingester, &part.name()), bytes).await?;
            kept.tails.push(part);
        }
    }
    // Only now: until everything is there, what is there counts.
    let aside = put_aside(&bucket).await?;
    let given = Given::all_to(&ingester, manifest.next_id);
    if bucket.replace(ids::NAME, with_sum(&given)?.into(), None).await?.is_none() {
        return Err(bucket.error(BucketTrouble::Busy, "somebody else writes there"));
    }
    kept.manifest = manifest;
    bucket.replace(&kept::manifest(&ingester), kept.text()?.into(), None).await?;
    Ok(aside)
}

/// Manifests, without which nothing else counts, and what ids are given.
async fn put_aside(bucket: &Bucket) -> Result<Option<String>, Error> {
    let mut there: Vec<String> =
        bucket.list(MANIFESTS).await?.into_iter().map(|object| object.name).collect();
    if bucket.get(ids::NAME).await?.is_some() {
        there.push(ids::NAME.to_owned());
    }
    if there.is_empty() {
        return Ok(None);
    }
    let aside = format!("before-restore-{}", Timestamp::now().strftime("%Y%m%dT%H%M%S%6f"));
    for name in &there {
        let bytes = bucket.must_get(name).await?;
        bucket.put(&format!("{aside}/{name}"), bytes).await?;
    }
    for name in &there {
        bucket.remove(name).await?;
    }
    Ok(Some(aside))
}

fn cant(path: &Path, e: &io::Error) -> Error {
    Error::Unavailable { reason: format!("{}: {e}", path.display()) }
}
