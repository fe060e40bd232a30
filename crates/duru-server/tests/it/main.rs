//! What the server and the graphs that it is tested with do, seen from outside.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used)]

mod fixtures;
