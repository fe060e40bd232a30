//! The agents: what they understand by rules, their decisions over the fake provider's wire, and what a run keeps of them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that can't go on has failed")]

mod advisor;
mod analyst;
mod asking;
mod decided;
mod every_decision;
mod foreign_tables;
mod forms;
mod oracle;
mod paraphrases;
// The rig of the store's own tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
#[allow(dead_code, unused_imports)]
#[path = "../../../duru-store/tests/it/pg_server.rs"]
mod pg_server;
mod prompts;
mod query_router;
// The example program uses more of it.
#[allow(dead_code)]
mod questions;
mod real_model;
mod researcher;
mod snapshot;
mod support;
mod understanding;
