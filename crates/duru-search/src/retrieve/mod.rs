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
mod reranker;
mod scale;
mod scope;
mod searcher;
mod variations;

pub use answerable::{Answerability, Ending, Signs};
pub use asked::Quantity;
pub use concepts::{Analysis, Concept};
pub use features::Features;
pub use reranker::Reranker;
pub use scale::Scale;
pub(crate) use scope::tells_when;
pub use scope::{Dropped, Scope, Spoken};
pub use searcher::{Error, Found, Hit, Request, Reranked, Searcher, Trace};
pub use variations::Variation;
