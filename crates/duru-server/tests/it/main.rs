//! The server over real HTTP, in this process and on a store in memory.

mod assistants;
mod client;
mod crons;
mod served;
mod store;
