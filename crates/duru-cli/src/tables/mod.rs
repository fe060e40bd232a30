//! Tables of others: opened to be asked, named and described, and never changed.

mod commands;
mod describe;
mod edit;
mod examples;
mod open;
mod password;
mod problem;
mod registry;

pub(crate) use commands::run;
pub(crate) use describe::patiently;
pub(crate) use edit::{TableWords, WordsChanged, change_words};
pub(crate) use open::{AskedTables, TablesKind, database, open};
pub(crate) use problem::TablesProblem;
