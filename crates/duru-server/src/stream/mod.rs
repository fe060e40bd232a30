//! Watching runs over HTTP: from a thread's log to the frames that clients read.

mod legacy;
mod messages;
mod respond;
mod shapes;
pub(crate) mod sse;
mod tail;

pub(crate) use legacy::Legacy;
pub(crate) use respond::{Watch, wait, watch};
pub(crate) use tail::{Step, Tail, ended_elsewhere};
