//! Graphs as clients draw them.

use duru::draw::{Drawing, EdgeKind, Node, NodeKind};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A graph, as it is drawn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Graph)]
pub(crate) struct GraphRecord {
    nodes: Vec<GraphNode>,
    edges: Vec<GraphEdge>,
}

#[derive(Debug, Serialize, ToSchema)]
struct GraphNode {
    id: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    data: Option<Map<String, Value>>,
}

#[derive(Debug, Serialize, ToSchema)]
struct GraphEdge {
    source: String,
    target: String,
    /// Whether the graph decides as it runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    conditional: bool,
}

impl GraphRecord {
    /// A graph's nodes and edges, with subgraphs opened so many levels deep.
    pub(crate) fn of(drawing: &Drawing, depth: usize) -> Self {
        let Flat { nodes, edges } = flat(drawing, depth);
        let node = |(id, kind): (String, NodeKind)| match kind {
            NodeKind::End => GraphNode { id, kind: None, data: None },
            _ => {
                let data = Map::from_iter([("name".to_owned(), id.clone().into())]);
                GraphNode { id, kind: Some("runnable"), data: Some(data) }
            }
        };
        Self { nodes: nodes.into_iter().map(node).collect(), edges }
    }
}

struct Flat {
    nodes: Vec<(String, NodeKind)>,
    edges: Vec<GraphEdge>,
}

fn flat(drawing: &Drawing, depth: usize) -> Flat {
    let mut whole = Flat { nodes: Vec::new(), edges: Vec::new() };
    for edge in &drawing.edges {
        whole.add(&edge.source, &edge.target, edge.kind);
    }
    for node in &drawing.nodes {
        match &node.inner {
            Some(inner) if depth > 0 => whole.open(node, flat(inner, depth - 1)),
            _ => whole.nodes.push((node.id.clone(), node.kind)),
        }
    }
    whole
}

impl Flat {
    /// A route and a command may lead to the same node: one line is enough.
    fn add(&mut self, source: &str, target: &str, kind: EdgeKind) {
        if !self.edges.iter().any(|edge| edge.source == source && edge.target == target) {
            let conditional = kind.is_conditional();
            self.edges.push(GraphEdge { source: source.to_owned(), target: target.to_owned(), conditional });
        }
    }

    /// Puts a subgraph's nodes in the place of its node.
    fn open(&mut self, node: &Node, mut inner: Flat) {
        let (first, last) = (inner.without_start(), inner.without_end());
        for edge in &mut self.edges {
            if edge.target == node.id {
                edge.target.clone_from(&first);
            }
            if edge.source == node.id {
                edge.source.clone_from(&last);
            }
        }
        self.nodes.append(&mut inner.nodes);
        self.edges.append(&mut inner.edges);
    }

    /// Where the graph begins. Its start is left out where it only leads to one node.
    fn without_start(&mut self) -> String {
        let start = self.mark(NodeKind::Start);
        let out: Vec<&GraphEdge> = self.edges.iter().filter(|edge| edge.source == start).collect();
        match out.as_slice() {
            [only] if !only.conditional && only.target != self.mark(NodeKind::End) => {
                let first = only.target.clone();
                self.drop_node(&start);
                first
            }
            _ => start,
        }
    }

    /// Where the graph ends. Its end is left out where only one node leads to it.
    fn without_end(&mut self) -> String {
        let end = self.mark(NodeKind::End);
        let into: Vec<&GraphEdge> = self.edges.iter().filter(|edge| edge.target == end).collect();
        match into.as_slice() {
            [only] if !only.conditional && only.source != self.mark(NodeKind::Start) => {
                let last = only.source.clone();
                self.drop_node(&end);
                last
            }
            _ => end,
        }
    }

    /// The graph's own start or end: a subgraph's are further in.
    fn mark(&self, kind: NodeKind) -> String {
        let marks = self.nodes.iter().filter(|(_, found)| *found == kind);
        marks.min_by_key(|(id, _)| id.len()).map(|(id, _)| id.clone()).unwrap_or_default()
    }

    fn drop_node(&mut self, id: &str) {
        self.nodes.retain(|(node, _)| node != id);
        self.edges.retain(|edge| edge.source != id && edge.target != id);
    }
}
