//! The crate through its public surface. One binary, because each further one
//! costs a link.

// Clippy knows only the functions marked `#[test]` as tests, not their helpers.
#![allow(clippy::unwrap_used)]

mod agreement;
mod chunks;
mod input;
mod lists;
mod wire;
