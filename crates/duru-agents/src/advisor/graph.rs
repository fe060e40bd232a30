//! How the advisor's steps follow each other.

use duru::draw::Drawing;
use duru::{CompileError, Compiled, END, Graph, Node, Result, Target};

use super::nodes;
use super::state::{Advice, Inquiry};
use super::sufficiency::Verdict;
use super::teams;
use super::toolbox::{Bounds, Toolbox};
use super::tools::Team;

/// The advisor as a graph, ready for a store.
///
/// Orchestration and execution take turns: one team a pass, or several where none waits for another, until nothing is
/// left to do.
///
/// # Errors
/// If the graph can't work; a test says that it can.
pub fn graph(toolbox: Toolbox) -> Result<Compiled<Advice, Inquiry>, CompileError> {
    Ok(steps(toolbox.bounds, toolbox.memory.is_some())?.provide(toolbox))
}

/// What leads where, to be looked at: that needs no tools.
///
/// # Errors
/// As for [`graph`].
pub fn drawing() -> Result<Drawing, CompileError> {
    Ok(steps(Bounds::default(), true)?.drawing())
}

/// With something remembered, what was reused is compared with a new search now and then.
fn steps(bounds: Bounds, compares: bool) -> Result<Compiled<Advice, Inquiry>, CompileError> {
    let teams = execute_teams(bounds)?;
    let mut g = Graph::<Advice>::new("advisor").input(Inquiry::update);
    let initialize = g.node("initialize", nodes::initialize);
    let planning = g.node("planning", nodes::planning);
    let confirm = g.node("confirm", nodes::confirm);
    let orchestrate = g.node("orchestrate", nodes::orchestrate);
    let execute = g.embed("execute_teams", &teams);
    let aggregate = g.node("aggregate", nodes::aggregate);
    let respond = g.node("generate_response", nodes::generate_response);
    let shadow = g.node("shadow", nodes::shadow);
    let every = bounds.shadow_every;
    g.start(initialize).edge(initialize, planning);
    g.route(planning, [respond, confirm, orchestrate], move |s: &Advice| {
        let asks = s.sufficiency_result.as_ref().is_some_and(|judged| judged.verdict == Verdict::Confirm);
        if s.steps.is_empty() {
            respond
        } else if asks && !s.verify_search_data && !s.searched_at_once {
            confirm
        } else {
            orchestrate
        }
    });
    g.edge(confirm, orchestrate);
    g.route(
        orchestrate,
        [execute, aggregate],
        move |s: &Advice| {
            if s.active_teams.is_empty() { aggregate } else { execute }
        },
    );
    g.edge(execute, orchestrate).edge(aggregate, respond).edge(shadow, END);
    g.route(respond, [shadow.into(), END], move |s: &Advice| -> Target {
        if compares && nodes::sampled(s, every) { shadow.into() } else { END }
    });
    g.compile()
}

/// The teams of a pass, side by side.
fn execute_teams(bounds: Bounds) -> Result<Compiled<Advice>, CompileError> {
    let mut g = Graph::<Advice>::new("execute_teams");
    let all = [
        ("search", Team::Search, teams::search()?),
        ("analysis", Team::Analysis, teams::analysis()?),
        ("document", Team::Document, teams::document()?),
    ];
    let mut nodes: Vec<(Team, Node)> = Vec::new();
    for (name, team, graph) in &all {
        let team = *team;
        let enter = move |s: &Advice| teams::order(s, team, &bounds);
        let leave = |run: std::sync::Arc<teams::TeamRun>| teams::done(&run);
        nodes.push((team, g.subgraph(name, graph, enter, leave)));
    }
    let targets: Vec<Target> = nodes.iter().map(|(_, node)| (*node).into()).chain([END]).collect();
    g.start_route(targets, move |s: &Advice| -> Vec<Target> {
        nodes
            .iter()
            .filter(|(team, _)| s.active_teams.contains(team))
            .map(|(_, node)| (*node).into())
            .collect()
    });
    g.compile()
}
