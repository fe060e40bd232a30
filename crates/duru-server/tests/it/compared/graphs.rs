//! The graphs of `tests/clients/library/record.py`, node for node.

use std::sync::Arc;

use duru::{Compiled, Cx, END, ErasedGraph, Graph, Node, Result, Send, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(State, Clone)]
pub(crate) struct Counters {
    pub(crate) x: Option<i64>,
    #[merge(append)]
    pub(crate) log: Vec<String>,
    #[merge(sum)]
    pub(crate) sum: i64,
}

fn counting(g: &mut Graph<Counters>, name: &'static str) -> Node {
    g.node(name, move |state: Arc<Counters>, _: Cx| async move {
        Ok(CountersUpdate::new().x(state.x.unwrap_or(0) + 1).log([name.to_owned()]))
    })
}

fn logging(g: &mut Graph<Counters>, name: &'static str) -> Node {
    g.node(
        name,
        move |_: Arc<Counters>, _: Cx| async move { Ok(CountersUpdate::new().log([name.to_owned()])) },
    )
}

async fn ask(state: Arc<Counters>, cx: Cx) -> Result<CountersUpdate> {
    let answer: Value = cx.interrupt(json!({ "x": state.x.unwrap_or(0) }))?;
    Ok(CountersUpdate::new().log([format!("answer {}", answer.as_str().unwrap_or_default())]))
}

fn chain(g: &mut Graph<Counters>, nodes: &[Node]) {
    g.start(nodes[0]);
    for pair in nodes.windows(2) {
        g.edge(pair[0], pair[1]);
    }
}

fn three() -> Graph<Counters> {
    let mut g = Graph::new("three");
    let nodes = ["a", "b", "c"].map(|name| counting(&mut g, name));
    chain(&mut g, &nodes);
    g
}

fn asking() -> Graph<Counters> {
    let mut g = Graph::new("asking");
    let nodes = [counting(&mut g, "pre"), g.node("ask", ask), counting(&mut g, "fin")];
    chain(&mut g, &nodes);
    g
}

fn tools() -> Graph<Counters> {
    let mut g = Graph::new("tools");
    let (agent, tool) = (counting(&mut g, "agent"), counting(&mut g, "tool"));
    g.start(agent).edge(tool, agent);
    let next = move |s: &Counters| if s.log.len() < 3 { tool.into() } else { END };
    g.route(agent, [tool.into(), END], next);
    g
}

fn diamond() -> Graph<Counters> {
    let mut g = Graph::new("diamond");
    let [a, b1, b2, z] = ["a", "b1", "b2", "z"].map(|name| logging(&mut g, name));
    g.start(a).edge(a, b1).edge(a, b2).edge(b1, z).edge(b2, z);
    g
}

#[derive(Clone, Serialize, Deserialize)]
struct Work {
    i: i64,
}

fn fan() -> Graph<Counters> {
    let mut g = Graph::new("fan");
    let (plan, join) = (logging(&mut g, "plan"), logging(&mut g, "join"));
    let w =
        g.worker(
            "w",
            |work: Work, _: Cx| async move { Ok(CountersUpdate::new().log([format!("w{}", work.i)])) },
        );
    g.start(plan).edge(w, join);
    g.route(plan, [w], move |_: &Counters| (0..2).map(|i| w.send(Work { i })).collect::<Vec<Send>>());
    g
}

fn child() -> Compiled<Counters> {
    let mut g = Graph::new("child");
    let nodes = [counting(&mut g, "s1"), g.node("s2", ask), counting(&mut g, "s3")];
    chain(&mut g, &nodes);
    g.compile().expect("the graph is whole")
}

/// In the library the child's whole state is its update, so that the log that it was given comes back twice.
fn everything(state: &Counters) -> CountersUpdate {
    let update = CountersUpdate::new().log(state.log.clone()).sum(state.sum);
    match state.x {
        Some(x) => update.x(x),
        None => update,
    }
}

fn nested() -> Graph<Counters> {
    let mut g = Graph::new("nested");
    let (p, q) = (counting(&mut g, "p"), counting(&mut g, "q"));
    let child = g.subgraph("child", &child(), everything, |end: Arc<Counters>| everything(&end));
    chain(&mut g, &[p, child, q]);
    g
}

/// The same with a child that has its parent's state, which the library has not.
pub(super) fn embedding() -> Graph<Counters> {
    let mut g = Graph::new("embedding");
    let (p, q) = (counting(&mut g, "p"), counting(&mut g, "q"));
    let child = g.embed("child", &child());
    chain(&mut g, &[p, child, q]);
    g
}

pub(crate) fn all() -> Vec<ErasedGraph> {
    let graphs = [three(), asking(), tools(), diamond(), fan(), nested(), embedding()];
    graphs.into_iter().map(|g| g.compile().expect("the graph is whole").erased()).collect()
}
