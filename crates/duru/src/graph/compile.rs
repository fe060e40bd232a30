//! From a builder to a compiled graph, or to everything that is wrong with it.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::topology::{Breakpoints, Topology};

/// Why a graph can't work. Each problem names its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileError {
    /// The graph.
    pub graph: String,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Something that can't work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The graph has no nodes.
    #[error("it has no nodes; add one with `node`")]
    Empty,
    /// Nothing is run first.
    #[error("nothing is run first; name a node with `start`")]
    NoEntry,
    /// A name that can't be used.
    #[error("node name {name:?} {reason}")]
    BadName {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// Two nodes of one name.
    #[error("two nodes are called {name:?}")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// No path leads to a node.
    #[error("no edge, route or declared command leads to node {node:?}")]
    Unreachable {
        /// The node.
        node: String,
    },
    /// A handle of another graph was used.
    #[error("{place} uses a node handle of another graph")]
    ForeignHandle {
        /// Where.
        place: String,
    },
    /// A node with an input of its own is the target of an edge that gives the state.
    #[error(
        "{place} leads to {node:?}, which takes an input of its own: use `send`, or give it a view of the state with `node_with`"
    )]
    NeedsInput {
        /// The node.
        node: String,
        /// Where.
        place: String,
    },
    /// A route without targets.
    #[error("{place} declares no target")]
    NoTargets {
        /// Where.
        place: String,
    },
    /// A barrier without sources.
    #[error("the join into {node:?} has no sources")]
    EmptyJoin {
        /// Its target.
        node: String,
    },
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph {:?} can't work: ", self.graph)?;
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

/// Names of nodes that mean something else in streams and stores.
const RESERVED: [&str; 4] = ["__start__", "__end__", "__input__", "__interrupt__"];

pub(super) fn check_name(name: &str) -> Option<Problem> {
    let reason = if name.is_empty() {
        "is empty"
    } else if RESERVED.contains(&name) {
        "is reserved"
    } else if name.contains(['|', ':']) || name.chars().any(char::is_control) {
        "has a `|`, a `:` or a control character"
    } else {
        return None;
    };
    Some(Problem::BadName { name: name.to_owned(), reason })
}

/// Everything about a graph's shape that can't work.
pub(super) fn problems(topology: &Topology) -> Vec<Problem> {
    let mut problems = Vec::new();
    if topology.nodes.is_empty() {
        return vec![Problem::Empty];
    }
    let mut seen = HashMap::new();
    for node in &topology.nodes {
        problems.extend(check_name(&node.name));
        if seen.insert(&node.name, ()).is_some() {
            problems.push(Problem::Duplicate { name: node.name.to_string() });
        }
    }
    if topology.start.fixed.is_empty() && topology.start.routes.is_empty() {
        problems.push(Problem::NoEntry);
    }
    for barrier in topology.barriers.iter().filter(|barrier| barrier.sources.is_empty()) {
        problems.push(Problem::EmptyJoin { node: topology.nodes[barrier.target].name.to_string() });
    }
    let reached = reached(topology);
    for (index, node) in topology.nodes.iter().enumerate() {
        if !reached.contains(&index) {
            problems.push(Problem::Unreachable { node: node.name.to_string() });
        }
        needs_input(topology, index, &mut problems);
    }
    problems
}

fn needs_input(topology: &Topology, index: usize, problems: &mut Vec<Problem>) {
    let node = &topology.nodes[index];
    if node.takes_state {
        return;
    }
    let mut add = |place: String| problems.push(Problem::NeedsInput { node: node.name.to_string(), place });
    if topology.start.fixed.contains(&index) {
        add("the start".into());
    }
    for from in &topology.nodes {
        if from.exits.fixed.contains(&index) {
            add(format!("the edge from {:?}", from.name));
        }
    }
    for barrier in topology.barriers.iter().filter(|barrier| barrier.target == index) {
        add(format!("the join {}", barrier.key));
    }
}

/// The nodes that some path from the start leads to.
fn reached(topology: &Topology) -> HashSet<usize> {
    let mut reached = HashSet::new();
    let routed = |exits: &super::topology::Exits| -> Vec<usize> {
        exits
            .fixed
            .iter()
            .copied()
            .chain(exits.routes.iter().flat_map(|route| route.targets.clone()))
            .collect()
    };
    let mut todo = routed(&topology.start);
    while let Some(index) = todo.pop() {
        if !reached.insert(index) {
            continue;
        }
        let node = &topology.nodes[index];
        todo.extend(routed(&node.exits));
        todo.extend(&node.may_go);
        todo.extend(node.exits.barriers.iter().map(|(barrier, _)| topology.barriers[*barrier].target));
    }
    reached
}

/// Breakpoints by name, for one run.
pub(crate) fn breakpoints(
    topology: &Topology,
    before: &[String],
    after: &[String],
) -> Result<Breakpoints, String> {
    let find = |names: &[String]| -> Result<Vec<usize>, String> {
        if names.iter().any(|name| name == "*") {
            return Ok((0..topology.nodes.len()).collect());
        }
        let known = || topology.names().collect::<Vec<_>>().join(", ");
        let index = |name: &String| {
            topology
                .index_of(name)
                .ok_or_else(|| format!("there is no node {name:?} to pause at; there are: {}", known()))
        };
        names.iter().map(index).collect()
    };
    Ok(Breakpoints { before: find(before)?, after: find(after)? })
}
