//! The guard, the PostgreSQL store and ingest, from outside.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fixture;
mod formats;
mod formats_documented;
mod generate;
mod ingest;
mod judge;
mod legitimate;
mod mutate;
mod oracle;
mod pg_append;
mod pg_harden;
mod pg_judge;
mod pg_knowledge;
mod pg_pool;
mod pg_query;
mod pg_tables;
mod pg_versions;
// The rig of the store's own tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
#[allow(dead_code, unused_imports)]
#[path = "../../../duru-store/tests/it/pg_server.rs"]
mod pg_server;
mod rules;
