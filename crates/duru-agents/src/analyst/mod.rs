//! The analyst: questions in plain language, answers from the logs.

pub mod understand;
