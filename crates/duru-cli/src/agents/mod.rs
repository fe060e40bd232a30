//! Which agent is asked, and which are served.

mod advisor;
mod researcher;
mod talk;

use duru::ErasedGraph;

pub(crate) use talk::{chat_with, fresh_name, watch};

use crate::args::{Agent, Args, AskArgs, ServeArgs};
use crate::output::Output;
use crate::problem::Problem;

/// `duru ask`
pub(crate) async fn ask(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    match asked.agent {
        Agent::Analyst => crate::ask::ask(asked, args, output).await,
        Agent::Researcher => researcher::ask(asked, args, output).await,
        Agent::Advisor => advisor::ask(asked, args, output).await,
    }
}

/// `duru chat`
pub(crate) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    match asked.agent {
        Agent::Analyst => crate::ask::chat(asked, args, output).await,
        Agent::Researcher => researcher::chat(asked, args, output).await,
        Agent::Advisor => advisor::chat(asked, args, output).await,
    }
}

/// The agents' graphs, for a server.
pub(crate) async fn served(serve: &ServeArgs, output: &Output) -> Result<Vec<ErasedGraph>, Problem> {
    let mut graphs = Vec::new();
    let analyst = crate::ask::analyst(serve.logs.as_deref(), output).await.map(|agent| agent.erased());
    graphs.extend(or_none(Agent::Analyst, analyst, serve.logs.is_some(), output)?);
    let researcher = researcher::researcher(&serve.documents, output).await.map(|agent| agent.erased());
    graphs.extend(or_none(Agent::Researcher, researcher, serve.documents.index.is_some(), output)?);
    let advisor = advisor::advisor(&serve.documents, output).await.map(|agent| agent.erased());
    graphs.extend(or_none(Agent::Advisor, advisor, serve.documents.index.is_some(), output)?);
    Ok(graphs)
}

/// One agent less is no reason to serve none, unless what it needs was named.
fn or_none(
    agent: Agent,
    graph: Result<ErasedGraph, Problem>,
    was_named: bool,
    output: &Output,
) -> Result<Option<ErasedGraph>, Problem> {
    match graph {
        Err(problem) if !was_named => {
            output.progress(&output.lang.not_served(agent.name(), &problem.what(output.lang)));
            Ok(None)
        }
        graph => graph.map(Some),
    }
}
