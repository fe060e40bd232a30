//! The server over real HTTP, in this process and on a store in memory.

mod assistants;
mod client;
mod served;
mod store;
