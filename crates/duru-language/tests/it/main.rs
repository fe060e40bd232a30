//! What the crate promises, from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod amounts;
mod calendar;
mod classes;
mod lexicons;
mod phrases;
mod properties;
mod readers;
