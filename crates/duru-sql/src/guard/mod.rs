//! Turns a query that somebody wrote into one that may run.
//!
//! The layers, each of which holds alone: text (length, characters, tokens), a
//! real grammar, one query statement, a walk over its tree that knows every node
//! and every name, tables replaced by the rows of them that may be seen, and a
//! print of the tree that reads back as the same tree.

mod aggregates;
mod call;
mod clock;
mod endless;
mod expr;
mod extra;
mod from;
mod functions;
#[allow(clippy::module_inception, reason = "the folder is the topic, the file its main type")]
mod guard;
mod join;
mod literal;
mod names;
mod operators;
mod pattern;
mod query;
mod refusal;
mod scope;
mod select;
mod series;
mod size;
mod soft;
mod text;
#[cfg(any(test, feature = "testkit"))]
mod trusted;
mod types;
mod walk;

pub use clock::Clock;
pub use extra::Extra;
#[cfg(feature = "testkit")]
pub use guard::Flaw;
pub use guard::{Checked, Guard};
pub use refusal::{Lang, Place, Refusal, Rule};
