//! Which agent is asked, and which are served.

mod advisor;
mod commands;
mod conversation;
mod frames;
mod researcher;
mod seen;
mod talk;
mod there;

use std::sync::Arc;

use duru::memory::Memory;
use duru_search::index::Index;
use duru_server::{Audit, Server};
use duru_sql::{LogStore, TableSource};

pub(crate) use commands::ChatLine;
pub(crate) use conversation::{Account, Asked, Conversation, Next, With};
pub(crate) use talk::{chat_with, reset, watch};
pub(crate) use there::id as id_there;

use crate::args::{Agent, Args, AskArgs, ServeArgs};
use crate::docs;
use crate::lang::Lang;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::routes;
use crate::serve::audit::Audited;
use crate::serve::parts;
use crate::store::Place;
use crate::tables::{self, AskedTables, TablesKind};

/// What happens in a run, as programs are told: of which kind, and what.
pub(crate) fn told(event: &duru::Event) -> Option<(&'static str, serde_json::Value)> {
    seen::Seen::of(event).map(|seen| seen.event())
}

/// `duru ask`
pub(crate) async fn ask(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    if asked.run.is_none() && asked.question.as_deref().is_none_or(|question| question.trim().is_empty()) {
        return Err(Problem::Usage(
            output.lang.pick("질문이 비어 있습니다", "the question is empty").to_owned(),
        ));
    }
    resume(asked, args, output).await
}

/// The question that was given, or else the one that the thread stopped at.
pub(crate) async fn resume(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    match asked.agent {
        Agent::Analyst => crate::ask::ask(asked, args, output).await,
        Agent::Researcher => researcher::ask(asked, args, output).await,
        Agent::Advisor => advisor::ask(asked, args, output).await,
    }
}

/// Queries are what the analyst alone has.
fn for_the_analyst(lang: Lang) -> Problem {
    Problem::Usage(lang.pick(
        "--run, --sql, --csv는 --agent analyst에서만 쓸 수 있습니다".to_owned(),
        "--run, --sql and --csv are for --agent analyst alone".to_owned(),
    ))
}

/// `duru chat`
pub(crate) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    match asked.agent {
        Agent::Analyst => crate::ask::chat(asked, args, output).await,
        Agent::Researcher => researcher::chat(asked, args, output).await,
        Agent::Advisor => advisor::chat(asked, args, output).await,
    }
}

/// A server with agents, and what they work with.
pub(crate) struct Joined {
    pub(crate) server: Server,
    pub(crate) logs: Option<Arc<dyn LogStore>>,
    pub(crate) index: Option<Arc<dyn Index>>,
}

/// Has a server serve the agents, and what belongs to them.
pub(crate) async fn join(
    mut server: Server,
    serve: &ServeArgs,
    audit: Option<Audit>,
    memory: Memory,
    output: &Output,
) -> Result<Joined, Problem> {
    let (mut log_store, mut index, mut asked) = (None, None, Vec::new());
    let settings = logs::ingest::settings(serve.ingest_map.as_deref())?;
    let opened = logs::open_or_sample(serve.logs.as_deref(), output).await.map_err(Problem::from);
    if let Some(mut logs) = or_none(Agent::Analyst, opened, serve.logs.is_some(), output)? {
        server = logs::work_together(server, logs.bucket.as_ref()).await?;
        server = logs::told_of(server, logs.bucket.take()).await?;
        if parts::is_database(serve.logs.as_deref()) {
            server = parts::tables(server, "logs", Arc::clone(&logs.store) as Arc<dyn TableSource>);
        }
        server = server.mount(routes::ingest_logs::routes(Arc::clone(&logs.store), settings));
        logs.store = Arc::new(Audited { tables: logs.store, name: Some("logs"), audit: audit.clone() });
        log_store = Some(Arc::clone(&logs.store));
        asked.push(AskedTables::from(logs));
    }
    if let Some(named) = &serve.tables.named {
        let mut tables = tables::open(named, &serve.tables, output).await?;
        if tables.kind == TablesKind::Database {
            server = parts::tables(server, "tables", Arc::clone(&tables.source));
        }
        tables.source = Arc::new(Audited { tables: tables.source, name: None, audit: audit.clone() });
        // They were named, so they are what is asked unless somebody chooses the logs.
        asked.insert(0, tables);
    }
    if let [first, others @ ..] = asked.as_slice() {
        server = server.graph(crate::ask::analyst_on_all(first.clone(), others.to_vec())?.erased());
        server = server.mount(routes::tables::routes(asked, audit.clone()));
    }
    let opened = docs::open_or_sample(&serve.documents, output).await.map_err(Problem::from);
    if let Some(documents) = or_none(Agent::Researcher, opened, serve.documents.index.is_some(), output)? {
        server = server.graph(researcher::researcher(&documents)?.erased());
        server = server.graph(advisor::advisor(&documents, memory, output)?.erased());
        index = Some(Arc::clone(&documents.index));
        if matches!(serve.documents.index, Some(Place::Url(_))) {
            server = parts::documents(server, Arc::clone(&documents.index));
        }
        let uploads = docs::uploads::Uploads::beside(&docs::folder(&serve.documents))?;
        let documents = Arc::new(documents);
        server = server.mount_with(|runs| routes::documents::routes(documents, uploads, audit, runs));
    }
    Ok(Joined { server, logs: log_store, index })
}

/// One agent less is no reason to serve none, unless what it needs was named.
fn or_none<T>(
    agent: Agent,
    needed: Result<T, Problem>,
    was_named: bool,
    output: &Output,
) -> Result<Option<T>, Problem> {
    match needed {
        Err(problem) if !was_named => {
            output.progress(&output.lang.not_served(agent.name(), &problem.what(output.lang)));
            Ok(None)
        }
        needed => needed.map(Some),
    }
}
