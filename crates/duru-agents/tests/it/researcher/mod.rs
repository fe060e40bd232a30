//! The researcher on documents in memory: by rules, with models, and through crashes.

mod durable;
mod models;
mod remarks;
mod rules;
mod spoken;
mod turned;
mod web;
pub(crate) mod world;
