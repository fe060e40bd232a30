//! A drawing as a Mermaid flow chart.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{Arguments, Write};

use super::{Drawing, EdgeKind, Node, NodeKind, VisitStatus};

impl Drawing {
    /// As a Mermaid flow chart, subgraphs opened.
    ///
    /// Dotted arrows are routes and commands: one of them is taken, or several.
    /// If it is [marked](Drawing::marked), nodes that ran have the class of their
    /// last status, their count and time, and edges that were taken are thick.
    pub fn mermaid(&self) -> String {
        let mut chart = Chart { out: String::from("flowchart TD\n"), ..Chart::default() };
        chart.graph(self, "");
        chart.marks();
        chart.out
    }
}

#[derive(Default)]
struct Chart {
    out: String,
    /// Edges written so far: Mermaid styles them by number.
    edges: usize,
    taken: Vec<String>,
    /// Nodes by the word of their last status.
    visited: BTreeMap<&'static str, Vec<String>>,
}

impl Chart {
    /// Ids are numbers: names may be words that Mermaid keeps for itself, such as `end`.
    fn graph(&mut self, drawing: &Drawing, prefix: &str) {
        let mut ids: HashMap<&str, String> = HashMap::new();
        let mut number = 0;
        for node in &drawing.nodes {
            let id = match node.kind {
                NodeKind::Start => format!("{prefix}start"),
                NodeKind::End => format!("{prefix}stop"),
                _ => {
                    number += 1;
                    format!("{prefix}n{}", number - 1)
                }
            };
            self.node(node, &id);
            ids.insert(&node.id, id);
        }
        for edge in &drawing.edges {
            let (Some(source), Some(target)) = (ids.get(&*edge.source), ids.get(&*edge.target)) else {
                continue;
            };
            let arrow = match edge.kind {
                EdgeKind::Fixed => "-->",
                EdgeKind::Route => "-.->",
                EdgeKind::Command => "-. command .->",
                EdgeKind::Join => "-- all -->",
            };
            line(&mut self.out, format_args!("{source} {arrow} {target}"));
            if edge.taken {
                self.taken.push(self.edges.to_string());
            }
            self.edges += 1;
        }
    }

    fn node(&mut self, node: &Node, id: &str) {
        let mut label = escape(&node.name);
        if let Some(visit) = &node.visit {
            label.push_str(&format!("<br/>{}", visit.words()));
            self.visited.entry(visit.status.as_str()).or_default().push(id.to_owned());
        }
        let out = &mut self.out;
        match (node.kind, &node.inner) {
            (NodeKind::Start | NodeKind::End, _) => line(out, format_args!("{id}([{label}])")),
            (_, Some(inner)) => {
                line(out, format_args!("subgraph {id}[\"{label}\"]"));
                self.graph(inner, &format!("{id}_"));
                line(&mut self.out, format_args!("end"));
            }
            (NodeKind::Deferred, None) => line(out, format_args!("{id}[/\"{label}\"/]")),
            (_, None) => line(out, format_args!("{id}[\"{label}\"]")),
        }
    }

    /// Nothing, for a drawing without marks.
    fn marks(&mut self) {
        let out = &mut self.out;
        for status in VisitStatus::ALL {
            let Some(nodes) = self.visited.get(status.as_str()) else { continue };
            let (word, colour) = (status.as_str(), status.colour());
            line(out, format_args!("classDef {word} stroke:{colour},stroke-width:3px"));
            line(out, format_args!("class {} {word}", nodes.join(",")));
        }
        if !self.taken.is_empty() {
            line(out, format_args!("linkStyle {} stroke-width:3px", self.taken.join(",")));
        }
    }
}

fn line(out: &mut String, text: Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = writeln!(out, "    {text}");
}

/// A name as a label between quotes: whatever Mermaid or the page around it
/// would read as more than text is written as a number.
fn escape(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '"' | '#' | '&' | '<' | '>' | '`' | '*' | '\\' | ';' => {
                // Writing to a string can't fail.
                let _ = write!(label, "#{};", u32::from(c));
            }
            c if c.is_control() => label.push(' '),
            c => label.push(c),
        }
    }
    label
}
