//! The researcher on documents in memory: by rules, with models, and through crashes.

mod durable;
mod models;
mod remarks;
mod rules;
mod turned;
mod web;
mod world;
