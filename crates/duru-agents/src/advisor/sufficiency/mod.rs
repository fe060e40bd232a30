//! Is what the conversation already holds enough to answer, or must the search
//! team run again?
//!
//! Gate 1 ([`judge`]) weighs what a question needs against every earlier
//! search; gate 2 ([`verify`]) counts what is wrong with the data themselves.
//! Both are pure: times arrive as arguments.

mod around;
mod dimension;
mod gate_one;
mod gate_two;
mod held;
mod issue;
mod judgement;
mod papers;
mod prices;
mod standing;
mod talk;
mod words;

pub use gate_one::{asked_regions, judge};
pub use gate_two::{Check, Checked, verify};
pub use held::{Found, Item, Search, Tier};
pub use issue::Issue;
pub use judgement::{DataSource, Judgement, Kept, Verdict};
pub use talk::{Said, Talk};
