//! Integration tests of the agents.

mod advisor;
