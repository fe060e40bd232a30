//! How the analyst's steps follow each other.

use duru::draw::Drawing;
use duru::{CompileError, Compiled, END, Graph, Target};

use super::nodes;
use super::state::{Analysis, Inquiry};
use super::toolbox::Toolbox;

/// So many queries are tried before the person is told.
pub(super) const TRIES: u32 = 3;

/// The analyst as a graph, ready for a store.
///
/// # Errors
/// If the graph can't work; a test says that it can.
pub fn graph(toolbox: Toolbox) -> Result<Compiled<Analysis, Inquiry>, CompileError> {
    Ok(steps()?.provide(toolbox))
}

/// What leads where, to be looked at: that needs no logs.
///
/// # Errors
/// As for [`graph`].
pub fn drawing() -> Result<Drawing, CompileError> {
    Ok(steps()?.drawing())
}

fn steps() -> Result<Compiled<Analysis, Inquiry>, CompileError> {
    let mut g = Graph::<Analysis>::new("analyst").input(Inquiry::update);
    let resolve = g.node("resolve_context", nodes::resolve_context);
    let filters = g.node("extract_filters", nodes::extract_filters);
    let schema = g.node("retrieve_schema", nodes::retrieve_schema);
    let consult = g.node("consult_model", nodes::consult_model);
    let clarifier = g.node("clarifier", nodes::clarifier);
    let generate = g.node("generate_sql", nodes::generate_sql);
    let validate = g.node("validate_sql", nodes::validate_sql);
    let execute = g.node("execute_query", nodes::execute_query);
    let insight = g.node("generate_insight", nodes::generate_insight);
    g.start(resolve);
    g.route(resolve, [filters.into(), END], move |s: &Analysis| go_on(s, filters));
    g.route(filters, [schema.into(), END], move |s: &Analysis| go_on(s, schema));
    g.edge(schema, consult);
    g.edge(consult, clarifier);
    g.route(clarifier, [generate.into(), END], move |s: &Analysis| go_on(s, generate));
    g.route(generate, [validate.into(), END], move |s: &Analysis| go_on(s, validate));
    g.route(validate, [generate.into(), execute.into(), END], move |s: &Analysis| -> Target {
        match s.validation_error {
            Some(_) if s.problem.is_none() => generate.into(),
            _ => go_on(s, execute),
        }
    });
    g.route(execute, [insight.into(), END], move |s: &Analysis| go_on(s, insight));
    g.edge(insight, END);
    g.compile()
}

/// On, unless it was said why not.
fn go_on(state: &Analysis, next: impl Into<Target>) -> Target {
    if state.problem.is_some() { END } else { next.into() }
}
