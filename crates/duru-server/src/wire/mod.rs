//! What travels: the shapes that clients send and read.

pub(crate) mod assistant;
