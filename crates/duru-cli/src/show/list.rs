//! `duru threads ls`

use std::sync::Arc;

use duru::store::{Checkpoints, Entry, EntryKind, Error, ThreadSummary};
use duru::{ThreadId, ThreadLog, ThreadState};
use serde_json::{Value, json};

use crate::agents::id_there;
use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::{clean, time};

struct Listed {
    summary: ThreadSummary,
    /// What it was called when an agent in a server was asked: every command knows it by that, too.
    name: Option<String>,
    graph: Option<String>,
    /// None if it can't be read: one damaged thread must not hide the others.
    state: Option<ThreadState>,
}

pub(crate) async fn list(limit: usize, args: &Args, output: &Output) -> Result<(), Problem> {
    let mut threads = Vec::new();
    if let Some(opened) = store::open_existing(args.store.as_ref()).await? {
        for summary in opened.store.threads(0, limit).await.map_err(Problem::Store)? {
            let entry = opened.stores.catalog.entry(EntryKind::Thread, summary.thread.as_str()).await;
            let name = entry.map_err(Problem::Store)?.as_ref().and_then(name_of);
            threads.push(look(&opened.store, summary, name).await?);
        }
    }
    if threads.is_empty() {
        output.progress(&output.lang.no_threads(&clean(&output.command("demo"))));
    } else {
        let rows = threads.iter().map(|listed| {
            let head = &listed.summary.head;
            let step = listed.state.as_ref().map(|state| state.step.unwrap_or_default().to_string());
            [
                clean(listed.name.as_deref().unwrap_or(listed.summary.thread.as_str())),
                clean(listed.graph.as_deref().unwrap_or("?")),
                if output.plain { head.status.as_str() } else { output.lang.status(head.status) }.to_owned(),
                step.unwrap_or_else(|| "?".to_owned()),
                time(head.updated_ms),
            ]
        });
        output.table(output.lang.list_head(), rows)?;
    }
    output.json(json!({ "threads": threads.iter().map(Listed::json).collect::<Vec<_>>() }))
}

async fn look(
    store: &Arc<dyn Checkpoints>,
    summary: ThreadSummary,
    name: Option<String>,
) -> Result<Listed, Problem> {
    let log = ThreadLog::new(Arc::clone(store), summary.thread.clone());
    let (graph, state) = (readable(log.graph().await)?.flatten(), readable(log.state().await)?);
    Ok(Listed { summary, name, graph, state })
}

/// The name that a thread's entry has, if it leads back to the thread.
fn name_of(entry: &Entry) -> Option<String> {
    let name = entry.metadata.get("name").and_then(Value::as_str)?;
    let thread = ThreadId::new(name).ok()?;
    (id_there(&thread) == entry.id).then(|| name.to_owned())
}

fn readable<T>(read: Result<T, duru::Error>) -> Result<Option<T>, Problem> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(duru::Error::Store(Error::Corrupt { .. } | Error::Newer { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Listed {
    fn json(&self) -> Value {
        let head = &self.summary.head;
        json!({
            "id": self.summary.thread, "name": self.name, "graph": self.graph, "status": head.status.as_str(), "version": head.version,
            "steps": self.state.as_ref().map(|state| state.step), "readable": self.state.is_some(),
            "events": head.next_seq, "created_ms": head.created_ms, "updated_ms": head.updated_ms,
        })
    }
}
