//! An edit of a thread: of which graph, at which checkpoint, as which node.

use serde_json::Value;

use crate::{CheckpointId, Namespace};

/// A change of a thread from outside, as if its nodes had made it.
///
/// Besides the graph's nodes, an edit may be made as `__start__`, an input that
/// is applied at once; as `__input__`, an input that waits for the next run; and
/// as `__end__`, which writes nothing and discards what is planned. `__copy__`
/// writes nothing either, and makes the checkpoint that it names the thread's
/// last one.
///
/// ```
/// # use duru::Edit;
/// let edit = Edit::of(Some(serde_json::json!({"sure": true}))).as_node("ask");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Edit {
    pub(crate) at: Option<CheckpointId>,
    pub(crate) within: Namespace,
    pub(crate) writes: Vec<EditWrite>,
}

/// What one node is taken to have done.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct EditWrite {
    /// What it wrote.
    pub values: Option<Value>,
    /// The node; without a name, the one that wrote last.
    pub as_node: Option<String>,
    /// Where it went besides its edges: nodes, or an input of their own for them.
    pub goto: Vec<(String, Option<Value>)>,
}

impl EditWrite {
    /// What a node wrote.
    pub fn new(values: Option<Value>, as_node: Option<String>) -> Self {
        Self { values, as_node, goto: Vec::new() }
    }

    /// Where it went besides its edges.
    #[must_use]
    pub fn goto(mut self, to: Vec<(String, Option<Value>)>) -> Self {
        self.goto = to;
        self
    }
}

impl Edit {
    /// One that writes this, as the node that wrote last.
    pub fn of(values: Option<Value>) -> Self {
        Self::step(vec![EditWrite::new(values, None)])
    }

    /// A whole step of several nodes, each of which has a name.
    pub fn step(writes: Vec<EditWrite>) -> Self {
        Self { writes, ..Self::default() }
    }

    /// As if this node had written it.
    #[must_use]
    pub fn as_node(mut self, node: impl Into<String>) -> Self {
        if let [write] = &mut *self.writes {
            write.as_node = Some(node.into());
        }
        self
    }

    /// On the state of an earlier moment. What came after it stays in the log,
    /// but the thread goes on from here.
    #[must_use]
    pub fn at(mut self, checkpoint: CheckpointId) -> Self {
        self.at = Some(checkpoint);
        self
    }

    /// The nodes that it names.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.writes.iter().filter_map(|write| write.as_node.as_deref())
    }

    /// Which graph of the thread it changes.
    pub fn namespace(&self) -> &Namespace {
        &self.within
    }

    /// In one of the thread's subgraphs.
    #[must_use]
    pub fn within(mut self, ns: Namespace) -> Self {
        self.within = ns;
        self
    }
}
