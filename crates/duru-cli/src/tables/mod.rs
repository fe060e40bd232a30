//! Tables of others: opened to be asked, named and described, and never changed.

mod commands;
mod examples;
mod open;
mod password;
mod problem;
mod registry;

pub(crate) use commands::run;
pub(crate) use open::{AskedTables, database, open};
pub(crate) use problem::TablesProblem;
