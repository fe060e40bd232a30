//! The embedded store from outside: what it keeps, what survives, what it answers.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bucket;
mod bucket_crash;
mod bucket_faults;
mod bucket_keeping;
mod bucket_lost;
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
mod s3_proxy;
mod seaweed;
mod ties;
// What the server's tests install with Python.
#[allow(dead_code)]
#[path = "../../../duru-server/tests/it/tools.rs"]
mod tools;
mod workers;

/// As the tools know it.
mod pg_server {
    pub(crate) use crate::postgres::skip;
}
