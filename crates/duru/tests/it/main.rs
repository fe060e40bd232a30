// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used)]

mod cache;
mod compile;
#[path = "../../../duru-store/tests/it/counts.rs"]
mod counts;
mod crash_sweep;
mod deadline;
mod defaults;
mod derive;
mod draw;
mod durability;
mod edits;
mod effect;
mod erased;
mod failure;
mod format;
mod graphs;
mod growth;
mod interrupt;
mod lease;
mod memory;
mod other_graph;
mod past;
mod pressure;
mod readers;
mod reducers;
mod regressions;
mod report;
mod smoke;
mod state;
mod stream;
mod subgraph;
mod support;
mod swapped;
mod unfinished;
