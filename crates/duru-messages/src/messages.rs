//! The list of messages that a state holds.

use std::sync::Arc;

use crate::merge::{self, Entry, Index};
use crate::{MergeError, Message};

/// An ordered list of messages that merges by id.
///
/// No two messages have the same id, and no message is a `remove`. A clone
/// costs one reference count; the first merge into a shared list copies the
/// handles, not the messages.
#[derive(Clone, Debug, Default)]
pub struct Messages(Arc<Indexed>);

#[derive(Clone, Debug, Default)]
struct Indexed {
    list: Vec<Message>,
    index: Index,
}

impl Messages {
    /// An empty list.
    pub fn new() -> Self {
        Messages::default()
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.0.list.is_empty()
    }

    /// The messages in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Message> {
        self.0.list.iter()
    }

    /// The newest message.
    pub fn last(&self) -> Option<&Message> {
        self.0.list.last()
    }

    /// The message with this id, found through the index.
    pub fn get(&self, id: &str) -> Option<&Message> {
        self.0.index.position(id).and_then(|at| self.0.list.get(at))
    }

    /// The messages in order, as a slice.
    pub fn as_slice(&self) -> &[Message] {
        &self.0.list
    }

    /// Merges a batch: a message with a known id takes the place of the old
    /// one, any other is appended, a `remove` deletes by id, and
    /// [`Message::remove_all`] deletes everything before it.
    ///
    /// The cost follows the batch and not the list, except that a batch with
    /// removals compacts the list once. A refused batch changes nothing.
    ///
    /// ```
    /// use duru_messages::{MergeError, Message, Messages};
    ///
    /// let mut chat = Messages::from(vec![Message::human("hi").with_id("1")]);
    /// let refused = chat.merge([Message::ai("hello"), Message::remove("7")]);
    /// assert_eq!(refused, Err(MergeError::UnknownId { id: "7".into(), position: 1 }));
    /// assert_eq!(chat.len(), 1);
    ///
    /// chat.merge([Message::remove_all(), Message::system("Be brief.")])?;
    /// assert_eq!(chat.as_slice(), [Message::system("Be brief.")]);
    /// # Ok::<(), MergeError>(())
    /// ```
    pub fn merge(&mut self, batch: impl IntoIterator<Item = Message>) -> Result<(), MergeError> {
        let batch: Vec<Message> = batch.into_iter().collect();
        if batch.is_empty() {
            return Ok(());
        }
        let inner = Arc::make_mut(&mut self.0);
        merge::merge(&mut inner.list, &mut inner.index, batch)
    }

    /// Like [`Messages::merge`], but a removal that finds nothing is passed over
    /// instead of refusing the batch: two writers may remove the same message.
    pub fn apply(&mut self, batch: impl IntoIterator<Item = Message>) {
        let batch: Vec<Message> = batch.into_iter().collect();
        if !batch.is_empty() {
            let inner = Arc::make_mut(&mut self.0);
            merge::apply(&mut inner.list, &mut inner.index, batch);
        }
    }

    /// Gives an id to every message that has none. A `remove` is left alone:
    /// it has to name the message that it deletes.
    ///
    /// ```
    /// use duru_messages::{Message, Messages};
    ///
    /// let mut batch = [Message::human("hi"), Message::ai("hello").with_id("mine")];
    /// let mut next = 0;
    /// Messages::assign_ids(&mut batch, || { next += 1; format!("m{next}") });
    /// assert_eq!(batch[0].id.as_deref(), Some("m1"));
    /// assert_eq!(batch[1].id.as_deref(), Some("mine"));
    /// ```
    pub fn assign_ids(batch: &mut [Message], mut new_id: impl FnMut() -> String) {
        for message in batch.iter_mut().filter(|m| m.id.is_none() && !m.is_remove()) {
            message.id = Some(new_id());
        }
    }
}

impl Entry for Message {
    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn is_remove(&self) -> bool {
        Message::is_remove(self)
    }
}

impl PartialEq for Messages {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.list == other.0.list
    }
}

/// Merges the messages into an empty list. A `remove` that finds nothing is
/// dropped, because nothing is lost by it; a batch that is still to be merged
/// belongs into a `Vec<Message>`, where its removals survive.
impl From<Vec<Message>> for Messages {
    fn from(batch: Vec<Message>) -> Self {
        let mut inner = Indexed::default();
        merge::apply(&mut inner.list, &mut inner.index, batch);
        Messages(Arc::new(inner))
    }
}

/// Like `From<Vec<Message>>`.
impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(batch: I) -> Self {
        batch.into_iter().collect::<Vec<_>>().into()
    }
}

impl IntoIterator for Messages {
    type Item = Message;
    type IntoIter = std::vec::IntoIter<Message>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Messages {
    type Item = &'a Message;
    type IntoIter = std::slice::Iter<'a, Message>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
