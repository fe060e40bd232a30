//! Building a graph: nodes give handles, edges connect handles.

mod behaviour;
mod builder;
mod command;
mod compile;
pub mod draw;
mod edges;
mod node;
mod nodes;
mod policy;
pub(crate) mod topology;

pub use builder::Graph;
pub use command::{Command, Reply};
pub(crate) use command::{ParentCommand, Replied, replied};
pub(crate) use compile::breakpoints;
pub use compile::{CompileError, Problem};
pub(crate) use node::Input;
pub use node::{END, Goto, Node, Send, Target, Targets, Worker};
pub use policy::{Policy, Retry};
