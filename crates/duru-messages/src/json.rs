//! The merge of [`crate::Messages`] on plain JSON, for tools that read stored
//! conversations without knowing the state type.

use serde_json::Value;

use crate::MergeError;
pub use crate::merge::Index;
use crate::merge::{self, Entry};

/// Merges `batch` into `list` as [`crate::Messages::merge`] does.
///
/// `index` belongs to `list` and is passed in again with the next batch; start
/// with `Index::default()`. Whoever changes `list` otherwise starts a new one.
/// The batch holds messages as this crate writes them, not the shorter forms
/// that it also reads.
///
/// ```
/// use duru_messages::json::{self, Index};
/// use serde_json::json;
///
/// let mut list = vec![json!({"type": "human", "content": "hi", "id": "1"})];
/// let mut index = Index::default();
/// json::merge(&mut list, &mut index, vec![json!({"type": "ai", "content": "hello", "id": "2"})])?;
/// json::merge(&mut list, &mut index, vec![json!({"type": "remove", "content": "", "id": "1"})])?;
/// assert_eq!(list, [json!({"type": "ai", "content": "hello", "id": "2"})]);
/// # Ok::<(), duru_messages::MergeError>(())
/// ```
pub fn merge(list: &mut Vec<Value>, index: &mut Index, batch: Vec<Value>) -> Result<(), MergeError> {
    if let Some(position) = batch.iter().position(|message| !message.is_object()) {
        return Err(MergeError::NotAnObject { position });
    }
    merge::merge(list, index, batch)
}

/// Merges `batch` into `list` as [`crate::Messages::apply`] does.
pub fn apply(list: &mut Vec<Value>, index: &mut Index, batch: Vec<Value>) {
    index.cover(list);
    merge::apply(list, index, batch);
}

impl Entry for Value {
    fn id(&self) -> Option<&str> {
        self.get("id").and_then(Value::as_str)
    }

    fn is_remove(&self) -> bool {
        self.get("type").is_some_and(|kind| kind == "remove")
    }
}
