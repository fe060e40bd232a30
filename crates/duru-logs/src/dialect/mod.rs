//! PostgreSQL's SQL for DataFusion.
//!
//! First the syntax tree is rewritten: operators and functions become calls of
//! our own, and a function that is not known to give the same is refused. Then, when
//! types are known, the planner's hook and one analyzer rule do what depends on them.

mod aggregates;
mod build;
mod calls;
mod casts;
mod equal;
mod expr;
mod from;
mod lateral;
mod names;
mod operators;
mod recursion;
mod rule;
mod translate;
mod typed;

pub(crate) use operators::Operators;
pub(crate) use rule::Types;
pub(crate) use translate::{shown_name, translate};
