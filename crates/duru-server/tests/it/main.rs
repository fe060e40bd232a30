//! What the server and the graphs that it is tested with do, seen from outside.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod assistants;
mod client;
mod crons;
mod fixtures;
mod openapi;
mod served;
mod store;
