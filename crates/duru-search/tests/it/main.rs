//! Ingest, index and retrieval, from outside.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod desk;
mod index;
mod ingest;
mod law;
mod retrieve;
mod sample;
