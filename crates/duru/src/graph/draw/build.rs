//! From a compiled graph to its drawing.

use super::{Drawing, END, Edge, EdgeKind, Node, NodeKind, START};
use crate::State;
use crate::compiled::Compiled;
use crate::graph::topology::{Exits, NodeSpec, Topology, Work};

impl<S: State, I, O> Compiled<S, I, O> {
    /// The graph as a drawing, subgraphs opened.
    pub fn drawing(&self) -> Drawing {
        Drawing::of(&self.topology())
    }

    /// The graph as a Mermaid flow chart: [`Drawing::mermaid`].
    pub fn mermaid(&self) -> String {
        self.drawing().mermaid()
    }
}

impl Drawing {
    pub(crate) fn of(topology: &Topology) -> Self {
        Builder { topology, prefix: String::new(), edges: Vec::new() }.build()
    }
}

struct Builder<'a> {
    topology: &'a Topology,
    /// The ids of the nodes around this graph, each followed by a colon.
    prefix: String,
    edges: Vec<Edge>,
}

impl Builder<'_> {
    fn build(mut self) -> Drawing {
        let topology = self.topology;
        let mut nodes = vec![self.mark(START, "start", NodeKind::Start)];
        nodes.extend(topology.nodes.iter().map(|node| self.node(node)));
        nodes.push(self.mark(END, "end", NodeKind::End));

        self.exits(self.id(START), &topology.start, None);
        for node in &topology.nodes {
            self.exits(self.id(&node.name), &node.exits, Some(node));
        }
        for barrier in &topology.barriers {
            for source in &barrier.sources {
                let source = self.id(&topology.nodes[*source].name);
                self.edge(source, self.id_of(barrier.target), EdgeKind::Join);
            }
        }
        Drawing { name: topology.name.to_string(), nodes, edges: self.edges }
    }

    fn mark(&self, id: &str, name: &str, kind: NodeKind) -> Node {
        Node { id: self.id(id), name: name.to_owned(), kind, inner: None, visit: None }
    }

    fn node(&self, node: &NodeSpec) -> Node {
        let id = self.id(&node.name);
        let inner = match &node.work {
            Work::Function(_) => None,
            Work::Subgraph(subgraph) => {
                let prefix = format!("{id}:");
                Some(Box::new(Builder { topology: &subgraph.topology, prefix, edges: Vec::new() }.build()))
            }
        };
        let kind = match &inner {
            _ if node.deferred => NodeKind::Deferred,
            Some(_) => NodeKind::Subgraph,
            None => NodeKind::Node,
        };
        Node { id, name: node.name.to_string(), kind, inner, visit: None }
    }

    fn id(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn id_of(&self, index: usize) -> String {
        self.id(&self.topology.nodes[index].name)
    }

    fn exits(&mut self, source: String, exits: &Exits, node: Option<&NodeSpec>) {
        for target in &exits.fixed {
            self.edge(source.clone(), self.id_of(*target), EdgeKind::Fixed);
        }
        for route in &exits.routes {
            for target in &route.targets {
                self.edge(source.clone(), self.id_of(*target), EdgeKind::Route);
            }
            if route.may_end {
                self.edge(source.clone(), self.id(END), EdgeKind::Route);
            }
        }
        let may_go = node.map(|node| node.may_go.as_slice()).unwrap_or_default();
        for target in may_go {
            self.edge(source.clone(), self.id_of(*target), EdgeKind::Command);
        }
        if node.is_some_and(|node| node.may_end) {
            self.edge(source.clone(), self.id(END), EdgeKind::Command);
        }
        let is_last = exits.barriers.is_empty() && !self.edges.iter().any(|edge| edge.source == source);
        if is_last {
            self.edge(source, self.id(END), EdgeKind::Fixed);
        }
    }

    /// Two routes may lead to the same node: one line is enough.
    fn edge(&mut self, source: String, target: String, kind: EdgeKind) {
        let edge = Edge { source, target, kind, taken: false };
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }
}
