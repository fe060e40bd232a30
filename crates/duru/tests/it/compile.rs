//! A graph that can't work does not compile, and the error names the place.

use duru::{Cx, END, Graph, Problem};

use crate::support::{Log, by, sign};

/// The problems of a graph, and what they say.
fn problems(build: impl FnOnce(&mut Graph<Log>)) -> (Vec<Problem>, String) {
    let mut g = Graph::<Log>::new("broken");
    build(&mut g);
    let error = g.compile().err().unwrap();
    assert_eq!(error.graph, "broken");
    let text = error.to_string();
    assert!(text.starts_with("graph \"broken\" can't work: "), "{text}");
    (error.problems, text)
}

#[test]
fn an_empty_graph() {
    assert_eq!(problems(|_| {}).0, [Problem::Empty]);
}

#[test]
fn nothing_first() {
    let (problems, _) = problems(|g| {
        let a = g.node("a", sign);
        g.edge(a, END);
    });
    assert_eq!(problems, [Problem::NoEntry, Problem::Unreachable { node: "a".into() }]);
}

#[test]
fn names_that_mean_something_else() {
    for (name, reason) in [
        ("", "is empty"),
        ("__start__", "is reserved"),
        ("__interrupt__", "is reserved"),
        ("a|b", "has a `|`, a `:` or a control character"),
        ("a:b", "has a `|`, a `:` or a control character"),
        ("a\n", "has a `|`, a `:` or a control character"),
    ] {
        let (problems, text) = problems(|g| {
            let a = g.node(name, sign);
            g.start(a).edge(a, END);
        });
        assert_eq!(problems, [Problem::BadName { name: name.into(), reason }]);
        assert!(text.contains(&format!("{name:?} {reason}")), "{text}");
    }
}

#[test]
fn two_nodes_of_one_name() {
    let (problems, text) = problems(|g| {
        let a = g.node("a", sign);
        let b = g.node("a", sign);
        g.start(a).edge(a, b).edge(b, END);
    });
    assert_eq!(problems, [Problem::Duplicate { name: "a".into() }]);
    assert!(text.contains("two nodes are called \"a\""), "{text}");
}

#[test]
fn a_node_that_nothing_leads_to() {
    let (problems, text) = problems(|g| {
        let [a, b] = ["a", "lost"].map(|name| g.node(name, sign));
        g.start(a).edge(a, END).edge(b, END);
    });
    assert_eq!(problems, [Problem::Unreachable { node: "lost".into() }]);
    assert!(text.contains("leads to node \"lost\""), "{text}");
}

#[test]
fn handles_of_another_graph() {
    let mut other = Graph::<Log>::new("other");
    let stranger = other.node("x", sign);
    let (problems, text) = problems(|g| {
        let a = g.node("a", sign);
        g.start(a).start(stranger).edge(a, stranger).edge(a, END).edge(stranger, a);
        g.route(a, [stranger], move |_: &Log| stranger);
        g.join([a], stranger).may_go(a, [stranger]).defer(stranger);
    });
    let place = |place: &str| Problem::ForeignHandle { place: place.into() };
    let places = ["start", "the edge from \"a\"", "edge", "the route from \"a\"", "join", "may_go", "defer"];
    assert_eq!(problems, places.map(place));
    assert!(text.contains("the edge from \"a\" uses a node handle of another graph"), "{text}");
}

#[test]
fn an_edge_into_a_node_that_needs_an_input() {
    let (problems, text) = problems(|g| {
        let [a, b] = ["a", "b"].map(|name| g.node(name, sign));
        let w = g.worker("w", |word: String, _: Cx| async move { Ok(by(word)) });
        g.start(a).start(w).edge(a, b).edge(a, w).join([a, b], w).edge(w, END);
    });
    let place = |place: &str| Problem::NeedsInput { node: "w".into(), place: place.into() };
    assert_eq!(problems, [place("the start"), place("the edge from \"a\""), place("the join a+b>w")]);
    assert!(text.contains("the edge from \"a\" leads to \"w\", which takes an input of its own"), "{text}");
}

#[test]
fn a_route_without_targets() {
    let (problems, _) = problems(|g| {
        let a = g.node("a", sign);
        g.start(a).edge(a, END);
        g.route(a, Vec::<duru::Target>::new(), |_: &Log| END);
    });
    assert_eq!(problems, [Problem::NoTargets { place: "the route from \"a\"".into() }]);
}

#[test]
fn a_join_without_sources() {
    let (problems, text) = problems(|g| {
        let [a, b] = ["a", "b"].map(|name| g.node(name, sign));
        g.start(a).edge(a, b).edge(b, END);
        g.join(Vec::<duru::Node>::new(), b);
    });
    assert_eq!(problems, [Problem::EmptyJoin { node: "b".into() }]);
    assert!(text.contains("the join into \"b\" has no sources"), "{text}");
}

#[test]
fn everything_wrong_is_said_at_once() {
    let (problems, _) = problems(|g| {
        let _ = g.node("a", sign);
        let _ = g.node("a", sign);
    });
    let lost = || Problem::Unreachable { node: "a".into() };
    assert_eq!(problems, [Problem::Duplicate { name: "a".into() }, Problem::NoEntry, lost(), lost()]);
}

#[test]
fn breakpoints_name_nodes_that_exist() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    g.start(a).edge(a, END);
    let graph = g.compile().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let run = graph.invoke(by("in")).pause_before(["nope"]);
    let error = runtime.block_on(async { run.await }).unwrap_err().to_string();
    assert!(error.contains("there is no node \"nope\" to pause at; there are: a"), "{error}");
}
