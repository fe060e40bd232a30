//! Protocol v2: a thread's events over all of its runs, told apart by channels.

mod blocks;
mod filter;
mod map;
mod pieces;
mod place;
mod read;
mod said;
mod tools;

pub(crate) use filter::Filter;
pub(crate) use place::Place;
pub(crate) use read::{Reading, open, run_of};
