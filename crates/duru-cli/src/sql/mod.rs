//! `duru sql`: what the guard says about queries.

mod check;

pub(crate) use check::check;
