//! The files of a store.
//!
//! A frame of the write-ahead log is acknowledged after its fsync. When the log is
//! long enough, a new one is begun and the old one becomes a Parquet segment; the
//! manifest, replaced by a rename, says which segments count and from which log on
//! frames are not in any of them. So a crash at any place loses and doubles nothing.
//! Small segments are merged when nobody writes, or when there are very many.

mod compact;
mod copy;
mod folder;
mod frame;
mod manifest;
mod progress;
mod promise;
mod recover;
mod request;
mod sealer;
mod segment;
mod shelf;
mod tail;
mod version;
mod writer;
mod writing;

pub(crate) use compact::MERGED;
pub use copy::copy_folder;
pub(crate) use folder::Folder;
pub(crate) use frame::tail_content;
pub(crate) use manifest::{FORMAT, Manifest, Meta, Notes, with_sum, without_sum};
pub(crate) use progress::Progress;
pub(crate) use recover::{highest_id, recover};
pub(crate) use request::{Append, Command};
pub(crate) use sealer::{LEFT, days_ago};
pub(crate) use segment::{Segment, times};
pub(crate) use shelf::{Change, FolderShelf, Shelf};
pub(crate) use tail::{Acknowledged, Next, Place, Tail};
pub(crate) use version::{Published, Version, chained};
pub(crate) use writer::Writer;

/// A place where a crash sweep ends the process.
pub(crate) fn step() {
    #[cfg(any(test, feature = "testkit"))]
    crate::testkit::crash::step();
}
