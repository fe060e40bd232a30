//! The analyst on a real PostgreSQL: by rules, with models, and through crashes.

mod consulted;
mod durable;
mod kept;
mod models;
mod rules;
mod spoken;
mod turned;
pub(crate) mod world;
