//! Requests to other servers: one way for the whole workspace.
//!
//! [`Client`] goes through the proxy and trusts the certificates that the usual variables name ([`Network`]), keeps its
//! connections, speaks HTTP/2 where the other side does, and connects to no private address where it must not ([`Reach`]).
//! It follows no redirect and keeps no time but that of connecting: when a stream counts as idle, how much of it is read and
//! where an answer may send is for those to say who know what they asked.

mod client;
mod network;
mod reach;

pub use client::{Client, Error, innermost};
pub use network::{BadNetwork, Network};
pub use reach::Reach;

/// The bytes of an answer as they come.
pub type Body = reqwest::Body;

/// What reading them may end with.
pub type BodyError = reqwest::Error;
