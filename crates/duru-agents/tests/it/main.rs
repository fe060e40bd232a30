//! Integration tests of the agents.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that can't go on has failed")]

mod advisor;
