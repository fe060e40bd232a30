//! The teams: subgraphs with a state of their own, one file per node.

mod choice;
mod choose_tools;
mod finalize;
mod gate_two;
mod graph;
mod insights;
mod recovery;
mod review;
mod run_tools;
mod state;

pub(super) use choice::searches;
pub(super) use choose_tools::plan_tools;
pub(super) use graph::{analysis, document, search};
pub(super) use state::{TeamRun, done, order};
