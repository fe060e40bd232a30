//! Ingest, index and retrieval, from outside.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod access;
mod blind;
mod contract;
mod desk;
mod everyday;
mod hashed;
mod index;
mod ingest;
mod law;
// The rig of the store's own tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
mod pg_vector;
mod private;
mod remarks;
mod retrieve;
mod sample;
mod tuned;
