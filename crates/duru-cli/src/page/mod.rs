//! The page that browsers are shown: built from `web/`, held in the binary.

mod asset;
mod routes;

pub(crate) use routes::{assets, index};
