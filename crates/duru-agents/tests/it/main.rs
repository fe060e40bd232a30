//! What the agents understand and do, seen from outside.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accuracy;
// The rig of the store's own tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
mod questions;
mod understanding;
