//! The guard, the PostgreSQL store and ingest, from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that can't go on has failed")]

mod judge;
mod legitimate;
mod mutate;
mod oracle;
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
mod rules;
