//! What the server and the graphs that it is tested with do, seen from outside.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agents;
mod anywhere;
mod asking;
mod assistants;
mod bounds;
mod client;
mod clients;
mod collector;
mod compared;
mod conformance;
mod counted;
#[path = "../../../duru-store/tests/it/counts.rs"]
mod counts;
mod crons;
mod dead;
mod deadlines;
mod deleted;
mod edits;
mod events;
mod faults;
mod fixture;
mod fixtures;
mod granted;
mod held;
mod kills;
mod leaving;
mod limits;
mod nats;
mod openapi;
mod pairs;
mod people;
// The rig of the store's own tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_proxy.rs"]
mod pg_proxy;
#[allow(dead_code, unused_imports)]
#[path = "../../../duru-store/tests/it/pg_server.rs"]
mod pg_server;
mod queries;
mod races;
mod read_along;
mod reference;
mod revoked;
mod runs;
mod scopes;
mod security;
mod served;
mod store;
mod telemetry;
mod threads;
mod tools;
mod turns;
mod upgrades;
mod web_checks;
mod wire;
