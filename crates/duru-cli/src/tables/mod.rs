//! Tables of others: opened to be asked, and never changed.

mod open;
mod password;
mod problem;

pub(crate) use open::{AskedTables, connect, open};
pub(crate) use problem::TablesProblem;
