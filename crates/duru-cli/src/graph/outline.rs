//! A graph in lines of text: each node, and where it leads.

use duru::draw::{Drawing, EdgeKind, Node, NodeKind};

/// A line for each node; below a node that is a graph, that graph.
pub(super) fn outline(drawing: &Drawing) -> String {
    let mut lines = vec![drawing.name.clone()];
    add(drawing, 1, &mut lines);
    lines.join("\n") + "\n"
}

fn add(drawing: &Drawing, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for node in drawing.nodes.iter().filter(|node| node.kind != NodeKind::End) {
        let mut line = format!("{indent}{}", label(node));
        let edges: Vec<_> = drawing.edges.iter().filter(|edge| edge.source == node.id).collect();
        let targets: Vec<String> = edges.iter().map(|edge| name(drawing, &edge.target)).collect();
        // One of several, or all of them.
        let chosen = edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Route | EdgeKind::Command));
        if !targets.is_empty() {
            line += &format!(" → {}", targets.join(if chosen { " | " } else { " + " }));
        }
        lines.push(line);
        if let Some(inner) = &node.inner {
            add(inner, depth + 1, lines);
        }
    }
}

fn label(node: &Node) -> String {
    let name = match node.kind {
        NodeKind::Start => "(start)".to_owned(),
        NodeKind::Deferred => format!("{} (last)", node.name),
        _ => node.name.clone(),
    };
    match &node.visit {
        Some(visit) => format!("{name} [×{}, {} ms, {}]", visit.count, visit.total_ms, visit.status.as_str()),
        None => name,
    }
}

fn name(drawing: &Drawing, id: &str) -> String {
    match drawing.nodes.iter().find(|node| node.id == id) {
        Some(node) if node.kind == NodeKind::End => "(end)".to_owned(),
        Some(node) => node.name.clone(),
        None => id.to_owned(),
    }
}
