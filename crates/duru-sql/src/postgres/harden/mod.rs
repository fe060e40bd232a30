//! What the database itself refuses, should a query ever come past the guard.
//!
//! Hardening makes a role that may read the catalog's tables and nothing else:
//! row security hides deleted rows, functions that act or tell about the server
//! are taken from everybody and given back to everybody else, and limits of
//! time and memory hold for the role. `verify` says what of that is missing.

mod apply;
mod finding;
mod rules;
mod script;
mod verify;

pub use apply::apply;
pub use finding::{Finding, Gap};
pub use script::script;
pub use verify::verify;
