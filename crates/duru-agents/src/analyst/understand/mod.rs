//! Understanding a question without a model: Korean or English in, a query as
//! a tree out, or a question back, or a refusal that says why.
//!
//! The words come from the table's columns, from the values that the data
//! holds ([`Vocabulary`]) and from a lexicon; what is not understood is said,
//! never guessed.

mod assemble;
mod clarify;
mod clock;
mod explain;
mod fillers;
mod filters;
mod follow;
mod groups;
mod lean;
mod leftover;
mod lexicon;
mod measures;
mod normal;
mod query;
mod read;
mod reading;
mod refuse;
mod scan;
mod sql;
mod time;
mod vocabulary;

pub use clarify::{Ask, Clarification, QueryAnalysis, ServiceType, TimeClarity};
pub use query::{
    By, Comparison, Field, Filter, Group, Having, Keep, Length, Measure, Op, Order, Period, Query, Stat,
    Test, Than, Unit,
};
pub use read::{Context, Reply, Turn, Understanding, Understood, understand};
pub use refuse::{Refusal, RefusalKind};
pub use vocabulary::Vocabulary;
