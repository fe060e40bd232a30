//! The agents: what they understand by rules, their decisions over the fake provider's wire, and what a run keeps of them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // In helpers too: a test that cannot go on has failed.

mod advisor;
mod decided;
mod prompts;
mod query_router;
mod real_model;
mod snapshot;
