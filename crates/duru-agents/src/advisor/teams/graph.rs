//! How a team's steps follow each other.

use duru::{CompileError, Compiled, END, Graph};

use super::choose_tools::choose_tools;
use super::finalize::finalize;
use super::gate_two::gate_two;
use super::insights::insights;
use super::review::review;
use super::run_tools::run_tools;
use super::state::{Order, TeamRun, TeamRunUpdate};

type Team = Compiled<TeamRun, Order>;

fn begin(order: Order) -> TeamRunUpdate {
    TeamRunUpdate::new().order(order)
}

/// Looks at what is there, chooses tools, runs them.
pub(in crate::advisor) fn search() -> Result<Team, CompileError> {
    let mut g = Graph::<TeamRun>::new("search").input(begin);
    let gate = g.node("gate_two", gate_two);
    let choose = g.node("choose_tools", choose_tools);
    let run = g.node("run_tools", run_tools);
    let finalize = g.node("finalize", finalize);
    g.start(gate);
    g.route(gate, [choose, finalize], move |s: &TeamRun| {
        if s.checked.as_ref().is_some_and(|checked| checked.sufficient) { finalize } else { choose }
    });
    g.edge(choose, run).edge(run, finalize).edge(finalize, END);
    g.compile()
}

/// Chooses tools, runs them, says what their results mean.
pub(in crate::advisor) fn analysis() -> Result<Team, CompileError> {
    let mut g = Graph::<TeamRun>::new("analysis").input(begin);
    let choose = g.node("choose_tools", choose_tools);
    let run = g.node("run_tools", run_tools);
    let insights = g.node("insights", insights);
    let finalize = g.node("finalize", finalize);
    g.start(choose).edge(choose, run).edge(run, insights).edge(insights, finalize).edge(finalize, END);
    g.compile()
}

/// Makes a draft, and has it confirmed where somebody is there.
pub(in crate::advisor) fn document() -> Result<Team, CompileError> {
    let mut g = Graph::<TeamRun>::new("document").input(begin);
    let choose = g.node("choose_tools", choose_tools);
    let draft = g.node("draft", run_tools);
    let review = g.node("review", review);
    let finalize = g.node("finalize", finalize);
    g.start(choose).edge(choose, draft);
    g.route(draft, [review, finalize], move |s: &TeamRun| if s.used.is_empty() { finalize } else { review });
    g.edge(review, finalize).edge(finalize, END);
    g.compile()
}
