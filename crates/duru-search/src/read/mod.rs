//! Files as documents.

mod block;
mod docx;
mod docx_lists;
mod error;
mod html;
mod hwpx;
mod json;
mod limits;
pub(crate) mod markdown;
mod pdf;
mod reader;
mod text;
mod xml;

pub use block::{Block, Content, Parsed, Record};
pub use error::Error;
pub use limits::Limits;
pub(crate) use markdown::Marks;
pub use reader::{Kind, read};
