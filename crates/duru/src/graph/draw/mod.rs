//! A compiled graph as a picture: plain data, and from it Mermaid and SVG.
//!
//! A [`Drawing`] is made by [`Compiled::drawing`](crate::Compiled::drawing). With
//! the [`Path`] of a thread it shows what a run did: [`Drawing::marked`].

mod build;
mod layout;
mod mark;
mod mermaid;
mod path;
mod svg;
mod text;

use serde::Serialize;

pub use layout::{Frame, Layout, Line, Point};
pub use path::{Path, Visit, VisitStatus};

/// A graph to be drawn.
///
/// ```
/// # use duru::{Cx, Graph, Result, State}; use std::sync::Arc;
/// # #[derive(State, Clone)] struct Count { n: u32 }
/// # async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> { Ok(CountUpdate::new().n(s.n + 1)) }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut g = Graph::<Count>::new("count");
/// let add = g.node("add", add);
/// g.start(add);
/// let drawing = g.compile()?.drawing();
/// assert_eq!(drawing.edges.len(), 2, "from the start, and to the end");
/// assert!(drawing.mermaid().starts_with("flowchart TD"));
/// assert!(drawing.svg().starts_with("<svg"));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Drawing {
    /// The graph's name.
    pub name: String,
    /// The start, the nodes in the order in which they were added, the end.
    pub nodes: Vec<Node>,
    /// What leads where.
    pub edges: Vec<Edge>,
}

/// A node of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Node {
    /// The names from the outermost graph down to this node, joined by `:`, as
    /// in `child:step`. Of the start `__start__`, of the end `__end__`.
    pub id: String,
    /// Its name in its graph.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
    /// The graph inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<Box<Drawing>>,
    /// What a run did here, see [`Drawing::marked`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visit: Option<Visit>,
}

/// What a node of a drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NodeKind {
    /// Where runs begin.
    Start,
    /// Where runs end.
    End,
    /// A function.
    Node,
    /// A graph.
    Subgraph,
    /// A function or a graph that waits until nothing else is left to run.
    Deferred,
}

/// An edge of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edge {
    /// The [`Node::id`] that it leaves.
    pub source: String,
    /// The [`Node::id`] that it leads to.
    pub target: String,
    /// When it is taken.
    pub kind: EdgeKind,
    /// Whether a run took it, see [`Drawing::marked`].
    pub taken: bool,
}

/// When an edge is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EdgeKind {
    /// Always.
    Fixed,
    /// When the state says so.
    Route,
    /// When the node says so.
    Command,
    /// When all of its sources have run.
    Join,
}

impl EdgeKind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Route => "route",
            Self::Command => "command",
            Self::Join => "join",
        }
    }

    /// Whether it may also not be taken.
    pub fn is_conditional(self) -> bool {
        matches!(self, Self::Route | Self::Command)
    }
}

const START: &str = "__start__";
const END: &str = "__end__";
