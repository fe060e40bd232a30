//! The analyst on a real PostgreSQL: by rules, with models, and through crashes.

mod durable;
mod models;
mod rules;
mod world;
