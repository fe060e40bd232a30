//! What travels: the shapes that clients send and read.

pub(crate) mod assistant;
pub(crate) mod clean;
pub(crate) mod cron;
pub(crate) mod graph;
pub(crate) mod run;
pub(crate) mod run_record;
pub(crate) mod state;
pub(crate) mod thread;
pub(crate) mod ttl;
pub(crate) mod turn;
pub(crate) mod words;
