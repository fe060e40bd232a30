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
mod recover;
mod sealer;
mod segment;
mod version;
mod writer;

pub use copy::copy_folder;
pub(crate) use recover::recover;
pub(crate) use sealer::days_ago;
pub(crate) use segment::{Segment, times};
pub(crate) use version::Version;
pub(crate) use writer::{Append, Command, Writer};

/// A place where the crash sweep ends the process.
fn step() {
    #[cfg(any(test, feature = "testkit"))]
    crate::testkit::crash::step();
}
