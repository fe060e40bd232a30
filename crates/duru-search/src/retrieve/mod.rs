//! From a question to the passages that may answer it.

mod answerable;
mod asked;
mod concepts;
mod features;
mod fuse;
mod links;
mod meaning;
mod remarks;
mod rerank;
mod searcher;
mod variations;

pub use answerable::{Answerability, Ending, Signs};
pub use asked::Quantity;
pub use concepts::{Analysis, Concept};
pub use features::Features;
pub use searcher::{Error, Found, Hit, Request, Searcher, Trace};
pub use variations::Variation;
