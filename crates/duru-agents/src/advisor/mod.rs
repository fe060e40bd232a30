//! The advisor: a consultant for Korean real estate.
//!
//! What is here so far needs no model and does no IO: [`understand`] reads a
//! question, [`sufficiency`] judges whether what a conversation already holds
//! is enough to answer it, [`tools`] calculate, and [`evaluation`] measures the
//! first two on labelled cases. Around them: what is remembered of a person
//! ([`memory`]), a draft of a lease ([`draft`]), real deals ([`api`]) and how well
//! the gates do ([`ab`]).

pub mod ab;
pub mod api;
pub mod draft;
pub mod evaluation;
pub mod memory;
pub mod sufficiency;
pub mod tools;
pub mod understand;
