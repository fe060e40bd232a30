//! A store in object storage, which any number of processes read and take lines in for.
//!
//! Each ingester has a manifest of its own, replaced only by who knows it as it is (`If-Match`), and objects that never
//! change: segments, notes, and parts of its write-ahead log. Readers read all manifests and ask nobody for a lock. What is
//! acknowledged and not in the bucket yet is in the write-ahead log on the ingester's disk, as in a store in a folder.

mod address;
mod copy;
mod foreign;
mod identity;
mod ids;
mod ingester;
mod kept;
mod left;
mod merged;
mod probe;
mod remote;
mod shelf;
mod ship;
mod store;
mod sweep;
mod trouble;
mod view;

pub use address::{AddressError, BucketAddress};
pub use copy::{copy_bucket, fill_bucket};
pub use left::NotBroughtIn;
pub use probe::probe_bucket;
pub use store::{BucketLogs, Unshipped};
pub(crate) use trouble::trouble;
