//! A compiled graph as a picture in words.

use std::fmt::Write;

use super::topology::{Exits, Topology, Work};
use crate::State;
use crate::compiled::Compiled;

impl<S: State, I, O> Compiled<S, I, O> {
    /// The graph as a Mermaid flow chart, subgraphs opened.
    ///
    /// Dotted arrows are routes and commands: one of them is taken, or several.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart TD\n");
        chart(&self.topology(), "", &mut out);
        out
    }
}

fn chart(topology: &Topology, prefix: &str, out: &mut String) {
    let id = |index: usize| format!("{prefix}n{index}");
    line(out, format_args!("{prefix}start([start])"));
    line(out, format_args!("{prefix}stop([end])"));
    for (index, node) in topology.nodes.iter().enumerate() {
        let label = escape(&node.name);
        match &node.work {
            Work::Function(_) if node.deferred => line(out, format_args!("{}[/\"{label}\"/]", id(index))),
            Work::Function(_) => line(out, format_args!("{}[\"{label}\"]", id(index))),
            Work::Subgraph(subgraph) => {
                line(out, format_args!("subgraph {}[\"{label}\"]", id(index)));
                chart(&subgraph.topology, &format!("{}_", id(index)), out);
                line(out, format_args!("end"));
            }
        }
    }
    arrows(topology, prefix, &format!("{prefix}start"), &topology.start, &[], out);
    for (index, node) in topology.nodes.iter().enumerate() {
        arrows(topology, prefix, &id(index), &node.exits, &node.may_go, out);
    }
    for barrier in &topology.barriers {
        for source in &barrier.sources {
            line(out, format_args!("{} -- all --> {}", id(*source), id(barrier.target)));
        }
    }
}

fn arrows(topology: &Topology, prefix: &str, from: &str, exits: &Exits, may_go: &[usize], out: &mut String) {
    let id = |index: usize| format!("{prefix}n{index}");
    for target in &exits.fixed {
        line(out, format_args!("{from} --> {}", id(*target)));
    }
    for route in &exits.routes {
        for target in &route.targets {
            line(out, format_args!("{from} -.-> {}", id(*target)));
        }
        if route.may_end {
            line(out, format_args!("{from} -.-> {prefix}stop"));
        }
    }
    for target in may_go {
        line(out, format_args!("{from} -. command .-> {}", id(*target)));
    }
    let is_last =
        exits.fixed.is_empty() && exits.routes.is_empty() && exits.barriers.is_empty() && may_go.is_empty();
    if is_last && !topology.nodes.is_empty() {
        line(out, format_args!("{from} --> {prefix}stop"));
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = writeln!(out, "    {text}");
}

fn escape(name: &str) -> String {
    name.replace('"', "#quot;")
}
