//! What a node returns: an update, and perhaps where to go next.

use super::node::{Goto, Targets};
use crate::state::erased::AnyUpdate;
use crate::{State, Update};

/// An update together with where to go, in addition to the node's edges.
///
/// ```
/// # use duru::{Command, State};
/// # #[derive(State, Clone)] struct Review { sure: bool }
/// # fn decide(ask: duru::Node) -> Command<Review> {
/// Command::update(ReviewUpdate::new().sure(true)).goto(ask)
/// # }
/// ```
pub struct Command<S: State> {
    updates: Vec<S::Update>,
    goto: Vec<Goto>,
    parent: Option<ParentCommand>,
}

impl<S: State> Command<S> {
    /// Changes the state.
    pub fn update(update: S::Update) -> Self {
        Self { updates: vec![update], goto: Vec::new(), parent: None }
    }

    /// Goes somewhere without changing the state.
    pub fn go(to: impl Targets) -> Self {
        Self { updates: Vec::new(), goto: to.into_gotos(), parent: None }
    }

    /// Goes somewhere too. Targets must be declared with
    /// [`Graph::may_go`](crate::Graph::may_go).
    #[must_use]
    pub fn goto(mut self, to: impl Targets) -> Self {
        self.goto.extend(to.into_gotos());
        self
    }

    /// Changes the state once more; a node may write a field several times.
    #[must_use]
    pub fn and(mut self, update: S::Update) -> Self {
        self.updates.push(update);
        self
    }

    /// Ends this subgraph and acts on the graph that contains it, as if the
    /// node that holds the subgraph had returned it. What this step of the
    /// subgraph has not committed yet is dropped.
    pub fn to_parent<P: State>(update: P::Update, goto: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let goto = goto.into_iter().map(Into::into).collect();
        Self {
            updates: Vec::new(),
            goto: Vec::new(),
            parent: Some(ParentCommand { update: Box::new(update), goto }),
        }
    }
}

/// A command for the graph that contains this one. Its nodes are known by name
/// only: the subgraph was built before them.
pub(crate) struct ParentCommand {
    pub(crate) update: AnyUpdate,
    pub(crate) goto: Vec<String>,
}

/// What came out of a node, whatever the state's type.
#[derive(Default)]
pub(crate) struct Replied {
    pub(crate) updates: Vec<AnyUpdate>,
    pub(crate) goto: Vec<Goto>,
    pub(crate) parent: Option<ParentCommand>,
    /// Whether it was kept from an earlier run of the node.
    pub(crate) cached: bool,
}

/// What a node of a graph of state `S` may return: its update, a [`Command`] or nothing.
pub trait Reply<S: State>: Send {
    /// As a command.
    fn into_command(self) -> Command<S>;
}

impl<S: State> Reply<S> for Command<S> {
    fn into_command(self) -> Command<S> {
        self
    }
}

impl<S: State> Reply<S> for () {
    fn into_command(self) -> Command<S> {
        Command { updates: Vec::new(), goto: Vec::new(), parent: None }
    }
}

impl<S: State<Update = U>, U: Update> Reply<S> for U {
    fn into_command(self) -> Command<S> {
        Command::update(self)
    }
}

pub(crate) fn replied<S: State>(reply: impl Reply<S>) -> Replied {
    let Command { updates, goto, parent } = reply.into_command();
    let updates = updates.into_iter().map(|update| Box::new(update) as AnyUpdate).collect();
    Replied { updates, goto, parent, cached: false }
}
