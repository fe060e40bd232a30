//! Watching runs over HTTP: from a thread's log to the frames that clients read.

mod chronicle;
mod legacy;
mod lookout;
mod messages;
mod respond;
mod shapes;
pub(crate) mod sse;
mod tail;
pub(crate) mod thread;
pub(crate) mod v2;

pub(crate) use legacy::Wanted;
pub(crate) use lookout::{Lookout, Watcher, looking};
pub(crate) use respond::{Leave, Seen, Watch, as_stream, locate, only, wait, watch};
pub(crate) use shapes::says_something;
pub(crate) use tail::{Followed, Step, Tail};
