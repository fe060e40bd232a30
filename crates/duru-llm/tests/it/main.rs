//! The models over the fake provider's real wire.

#![allow(clippy::unwrap_used, clippy::expect_used)] // In helpers too: a test that cannot go on has failed.

#[path = "../../../duru-store/tests/it/counts.rs"]
mod counts;
mod decisions;
mod embeddings;
mod faults;
mod kept;
mod keys;
mod many;
mod models;
mod policies;
mod prompts;
mod questions;
mod replies;
mod resilience;
mod speed;
mod support;
mod thinking;
mod timeouts;
mod traces;
