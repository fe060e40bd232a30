//! Whole conversations on the graph: what is searched, what is reused, what the
//! answers say, what is left of them when something fails, and what it costs.

mod clock;
mod counts;
mod faults;
mod notebook;
mod reuse;
mod scripted;
mod world;
