//! The embedded store from outside: what it keeps, what survives, what it answers.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod crash;
mod differential;
mod files;
mod keeping;
// The rig of the store's own tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
mod postgres;
mod questions;
mod rows;
mod ties;
