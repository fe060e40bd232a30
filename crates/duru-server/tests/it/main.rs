//! The server over real HTTP, in this process and on a store in memory.

#![allow(clippy::expect_used, reason = "a test that can't go on has failed")]

mod assistants;
mod client;
mod crons;
mod served;
mod store;
