//! Messages as JSON.

mod error;
mod fields;
mod read;
mod read_calls;
mod schema;
mod write;

pub use error::ParseError;
pub(crate) use fields::FieldReader;
pub(crate) use read::content;
pub(crate) use read_calls::{invalid_tool_calls, tool_calls};
