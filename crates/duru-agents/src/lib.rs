//! The agents: ordinary graphs on the engine, one folder each.

pub mod analyst;
