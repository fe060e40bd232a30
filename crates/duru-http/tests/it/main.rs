//! Requests over real connections: through proxies, to servers with certificates of their own, and to nowhere inside.

#![allow(clippy::unwrap_used)] // In helpers too: a test that cannot go on has failed.

mod certificates;
mod private;
mod proxies;
mod support;
